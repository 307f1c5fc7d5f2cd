"""Emoji are drawn in the colour of the text, from fonts whose glyphs are pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, features

from tests.support.colour_fonts import ADVANCE, make_bitmap_font, make_sbix_font
from tests.support.command import Undoku
from tests.support.made_fonts import forget_fonts, make_font
from tests.support.puzzles import EASY
from undoku.render.draw.fonts import DEFAULT, Face
from undoku.render.draw.glyph_outlines import EM, outline, set_line
from undoku.render.draw.lettering import (
    LEVELS,
    ascent,
    line_height,
    set_in,
    text_mask,
    text_width,
)
from undoku.render.draw.text_runs import runs, unshown
from undoku.render.draw.typefaces import load_typeface

TURTLE, THUMB, TONE = "🐢", "👍", "🏽"
CODER = "👩\u200d💻"

MakeColourFont = Callable[..., Path]
every_kind = pytest.mark.parametrize("make", [make_bitmap_font, make_sbix_font])
needs_raqm = pytest.mark.skipif(not features.check("raqm"), reason="Pillow has no raqm here")


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
    assert typeface.digest != DEFAULT.digest
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
