"""Letters of any script are drawn, measured and cut; those that no font has are reported."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont, features

from tests.support.colour_fonts import ADVANCE, make_bitmap_font, make_sbix_font
from tests.support.command import Undoku
from tests.support.made_fonts import forget_fonts, make_font, overwrite_table
from tests.support.puzzles import EASY
from undoku.errors import ReadError, SettingsError
from undoku.render.draw.fonts import DEFAULT, Face, FontFile
from undoku.render.draw.glyph_outlines import EM, outline, set_line
from undoku.render.draw.lettering import (
    LEVELS,
    ascent,
    fitted,
    line_height,
    set_in,
    text_mask,
    text_width,
)
from undoku.render.draw.line_breaks import wrapped
from undoku.render.draw.text_runs import named_characters, runs, unjoined, unshown
from undoku.render.draw.typefaces import load_typeface
from undoku.render.draw.unicode_text import direction_of

SIZE = 40
ARABIC = "السلام عليكم"
HEBREW = "שלום עולם"
CJK = "数独"

needs_raqm = pytest.mark.skipif(not features.check("raqm"), reason="Pillow has no raqm here")


NAMES = {
    Face.REGULAR: ("DejaVu Sans", "Book"),
    Face.BOLD: ("DejaVu Sans", "Bold"),
    Face.OBLIQUE: ("DejaVu Sans", "Oblique"),
}


@pytest.mark.parametrize("in_folder", [True, False])
def test_the_default_font_is_found_wherever_matplotlib_has_it(
    in_folder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not in_folder:
        monkeypatch.setattr("undoku.render.draw.fonts.find_spec", lambda name: None)
    forget_fonts()
    names = {face: ImageFont.truetype(DEFAULT.font(face).path).getname() for face in Face}
    assert names == NAMES
    monkeypatch.undo()
    forget_fonts()


def inked(text: str, face: Face = Face.REGULAR) -> int:
    return int((text_mask(text, face, SIZE) > 0).sum())


@needs_raqm
@pytest.mark.parametrize("text", [ARABIC, HEBREW, f"abc {ARABIC} 123", "e\u0301", "עִבְרִית"])
@pytest.mark.parametrize("face", Face)
def test_a_mask_is_as_wide_as_the_text_is_measured(text: str, face: Face) -> None:
    mask = text_mask(text, face, SIZE)
    assert mask.shape == (line_height(face, SIZE), text_width(text, face, SIZE))
    assert mask.any()


@needs_raqm
def test_arabic_letters_are_joined() -> None:
    """Joined letters are narrower than the same ones alone, and meet on the line."""
    alone = sum(text_width(letter, Face.REGULAR, SIZE) for letter in "سلام")
    assert text_width("سلام", Face.REGULAR, SIZE) < 0.9 * alone


@needs_raqm
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("שלום", "םולש"),
        ("שלום abc", "abc םולש"),
        ("abc שלום", "abc םולש"),
        ("אב 1,234 גד", "דג 1,234 בא"),
        ("אב (גד)", "(דג) בא"),
        ("אב (mrv) 12 גד", "דג 12 (mrv) בא"),
        ("a (אב) b", "a (בא) b"),
        ("צעד 5.", ".5 דעצ"),
        ("mrv: אב", "mrv: בא"),
        ("אב 50%", "50% בא"),
        ("\u202eabc\u202c שלום", "abc םולש"),  # controls in a title change nothing
    ],
)
@pytest.mark.parametrize("face", Face)
def test_letters_are_in_visual_order(written: str, shown: str, face: Face) -> None:
    """As the Unicode Bidirectional Algorithm orders them."""
    mask = text_mask(written, face, SIZE)
    font = ImageFont.truetype(DEFAULT.font(face).path, SIZE, layout_engine=ImageFont.Layout.BASIC)
    picture = Image.new("L", mask.shape[::-1])
    ImageDraw.Draw(picture).text((0, ascent(face, SIZE)), shown, 255, font, anchor="ls")
    for one, other in (
        (np.asarray(picture) > 127, mask > 3),
        (mask > 3, np.asarray(picture) > 127),
    ):
        near = np.any([np.roll(other, shift, 1) for shift in range(-3, 4)], 0)
        assert (one & ~near).sum() < 0.08 * one.sum()


@needs_raqm
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"שלום abc{CJK}", ["abc", CJK, "שלום"]),
        ("שלום 🐢 עולם", ["עולם", "🐢", "שלום"]),
        ("abc שלום 🐢 עולם", ["abc", "עולם", "🐢", "שלום"]),
        (f"{CJK} שלום {CJK} עולם", [CJK, "שלום", CJK, "עולם"]),
        (f"שלום – {CJK} – עולם", ["– עולם", CJK, "שלום –"]),
        (f"שלום abc 12 {CJK} עולם", ["עולם", "abc 12", CJK, "שלום"]),
    ],
)
def test_runs_of_several_fonts_are_in_visual_order(
    text: str, shown: list[str], installed: Path
) -> None:
    make_font(installed / "Boxes.ttf", f"{CJK}🐢")
    texts = [run.text.strip() for run in runs(text, DEFAULT, Face.REGULAR)]
    assert [*filter(None, texts)] == shown


@pytest.mark.parametrize(
    ("text", "right"),
    [("12 שלום", True), ("سلام abc", True), ("(אב", True), ("", False), ("12", False),
     ("abc שלום", False)],
)  # fmt: skip
def test_a_line_runs_as_its_first_letter_does(text: str, right: bool) -> None:
    assert (direction_of(text) == "R") == right


def test_without_a_text_engine_it_is_reported_that_letters_are_not_joined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(features, "check", lambda name: False)
    forget_fonts()
    assert unjoined(["mrv", ARABIC]) and unjoined([HEBREW])
    assert not unjoined(["mrv", "é ✓"])
    assert text_mask(HEBREW, Face.REGULAR, SIZE).any()
    monkeypatch.undo()
    forget_fonts()
    assert not unjoined([ARABIC])


def test_characters_that_the_typeface_lacks_come_from_an_installed_font(installed: Path) -> None:
    font = FontFile(str(make_font(installed / "Boxes-Regular.ttf", CJK)))
    assert [run.font for run in runs(f"a {CJK}", DEFAULT, Face.REGULAR)] == [
        DEFAULT.font(Face.REGULAR), font,
    ]  # fmt: skip
    # Two boxes of 0.9 em width and 0.8 em height.
    assert text_width(CJK, Face.REGULAR, SIZE) == 2 * SIZE
    assert inked(CJK) == pytest.approx(2 * 0.9 * 0.8 * SIZE**2, rel=0.05)
    assert unshown([CJK, "mrv"], DEFAULT) == ""


def test_the_regular_font_of_several_is_used_in_any_order(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import matplotlib.font_manager

    paths = [
        str(make_font(installed / name, CJK))
        for name in ("Another-Bold.ttf", "Boxes-Regular.ttf", "Boxes Sans-Regular.ttf", "A.ttf")
    ]
    for order in (paths, paths[::-1]):
        monkeypatch.setattr(matplotlib.font_manager, "findSystemFonts", lambda order=order: order)
        forget_fonts()
        (run,) = runs(CJK, DEFAULT, Face.BOLD)
        assert Path(run.font.path).name == "Boxes Sans-Regular.ttf"


def test_letters_of_other_fonts_are_made_to_fit_the_line(installed: Path) -> None:
    make_font(installed / "High.ttf", CJK, top=1500)
    mask = text_mask(CJK, Face.REGULAR, SIZE)
    assert not mask[0].any() or mask[0].max() < LEVELS  # nothing is cut off:
    (run,) = runs(CJK, DEFAULT, Face.REGULAR)
    high = int((mask > 3).any(1).sum())
    assert high <= line_height(Face.REGULAR, SIZE)
    assert high / text_width(CJK, Face.REGULAR, SIZE) == pytest.approx(1.5 / 2, rel=0.1)
    assert not run.shaped


def test_a_letter_that_no_font_has_is_drawn_as_a_box_and_named(installed: Path) -> None:
    assert unshown(["mrv", "数 独", "b独"], DEFAULT) == "数独"
    assert inked(CJK) > 0
    assert named_characters("独") == "独 (U+72EC CJK UNIFIED IDEOGRAPH-72EC)"
    assert named_characters("独" * 11).endswith(" and 3 more")


def test_a_damaged_font_of_the_machine_is_skipped(installed: Path) -> None:
    (installed / "A-Regular.ttf").write_bytes(b"no font")
    (installed / "B.ttc").write_bytes(b"ttcf\0\0\0\0\0\0\0\2")
    overwrite_table(make_font(installed / "C-Regular.ttf", CJK), "glyf", b"\x7f\x55")
    assert unshown([CJK], DEFAULT) == CJK
    forget_fonts()
    sound = make_font(installed / "Boxes.ttf", CJK)
    (run,) = runs(CJK, DEFAULT, Face.REGULAR)
    assert run.font.path == str(sound) and unshown([CJK], DEFAULT) == ""


@pytest.mark.parametrize(
    ("table", "pattern", "reason"),
    [
        ("glyf", b"\x7f\x55", "invalid"),
        ("hmtx", b"\0", "its letters have no width"),
        ("hhea", b"\0", "its lines are 0 pixels high"),
        ("hhea", b"\0\1\0\0\x7f", "its lines are .* pixels high"),
        ("head", b"\0", "broken"),
    ],
)
def test_a_damaged_font_file_is_a_mistake_with_a_remedy(
    tmp_path: Path, table: str, pattern: bytes, reason: str
) -> None:
    path = make_font(tmp_path / "Boxes.ttf", "Aa0")
    overwrite_table(path, table, pattern)
    with set_in(load_typeface(str(path))):
        for use in (text_mask, set_line):
            with pytest.raises(SettingsError, match=f"Boxes.ttf' is damaged: {reason}") as caught:
                use("Aa0", Face.REGULAR, SIZE)
            assert caught.value.remedy == "give another font"


def test_a_font_file_brings_its_bold_cut_from_the_same_folder(tmp_path: Path) -> None:
    path = make_font(tmp_path / "Boxes-Regular.ttf", "abc", family="Boxes")
    bold = make_font(tmp_path / "Boxes-Bold.ttf", "abc", family="Boxes", bold=True)
    make_font(tmp_path / "Boxes-Other.ttf", "abc", family="Other", bold=True)
    typeface = load_typeface(str(path))
    assert typeface.font(Face.REGULAR).path == str(path)
    assert typeface.font(Face.BOLD).path == str(bold)
    assert typeface.font(Face.OBLIQUE).path == str(path)


def test_letters_that_a_chosen_font_lacks_come_from_the_default_font(tmp_path: Path) -> None:
    """Widths are kept for each font."""
    typeface = load_typeface(str(make_font(tmp_path / "Boxes.ttf", "ab")))
    before = text_width("ab", Face.REGULAR, SIZE)
    with set_in(typeface):
        own, other = runs("ab✓12", typeface, Face.REGULAR)
        assert own.text == "ab" and other.font == DEFAULT.font(Face.REGULAR)
        assert text_width("ab", Face.REGULAR, SIZE) == 2 * SIZE
    assert text_width("ab", Face.REGULAR, SIZE) == before < 1.5 * SIZE


def test_an_installed_family_is_found_by_its_name(installed: Path) -> None:
    make_font(installed / "x1.ttf", "abc", family="Red Boxes")
    make_font(installed / "x2.ttf", "abc", family="Red Boxes", bold=True)
    make_font(installed / "x3.ttf", "abc", family="Blue Boxes")
    typeface = load_typeface("red boxes")
    assert Path(typeface.font(Face.REGULAR).path).name == "x1.ttf"
    assert Path(typeface.font(Face.BOLD).path).name == "x2.ttf"
    with pytest.raises(SettingsError, match=r"no installed font.*did you mean Red Boxes"):
        load_typeface("Red Boxs")


def test_a_name_of_no_font_is_reported(installed: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="path of a font file"):
        load_typeface("Zapfino")
    with pytest.raises(ReadError, match=r"no file '.*gone\.ttf'"):
        load_typeface(str(tmp_path / "gone.ttf"))
    (tmp_path / "text.ttf").write_text("no font")
    with pytest.raises(SettingsError, match="not a font with outlines"):
        load_typeface(str(tmp_path / "text.ttf"))


def test_a_font_that_names_more_characters_than_unicode_has_is_refused_at_once(
    tmp_path: Path,
) -> None:
    """Each of these 20 groups, 12 bytes, became a list of a million numbers."""
    make_font(tmp_path / "a.ttf", [chr(0x4E00 + 2 * number) for number in range(200)])
    groups = struct.pack(">III", 0, 0x10FFFF, 1) * 20
    head = struct.pack(">HHHHIHHIII", 0, 1, 3, 10, 12, 12, 0, 16 + len(groups), 0, 20)
    overwrite_table(tmp_path / "a.ttf", "cmap", head + groups)
    tracemalloc.start()
    try:
        with pytest.raises(SettingsError, match="not a font with outlines"):
            load_typeface(str(tmp_path / "a.ttf"))
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_marks_stay_on_their_letters_where_a_text_is_shortened() -> None:
    text = "e\u0301" * 20
    for width in range(40, 400, 7):
        short = fitted(text, Face.REGULAR, 20, width)
        assert text_width(short, Face.REGULAR, 20) <= width
        assert short.removesuffix("…").count("e") == short.count("\u0301")


def test_texts_without_blanks_are_broken_between_wide_letters(installed: Path) -> None:
    make_font(installed / "Boxes.ttf", "数独。abc")
    lines = wrapped("数独数独数独。 abc abc", Face.REGULAR, SIZE, 3 * SIZE + 1)
    assert lines == ["数独数", "独数", "独。", "abc", "abc"] or lines[0] == "数独数"
    assert all(not line.startswith("。") for line in lines)
    assert "".join(lines).replace(" ", "") == "数独数独数独。abcabc"


@needs_raqm
@pytest.mark.parametrize("text", [ARABIC, f"abc {HEBREW} 12", "עִבְרִית", "Plain AV"])
def test_outlines_are_as_wide_as_masks_and_cover_the_same(text: str) -> None:
    """A document shows the same as the picture."""
    placed, width = set_line(text, Face.REGULAR, SIZE)
    assert width == pytest.approx(text_width(text, Face.REGULAR, SIZE), rel=0.06)
    right = 0.0
    for glyph, x, size in placed:
        left, bottom, end, top = (part * size / EM for part in outline(glyph).box)
        assert -0.3 * SIZE <= bottom <= top <= SIZE
        right = max(right, x + end)
        assert x + left > -0.1 * SIZE
    columns = np.flatnonzero((text_mask(text, Face.REGULAR, SIZE) > 0).any(0))
    assert right == pytest.approx(columns[-1] + 1, abs=0.06 * width)


# Emoji are drawn in the colour of the text, from fonts whose glyphs are pictures.


TURTLE, THUMB, TONE = "🐢", "👍", "🏽"
CODER = "👩\u200d💻"

MakeColourFont = Callable[..., Path]
every_kind = pytest.mark.parametrize("make", [make_bitmap_font, make_sbix_font])


@every_kind
@pytest.mark.parametrize("size", [11, 48])
def test_an_emoji_is_within_its_line_and_its_eyes_are_gaps(
    installed: Path, make: MakeColourFont, size: int
) -> None:
    make(installed / "Faces.ttf", TURTLE)
    mask = text_mask(TURTLE, Face.REGULAR, size)
    (run,) = runs(TURTLE, DEFAULT, Face.REGULAR)
    assert run.font.coloured
    assert mask.shape == (line_height(Face.REGULAR, size), text_width(TURTLE, Face.REGULAR, size))
    assert text_width(TURTLE, Face.REGULAR, size) == pytest.approx(ADVANCE / 1000 * size, rel=0.15)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    high, wide = rows[-1] + 1 - rows[0], columns[-1] + 1 - columns[0]
    assert high >= 0.85 * size and wide >= 0.85 * size
    assert rows[0] < ascent(Face.REGULAR, size) < rows[-1]  # it is on the line and below it
    # From its centre: an eye at either side, and the whole colour of the text between and below.
    eyes, middle = int(rows[0] + 0.39 * high), int(columns[0] + wide / 2)
    across = mask[eyes, columns[0] : columns[-1] + 1]
    left, right = (half.min() for half in (across[2 : wide // 2], across[wide // 2 : -2]))
    assert left <= LEVELS // 2 and right <= LEVELS // 2
    assert mask[eyes + high // 3 :, middle].max() == LEVELS - 1


@every_kind
def test_a_damaged_emoji_font_is_skipped_and_the_emoji_named(
    installed: Path, make: MakeColourFont
) -> None:
    make(installed / "Faces.ttf", TURTLE, damaged=True)
    assert unshown([f"{TURTLE} slow"], DEFAULT) == TURTLE
    box = text_mask(TURTLE, Face.REGULAR, 20)  # a box for it, and no error
    assert box.any()
    make_bitmap_font(installed / "Other Faces.ttf", TURTLE)
    forget_fonts()
    assert unshown([f"{TURTLE} slow"], DEFAULT) == ""
    assert text_mask(TURTLE, Face.REGULAR, 20).sum() > box.sum()


def test_a_font_with_outlines_is_preferred_to_one_in_colours(installed: Path) -> None:
    make_bitmap_font(installed / "A Sans.ttf", [TURTLE, "☺"])
    plain = make_font(installed / "Boxes-Bold.ttf", TURTLE)
    (run,) = runs(TURTLE, DEFAULT, Face.REGULAR)
    assert (run.font.path, run.font.coloured) == (str(plain), False)
    (run,) = runs("☺", DEFAULT, Face.REGULAR)
    assert run.font == DEFAULT.font(Face.REGULAR)


@every_kind
def test_the_outline_of_an_emoji_covers_the_same_as_its_mask(
    installed: Path, make: MakeColourFont
) -> None:
    make(installed / "Faces.ttf", TURTLE)
    placed, width = set_line(f"{TURTLE}a", Face.REGULAR, 40)
    assert width == pytest.approx(text_width(f"{TURTLE}a", Face.REGULAR, 40), abs=2)
    glyph, x, size = placed[0]
    shape = outline(glyph)
    left, bottom, right, top = (part * size / EM for part in shape.box)
    mask = text_mask(TURTLE, Face.REGULAR, 40)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    assert (x + left, x + right) == pytest.approx((columns[0], columns[-1] + 1), abs=1.5)
    foot = ascent(Face.REGULAR, 40)
    assert (foot - top, foot - bottom) == pytest.approx((rows[0], rows[-1] + 1), abs=1.5)
    contours = [at for operator, at in shape.segments if operator == "M"]
    assert len(contours) >= 3  # the disc and two eyes


@needs_raqm
def test_characters_that_only_modify_an_emoji_draw_nothing_of_their_own(installed: Path) -> None:
    """A joined sequence is one glyph, the selector of a presentation none."""
    make_bitmap_font(installed / "Faces.ttf", "👩💻🐢\u200d", joined=CODER)
    one = text_width(TURTLE, Face.REGULAR, 40)
    assert text_width(CODER, Face.REGULAR, 40) == one
    assert np.array_equal(
        text_mask(f"{TURTLE}\ufe0f", Face.REGULAR, 40), text_mask(TURTLE, Face.REGULAR, 40)
    )
    joined, alone = (text_mask(text, Face.REGULAR, 40) for text in (CODER, "👩"))
    assert (joined == LEVELS - 1).sum() > 1.2 * (alone == LEVELS - 1).sum()  # a square, not a disc
    assert unshown([CODER, f"{TURTLE}\ufe0f"], DEFAULT) == ""


def test_without_a_text_engine_no_boxes_are_drawn_for_joining_characters(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bitmap_font(installed / "Faces.ttf", "👩💻")
    monkeypatch.setattr(features, "check", lambda name: False)
    forget_fonts()
    two = text_mask("👩💻", Face.REGULAR, 40)
    assert text_mask(CODER, Face.REGULAR, 40).shape == pytest.approx(two.shape, abs=1)
    heart = text_mask("♥", Face.REGULAR, 40)
    assert np.array_equal(text_mask("♥\ufe0f", Face.REGULAR, 40), heart)


def test_a_skin_tone_that_no_font_has_leaves_its_emoji(installed: Path) -> None:
    make_bitmap_font(installed / "Faces.ttf", THUMB)
    first, second = runs(THUMB + TONE, DEFAULT, Face.REGULAR)
    assert (first.text, first.font.coloured) == (THUMB, True)
    assert second.text == TONE
    assert unshown([THUMB + TONE], DEFAULT) == TONE


def test_the_letters_of_a_flag_are_not_separated(installed: Path) -> None:
    make_bitmap_font(installed / "Faces.ttf", "🇩🇪🇫🇷", joined="🇩🇪")
    german, french = runs("🇩🇪🇫🇷", DEFAULT, Face.REGULAR)
    assert (german.text, french.text) == ("🇩🇪", "🇫🇷")
    assert unshown(["🇩🇪"], DEFAULT) == ""


@every_kind
def test_an_emoji_font_given_as_the_font_adds_emoji_to_the_default_one(
    tmp_path: Path, make: MakeColourFont
) -> None:
    """Also where it has digits, which are parts of its emoji."""
    path = make(tmp_path / "Faces.ttf", [TURTLE, "1", "2"])
    typeface = load_typeface(str(path))
    assert typeface.files != DEFAULT.files
    plain = text_mask("a 12", Face.BOLD, 20)
    with set_in(typeface):
        assert np.array_equal(text_mask("a 12", Face.BOLD, 20), plain)
        letters, emoji = runs(f"a {TURTLE}", typeface, Face.BOLD)
        assert (letters.font, emoji.font.path) == (DEFAULT.font(Face.BOLD), str(path))
        assert text_mask(TURTLE, Face.BOLD, 20).any()
    assert unshown([TURTLE], typeface) == ""


def test_an_installed_emoji_family_is_found_by_its_name(installed: Path) -> None:
    path = make_bitmap_font(installed / "Faces.ttf", TURTLE)
    typeface = load_typeface("faces color emoji")
    assert typeface.font(Face.REGULAR) == DEFAULT.font(Face.REGULAR)
    assert typeface.coloured is not None and typeface.coloured.path == str(path)


def test_pictures_and_documents_show_an_emoji_of_a_label_without_a_warning(
    undoku: Undoku, tmp_path: Path, installed: Path
) -> None:
    make_bitmap_font(tmp_path / "Faces.ttf", TURTLE)
    request = ["render", EASY.grid, "-s", "mrv", "--at-step", "5", "--size", "640x360"]
    done = undoku(*request, "--label", f"{TURTLE} slow", "--font", "Faces.ttf", "-o", "a.png",
                  "-o", "a.svg", "-o", "a.pdf", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "no font" not in done.stderr and "Traceback" not in done.stderr
    plain = undoku(*request, "--label", f"{TURTLE} slow", "-o", "b.png", cwd=tmp_path)
    assert "warning: no font has 🐢 (U+1F422 TURTLE)" in plain.stderr
    with Image.open(tmp_path / "a.png") as shown, Image.open(tmp_path / "b.png") as box:
        pixels = [np.asarray(picture.convert("RGB")).astype(int) for picture in (shown, box)]
    rows, _ = np.nonzero((pixels[0] != pixels[1]).any(2))
    assert len(rows) > 100
    assert np.ptp(rows) < 40  # only the line of the label differs
    assert f'aria-label="{TURTLE} slow"' in (tmp_path / "a.svg").read_text()
