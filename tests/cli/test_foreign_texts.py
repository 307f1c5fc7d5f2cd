"""Texts of others (titles, names, comments) can't steer a terminal, a player or a page."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.command import Undoku
from tests.support.films import make_film
from tests.support.made_fonts import make_font
from tests.support.puzzles import EASY
from undoku import search
from undoku.cli.printing import print_json, table
from undoku.render.delivery.captions import captions_sidecar
from undoku.render.delivery.marks import highlights_text
from undoku.render.timeline.timeline import Pace

EVIL = "a\x1b[2J\x9b31m\u202eb\n\n2\n00:00:00,000 --> 01:00:00,000\u2028\x7f"
SHOWN = r"a\x1b[2J\x9b31m\u202eb\n\n2\n00:00:00,000 --> 01:00:00,000\u2028\x7f"


def harmless(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def test_tables_show_names_as_text_and_stay_aligned() -> None:
    tally = search(EASY.grid, "mrv").tally()
    head, first, second, wide = table([(EVIL, tally), ("mrv", tally), ("数独", tally)]).splitlines()
    assert first.startswith(SHOWN)
    assert head.index("outcome") == first.index("solved") == second.index("solved")
    assert wide.index("solved") == head.index("outcome") - 2  # two wide characters
    head, widest, first = table([("数独" * 9, tally), ("mrv", tally)]).splitlines()
    assert widest.index("solved") + 18 == first.index("solved") == head.index("outcome")


def test_json_keeps_every_text_in_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    content = {"name": EVIL, "数独": ["é", "\udcff", "\U000e0001", "a\u200db"]}
    print_json(content)
    printed = capsys.readouterr().out
    assert json.loads(printed) == content
    assert "数独" in printed and "é" in printed
    assert harmless(printed.replace("\u200d", ""))


@pytest.mark.parametrize("name", ["a.gif", "a.png", "a.svg", "a.mp4", "a.webm"])
def test_info_shows_the_texts_of_a_file_as_text(undoku: Undoku, tmp_path: Path, name: str) -> None:
    undoku("render", EASY.grid, "-s", "mrv", "-o", name, "--size", "320x180", "--duration",
                  "1s", "--title", EVIL, cwd=tmp_path, code=0)  # fmt: skip
    done = undoku("info", name, cwd=tmp_path)
    assert harmless(done.stdout), ascii(done.stdout)
    assert r"\u202eb" in done.stdout
    assert harmless(undoku("info", name, "--json", cwd=tmp_path).stdout)


def test_captions_and_lists_of_highlights_hold_texts_that_players_cannot_misread() -> None:
    """A title with line breaks would end its caption and begin another."""
    pace = Pace(duration=Fraction(9))
    whole, evil = (
        make_film("row-major", "mrv", pace=pace, highlights=True, title=title)
        for title in ("x", EVIL)
    )
    evil.names = (EVIL, "mrv")
    for suffix in (".srt", ".vtt"):
        text, plain = (captions_sidecar(Path(f"film{suffix}")).of(one) for one in (evil, whole))
        assert harmless(text), ascii(text)
        assert text.count("\n\n") == plain.count("\n\n")
    listed = highlights_text(evil)
    assert harmless(listed)
    assert json.loads(listed)["title"] == evil.title


def test_characters_that_no_font_has_are_named_in_one_warning(
    undoku: Undoku, tmp_path: Path
) -> None:
    """On stderr, once for a run, however many files it writes; and not when quiet."""
    words = ["render", EASY.grid, "-s", "mrv", "--at-step", "3", "--size", "320x180", "--title",
             "mrv \U0010fffd\U0010fffc \U0010fffd"]  # fmt: skip
    done = undoku(*words, "-o", "a.png", "-o", "a.svg", cwd=tmp_path, code=0)
    (line,) = [line for line in done.stderr.splitlines() if "warning" in line]
    assert line.count("U+10FFFD") == line.count("U+10FFFC") == 1
    assert "--font" in line
    assert not undoku(*words, "-o", "b.png", "--quiet", cwd=tmp_path).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("chart", "-s", "mrv", "--label", "a \U0010fffd", "-o", "a.png"),
        ("solve", "-s", "mrv", "--label", "a \U0010fffd"),
        ("stats", "-s", "mrv", "--label", "a \U0010fffd"),
        ("trace", "-o", "a.jsonl"),
        ("generate", "--count", "1"),
    ],
)
def test_every_command_that_searches_can_be_quiet(
    undoku: Undoku, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """It then prints only results and errors; missing letters are a warning."""
    grid = () if "generate" in words else (EASY.grid,)
    done = undoku(*words, *grid, "-q", cwd=tmp_path, code=0)
    assert done.stdout and not done.stderr
    if "chart" in words:
        assert "U+10FFFD" in undoku(*words, *grid, "-y", cwd=tmp_path).stderr


def pixels(path: Path) -> Any:
    return np.asarray(Image.open(path).convert("RGB"))


def test_a_film_can_use_the_users_own_font(undoku: Undoku, tmp_path: Path) -> None:
    """Its letters are drawn from that file, also when the film is made again."""
    make_font(tmp_path / "Boxes.ttf", "ZQX", advance=2000)
    words = ["render", EASY.grid, "-s", "mrv", "--at-step", "3", "--size", "640x360"]
    given = ["--title", "ZQX ✓", "--font", "Boxes.ttf"]
    assert not undoku(*words, *given, "-o", "own.png", cwd=tmp_path).stderr.count("warning")
    undoku(*words, "--title", "ZQX ✓", "-o", "usual.png", cwd=tmp_path)
    own, usual = (pixels(tmp_path / name) for name in ("own.png", "usual.png"))
    top = slice(0, 36)
    assert (own[top] > 128).sum() > 2 * (usual[top] > 128).sum()
    undoku("render", "--again", "own.png", *given[2:], "-o", "again.png", cwd=tmp_path, code=0)
    assert np.array_equal(pixels(tmp_path / "again.png"), own)


def test_a_font_that_is_a_folder_is_refused(undoku: Undoku, tmp_path: Path) -> None:
    (tmp_path / "folder.ttf").mkdir()
    words = ["render", EASY.grid, "-s", "mrv", "--at-step", "3", "-o", "a.png"]
    done = undoku(*words, "--font", "folder.ttf", cwd=tmp_path, code=3)
    assert "'folder.ttf' can't be read: Is a directory" in done.stderr
