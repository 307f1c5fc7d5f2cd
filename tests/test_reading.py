"""TOML texts: what is refused, in which place, and before it takes memory."""

from __future__ import annotations

import io
import sys
import tomllib
import tracemalloc
from pathlib import Path

import pytest

from undoku.errors import ReadError, SettingsError
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
