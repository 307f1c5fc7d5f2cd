"""Hostile manifests: each gets a sentence, and nothing is written outside the folder; names of
films."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.command import Undoku
from tests.support.manifests import QUICK, tree, write
from tests.support.puzzles import EASY
from undoku.errors import SettingsError
from undoku.render.batch.film_names import check_name, filled, slug

NAMES = [
    "../x", "../../x", "a/../../x", "a/..", "..", ".", "", "/x", "/etc/x", "//x", "/dev/null",
    "/dev/sda", "/proc/self/mem", "a//b", "a/", "a/./b", "..\\x", "C:\\x", "C:x", "\\\\host\\x",
    "-y", "--help", "-i/dev/zero", "a/-b", "%d", "z%03d", "x%n", "pipe:1", "pipe:", "file:x",
    "tcp://host:1", "a:b", "concat:a|b", "con", "CON", "nul", "a/aux", "com1", "lpt9.txt", "x\0y",
    "x\ny", "x\ty", "\x1b[2J", "\u202egpj", ".hidden", "a/.b", ".undoku/lock", ".undoku/work/x",
    "report", "report/x", "Report/stills/x", "x.", "x ", " x", "x*", "x?", '"x"', "<x>", "x|y",
    "a/b/c/d/e/f/g/h/i/j", "x" * 400, "é" * 100, "{", "}", "{}", "{0}", "{puzzle", "{puzzle.x}",
    "{__class__}", "{puzzle!r}", "{puzzle:099}", "{theme:02}", "{x}{y}",
]  # fmt: skip

SETTINGS: list[tuple[str, object]] = [
    ("size", "100000x100000"), ("size", "99998x99998"), ("size", "0x0"), ("size", "1x1"),
    ("size", "-16x9"), ("size", "1280"), ("size", "321x181"), ("size", "9999999999x2"),
    ("fps", 0), ("fps", -1), ("fps", 10**9), ("fps", "1/0"), ("fps", "0/0"), ("fps", "x"),
    ("fps", 10**400), ("duration", "-5s"), ("duration", 0), ("duration", "99999h"),
    ("duration", "0s"), ("steps_per_frame", 0), ("steps_per_frame", "1/0"), ("intro", "1d"),
    ("intro", -1), ("card", 10**30), ("loop", 10**9), ("max_nodes", 0), ("clock", "--now"),
    ("theme", "/dev/zero"), ("theme", "../../etc/passwd"), ("theme", ""),
    ("theme", "\0.toml"), ("theme", "x" * 300 + ".toml"), ("quality", "crf=0:x"),
    ("quality", "-vf"), ("formats", ["../mp4"]), ("formats", ["mp4/.."]), ("formats", ["sh"]),
    ("formats", [""]), ("formats", ["%06d.png"]), ("formats", "pipe:"), ("formats", []),
    ("strategies", []), ("strategies", ["mrv"] * 50), ("strategies", "mrv; rm -rf /"),
    ("puzzles", "/dev/zero"), ("puzzles", "-"), ("puzzles", "@x"), ("puzzles", "/"),
    ("puzzles", "/proc/self/environ"), ("puzzles", "films.toml"), ("puzzles", []),
    ("puzzles", "1" * 81), ("name", 3), ("name", ["a"]), ("output", "/tmp"), ("folder", "/tmp"),
    ("matrix", {"themes": ["dark"] * 2}), ("matrix", {"sizes": ["1x1"]}), ("matrix", []),
]  # fmt: skip

TEXTS = [
    "fps = nan", "fps = inf", "fps = -inf", "duration = nan", "steps_per_second = nan",
    "intro = 1e400", "from_step = -1", "to_step = 1.5", "loop = true",
    "x = " + "[" * 3000 + "]" * 3000, "a.b.c.d = 1", 'name = """\n../x"""',
    "fps = 0x" + "f" * 4000,
]  # fmt: skip


def cases() -> Iterator[str]:
    for name in NAMES:
        yield f"name = {json.dumps(name)}"
    for key, value in SETTINGS:
        yield f"{key} = {_toml(value)}"
    yield from TEXTS


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + "}"
    return json.dumps(value)


@pytest.mark.parametrize("line", list(cases()), ids=lambda line: ascii(line[:40]))
def test_a_hostile_manifest_gets_a_sentence_and_writes_nothing(
    undoku: Undoku, tmp_path: Path, line: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    puzzles = "" if line.startswith("puzzles") else f'puzzles = "{EASY.grid}"\n'
    write(home, f"{QUICK}[[jobs]]\n{puzzles}{line}\n")
    before = tree(tmp_path)
    done = undoku("batch", "films.toml", "-o", "out", "-j0", cwd=home)
    assert done.returncode in (2, 3), done.stdout
    first = done.stderr.splitlines()[0]
    assert first.startswith("undoku: ")
    assert len(first) > 30
    assert "Traceback" not in done.stderr
    assert tree(tmp_path) == before


@given(st.text(max_size=40))
def test_a_name_that_is_taken_stays_inside_its_folder(name: str) -> None:
    try:
        check_name(name)
    except SettingsError:
        return
    inside = Path("/films")
    path = inside / name
    assert path.is_relative_to(inside)
    assert ".." not in path.parts
    assert not any(part.startswith(("-", ".")) for part in name.split("/"))


@given(st.text(max_size=40))
def test_a_slug_is_always_a_part_of_a_good_name(text: str) -> None:
    assert "/" not in slug(text)
    check_name("x" + slug(text)[:40].rstrip(".-"))


def test_a_field_is_filled_and_padded() -> None:
    assert filled("{a}-{n:03}", {"a": "x", "n": "7"}) == "x-007"
