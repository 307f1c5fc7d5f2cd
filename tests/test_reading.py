"""TOML texts: what is refused, in which place, and before it takes memory."""

from __future__ import annotations

import io
import random
import sys
import tomllib
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
import pytest

from tests.support.made_fonts import make_font
from tests.support.puzzles import EASY, damaged
from tests.support.system import bounded
from undoku import search
from undoku.errors import ReadError, SettingsError, UndokuError
from undoku.render.batch.jobs import films_of
from undoku.render.draw.fonts import Face, reading, sized
from undoku.render.draw.typefaces import load_typeface
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.file_info import about_element, about_of, chapters_of
from undoku.render.write.recipe import picture_in, recipe_of, traces_and_settings
from undoku.toml_reading import parse_toml, read_bytes, shown

N = 20_000


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("a." * N + "a = 1", 1),
        ("[" + "a." * N + "a]", 2),
        ("[[" + "a." * N + "a]]", 3),
        ('"a".' * N + "a = 1", 1),
        ("'a'.\t" * N + "a = 1", 1),
        ("a . " * N + "a = 1", 1),
        ('x = "#\\"" # "\n' + "a." * N + "a = 1", 1),
        ("x = '''\n[\n''''' # {\n" + "a." * N + "a = 1", 1),
        ("x = {" + "a." * N + "a = 1}", 6),
        ("x = " + "[" * N + "]" * N, 13),
        ("x = " + "{a=" * N, 29),
    ],
)
def test_deep_keys_and_lists_are_refused_before_they_take_memory(text: str, column: int) -> None:
    """Forty kilobytes of a dotted key cost tomllib over a gigabyte."""
    tracemalloc.start()
    try:
        with pytest.raises(SettingsError, match="nested more than 8 deep; shorten") as caught:
            parse_toml(text.encode(), "x.toml")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.place is not None
    assert caught.value.place.column == column
    assert most < 2 << 20
    assert all(len(line) < 200 for line in caught.value.place.excerpt().splitlines())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[[a]]\n" * 60_000, 50_001),
        ("".join(f"k{number}.a.b = 1\n" for number in range(60_000)), 50_001),
        ("a = [" + "[]," * 120_000 + "]", 1),
    ],
)
def test_a_text_of_too_many_tables_is_refused(text: str, line: int) -> None:
    with pytest.raises(SettingsError, match="more than 100,000 tables, lists and dots") as caught:
        parse_toml(text.encode(), "x.toml")
    assert caught.value.place is not None
    assert caught.value.place.line == line


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 8) + " = 1",
        'x = "' + "1." * 1000 + '"',
        "x = '''\n" + "a." * 1000 + "a'''''",
        'x = """\n' + '""' + "a.'" * 1000 + '\\""""""',
        "# " + "a." * 1000,
        "x = [1.5, -2.5e3, 1979-05-27T00:32:00.999, true]",
        "x = '" + "[" * 1000 + "'",
        "[a.b]\n[[a.c]]\nd = {e = [[{f = []}]]}",
    ],
)
def test_dots_and_brackets_inside_texts_and_comments_are_not_depth(text: str) -> None:
    assert parse_toml(text.encode(), "x.toml").content == tomllib.loads(text)


@pytest.mark.parametrize(
    ("raw", "line", "column", "message"),
    [
        (b"a = \xff", 0, 0, "byte 0xff at offset 4 is not UTF-8"),
        (b"[[jobs]\n", 1, 7, "it is not valid TOML: expected ']]'"),
        (b"a = [1,\n", 1, 7, "it is not valid TOML"),
        (b'a = """' + b'\\"' * N, 1, 2 * N + 7, "it is not valid TOML"),
        (b"a = 2023-02-30", 1, 5, "it is not valid TOML"),
        (b"a = " + b"9" * 5000, 0, 0, "a whole number in it has thousands of digits"),
    ],
)
def test_invalid_toml_is_reported_with_its_place(
    raw: bytes, line: int, column: int, message: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_toml(raw, "x.toml")
    place = caught.value.place
    assert place is not None
    assert (place.source, place.line, place.column) == ("x.toml", line, column)
    assert caught.value.message.startswith(message)
    assert all(len(line) < 200 for line in place.excerpt().splitlines())


JOBS = """\
# jobs and name
[collections.name]
file = "name"
[[jobs]]
name = "name"  # name
matrix = { sizes = ["1x1"] }
[[jobs]]
puzzles = [
  "name",
]
"name" = 3
10 = 10
"""


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("jobs",), 4, 3),
        (("jobs", 1), 7, 3),
        (("collections", "name"), 2, 14),
        (("jobs", 0, "name"), 5, 1),
        (("jobs", 0, "matrix", "sizes", 0), 6, 12),
        (("jobs", 1, "puzzles", 0), 8, 1),
        (("jobs", 1, "name"), 11, 2),
        (("jobs", 0, "none", "name"), 4, 3),  # what is missing is missing there
        (("jobs", 1, "10"), 0, 0),  # a key that can't be told from a number
        ((), 0, 0),
    ],
)
def test_a_key_is_reported_with_its_line(
    path: tuple[str | int, ...], line: int, column: int
) -> None:
    place = parse_toml(JOBS.encode(), "x.toml").place(*path)
    assert (place.line, place.column) == (line, column)
    assert place.text == (JOBS.splitlines()[line - 1] if line else "")


