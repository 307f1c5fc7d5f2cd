"""Damaged recipes, manifests, fonts and metadata are read or refused in one sentence, with bounded
memory and time: at most 128 MiB and three seconds of the processor for each; the slowest of 3,000
fonts took 0.9 s, most of it until the tables were first read.

`make test` reads 630 of them and a large font with damage in 52 places, the long tests 50,000
others: 20,000 recipes, 10,000 manifests, 15,000 pages with metadata, 5,000 fonts. With damaged
traces (`tests/solver/trace/test_mutations.py`: 1,000, and 100,000 in the long tests) and puzzles
(`tests/solver/problem/test_hostile_texts.py`: 2,000, and 10,000), that is 3,682 and 160,000."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
import pytest

from tests.support.damaged_texts import damaged
from tests.support.made_fonts import make_font
from tests.support.peak_memory import bounded
from tests.support.puzzles import EASY
from undoku import search
from undoku.errors import UndokuError
from undoku.render.batch.jobs import films_of
from undoku.render.draw.fonts import Face, reading, sized
from undoku.render.draw.typefaces import load_typeface
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.file_info import about_element, about_of, chapters_of
from undoku.render.write.recipe import picture_in, recipe_of, traces_and_settings

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