def test_the_line_of_a_key_is_looked_for_only_in_short_texts() -> None:
    """Each look parses the text about ten times."""
    for count, line in ((1000, 1000), (40_000, 0)):
        assert parse_toml(b"[[a]]\n" * count, "x.toml").place("a", count - 1).line == line


def test_a_file_is_read_up_to_its_limit_and_no_further(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"#" * 1024)
    assert read_bytes(path, 1024, "a table") == (b"#" * 1024, str(path))
    with pytest.raises(SettingsError, match="it is longer than 0 KiB, too long for a table"):
        read_bytes(path, 1023, "a table")
    with pytest.raises(SettingsError, match="it is longer than 64 KiB"):
        path.write_bytes(b"#" * (65 << 10))
        read_bytes(path, 64 << 10, "a table")
    for name, message in (
        ("y", "there is no file"),
        ("", "can't be read"),
        ("\0", "can't be read"),
    ):
        with pytest.raises(ReadError, match=message):
            read_bytes(tmp_path / name, 1024, "a table")


def test_standard_input_is_read_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    class Standard:
        buffer = io.BytesIO(b"a = 1" * 100)

    monkeypatch.setattr(sys, "stdin", Standard)
    with pytest.raises(SettingsError, match=r"^standard input: it is longer"):
        read_bytes(Path("-"), 10, "a table")
    assert Standard.buffer.tell() == 11


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\x1b[2J", r"'a\x1b[2J'"),
        ("x" * 10**6, "'" + "x" * 99 + "…"),
        (0xFF, "255"),
        (-(16**1000), "a whole number beyond 64 bits"),
        (True, "true"),
        (1.5, "1.5"),
        ({"a": 1}, "a table"),
        ([1, "b", [2], 3], "[1, 'b', [2], …]"),
        ([["x" * 90] * 4] * 4, "[['" + "x" * 90 + "', 'xxx…"),
    ],
)
def test_values_are_repeated_in_short(value: object, text: str) -> None:
    assert shown(value) == text


# Damaged recipes, manifests, fonts and metadata are read or refused in one sentence, with bounded
# memory and time: at most 128 MiB and three seconds of the processor for each; the slowest of
# 3,000 fonts took 0.9 s, most of it until the tables were first read. `make test` reads 630 of
# them and a large font with damage in 52 places, the long tests 50,000 others: 20,000 recipes,
# 10,000 manifests, 15,000 pages with metadata, 5,000 fonts. With damaged traces
# (`tests/solver/trace/test_jsonl.py`: 1,000, and 100,000 in the long tests) and puzzles
# (`tests/solver/problem/test_puzzle_text.py`: 2,000, and 10,000), that is 3,682 and 160,000.


NUMBERS = [
    "1e999999999", "-1", "1/0", "Infinity", "NaN", "9" * 5000, "1" + "0" * 400, "0.1e-400", "null",
    "true", "[]", "{}", '"1e99"', '"1/0"', "[[[[[[[[[", "-9223372036854775809",
    '"\\ud800"', '"\\u0000"',
]  # fmt: skip
TOML = [
    "inf", "nan", "1e400", "0x" + "f" * 300, "9" * 5000, "[[jobs]]\n",
    '"/dev/zero"', '"../x"', '"\\u0000"',
    "[matrix]\n", "{a = 1}",
    "[[[[[[[[[[", "a.b.c.d = 1\n", '"{puzzle.x}"', "1979-05-27", "'''", "-0",
]  # fmt: skip
BYTES = [
    b"\x00",
    b"\xff\xff\xff\xff",
    b"\x7f\xff",
    b"\x00\x00\x00\x01",
    b"<",
    b"&#0;",
    b"\xed\xa0\x80",
    b"]]>",
]

RECIPE = recipe_of(
    [search(EASY.grid, "mrv"), search(EASY.grid, "row-major/lcv+singles")],
    settings_of(
        {
            "fps": "30000/1001", "margins": "4,10,11,25", "labels": ["a", "b"], "title": "x",
            "cues": [{"step": 3, "at": "2s", "say": "now"}, {"step": 9, "pause": 1.5}],
        }
    ),
    {"step": 5},
)  # fmt: skip
MANIFEST = f"""
[defaults]
size = "320x180"
fps = 25
[collections.easy]
file = "easy.sdm"
range = "1-2"
[[jobs]]
puzzles = ["@easy", "{EASY.grid}"]
strategies = ["row-major", "mrv+singles"]
formats = ["gif", "png"]
name = "{{puzzle}}_{{strategies}}_{{theme}}"
duration = "3s"
matrix = {{ themes = ["dark", "light"] }}
"""


def read_recipe(content: bytes, path: Path) -> None:
    text = content.decode("utf-8", "replace")
    traces, settings = traces_and_settings(text, "film")
    picture_in(text)
    assert Film(traces, settings).settings == settings


def read_page(content: bytes, path: Path) -> None:
    path = path.with_suffix(".html")
    path.write_bytes(content)
    about_of(path)
    assert not chapters_of(path)


def read_manifest(content: bytes, path: Path) -> None:
    path = path.with_suffix(".toml")
    path.write_bytes(content)
    films_of(path)


def read_font(content: bytes, path: Path) -> None:
    path = path.with_suffix(".ttf")
    path.write_bytes(content)
    font = load_typeface(str(path)).font(Face.REGULAR)
    with reading(font):
        sized(font, 20, shaped=False).getlength("123 Aé")


def font_bytes() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "boxes.ttf")
        make_font(path, "123 Aéabc")
        return path.read_bytes()


KINDS: dict[str, tuple[Callable[[bytes, Path], None], bytes, list[bytes], int, int]] = {
    "recipe": (read_recipe, RECIPE.encode(), [one.encode() for one in NUMBERS], 200, 20_000),
    "manifest": (read_manifest, MANIFEST.encode(), [one.encode() for one in TOML], 150, 10_000),
    "metadata": (
        read_page,
        ("<!doctype html>" + about_element([("recipe", RECIPE), ("title", "a")])).encode(),
        BYTES,
        250,
        15_000,
    ),
    "font": (read_font, font_bytes(), BYTES, 30, 5_000),
}
"""Per kind: its reader, a valid content, what comes into it, and the numbers of damaged ones."""


def outcome(
    read: Callable[[bytes, Path], None], content: bytes, path: Path, *, measured: bool
) -> str:
    """Whether a damaged content is read or refused; both in one sentence, and within bounds."""
    try:
        with bounded(measured=measured):
            read(content, path)
    except UndokuError as error:
        assert "\n" not in str(error) and len(str(error)) < 2500, error
        return "refused"
    return "read"


def read_all(kind: str, rounds: int, folder: Path, measured: int = 1) -> Counter[str]:
    """Read damaged contents; how many were read and refused. The memory of one in `measured` is
    measured, which takes three times as long as reading it."""
    read, whole, spice, *_ = KINDS[kind]
    chance = random.Random(kind)
    seen: Counter[str] = Counter()
    for number in range(rounds):
        if kind == "font":  # most of what a reader can trust is in the first tables
            start = chance.choice((300, 1000, len(whole)))
            content = damaged(whole[:start], whole[:start], spice, chance) + whole[start:]
        else:
            content = damaged(whole, whole, spice, chance)
        seen[outcome(read, content, folder / f"{number}", measured=number % measured == 0)] += 1
        for path in folder.glob(f"{number}.*"):
            path.unlink()
    return seen


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_read_or_refused_in_one_sentence(kind: str, tmp_path: Path) -> None:
    (tmp_path / "easy.sdm").write_text(f"{EASY.grid}\n{EASY.grid}\n")
    seen = read_all(kind, KINDS[kind][3], tmp_path, measured=10)
    assert seen["read"]
    assert seen.total() == KINDS[kind][3]


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_fifty_thousand_damaged_files_are_read_or_refused(kind: str, tmp_path: Path) -> None:
    (tmp_path / "easy.sdm").write_text(f"{EASY.grid}\n{EASY.grid}\n")
    assert read_all(kind, KINDS[kind][4], tmp_path).total() == KINDS[kind][4]


def test_a_large_font_with_damage_anywhere_is_read_or_refused_in_one_sentence(
    tmp_path: Path,
) -> None:
    """DejaVu Sans of 740 kB with a wrong entry for each table, with damage at the beginning of each
    table and every 128 kB, and cut off."""
    whole = (Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf").read_bytes()
    entries = [12 + 16 * table for table in range(int.from_bytes(whole[4:6], "big"))]
    starts = [int.from_bytes(whole[entry + 8 : entry + 12], "big") for entry in entries]
    damages = [(entry + 12, b"\x7f" * 3) for entry in entries]
    damages += [(at, b"\x7f" * 4) for at in starts]
    damages += [(at, b"\xff" * 2000) for at in range(97, len(whole), 1 << 17)]
    damaged_ones = [whole[:at] + wrong + whole[at + len(wrong) :] for at, wrong in damages]
    damaged_ones += [whole[:at] for at in range(1 << 16, len(whole), 1 << 17)]
    seen = Counter(
        outcome(read_font, content, tmp_path / f"{number}", measured=number % 10 == 0)
        for number, content in enumerate(damaged_ones)
    )
    assert min(seen["read"], seen["refused"]) > 10, seen
