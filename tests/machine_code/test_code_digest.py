"""Digests of the code in source files: what changes them and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from undoku.machine_code.code_digest import code_digest
from undoku.machine_code.source_digest import source_digest

SOURCE = '''"""What the module is for."""

LIMIT = 5  # at most
"""A limit."""


def bounded(number: int, texts: tuple[str, ...] = ("a", "b")) -> int:
    """The smaller of the two."""
    # A comment of its own.
    return min(number, LIMIT)
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# at most", "# no more than this"),
        ("    # A comment of its own.\n", ""),
        ('"""What the module is for."""', '"""What it does."""'),
        ('"""A limit."""\n', ""),
        ('    """The smaller of the two."""\n', '    "Two lines,\\none string."\n'),
        ("\n\n\ndef", "\ndef"),
        ("(number, LIMIT)", "(\n        number,\n        LIMIT,\n    )"),
        ('"a"', "'a'"),
        ("LIMIT = 5", "LIMIT = 0x5"),
    ],
)
def test_what_has_no_effect_keeps_the_digest(old: str, new: str) -> None:
    assert old in SOURCE
    assert code_digest(SOURCE.replace(old, new).encode()) == code_digest(SOURCE.encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 5", "LIMIT = 6"),
        ("LIMIT = 5", "LIMIT = 5.0"),
        ("LIMIT = 5", "LIMIT = True"),
        ("LIMIT = 5", "LIMIT: int = 5"),
        ("min", "max"),
        ("number, LIMIT", "LIMIT, number"),
        ('"b"', '"# b"'),
        ('("a", "b")', '("a" "b",)'),
        ("    return", "    if number:\n        return"),
        ("number: int", "number: float"),
    ],
)
def test_a_change_of_the_code_changes_the_digest(old: str, new: str) -> None:
    assert old in SOURCE
    assert code_digest(SOURCE.replace(old, new).encode()) != code_digest(SOURCE.encode())


def test_a_string_within_an_expression_is_code() -> None:
    """Even alone on its line."""
    one, other = (code_digest(f'TEXTS = [\n"a",\n"""{text}"""\n]'.encode()) for text in "bc")
    assert one != other


def test_the_digest_is_the_same_in_all_versions_of_python() -> None:
    """Digests that Python 3.11.7, 3.12.1 and 3.13.0 have found; 3.12 has further parts in the
    syntax trees of functions and of formatted strings, 3.13 leaves empty ones out."""
    assert code_digest(SOURCE.encode()) == "2a7d8aae1c727146f8601c7ef7a711d9"
    formatted = b'def f(a, b):\n    return f"{a:{b}} {a!r:>{b}x}{\'\'}" ""\n'
    assert code_digest(formatted) == "0cd4a6a8913ce02aa7fa34768c70f6c9"


def test_a_file_that_cannot_be_parsed_has_the_digest_of_its_bytes() -> None:
    digests = {code_digest(content) for content in (b"def (", b"def ( # no", b"\0", b"x = '\xff'")}
    assert len(digests) == 4


def test_a_digest_covers_the_code_of_imported_files_and_not_their_comments(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.py", tmp_path / "outer.py"
    inner.write_text("FACTOR = 2\n")
    outer.write_text("from inner import FACTOR\n")
    before = source_digest(str(outer))
    inner.write_text("# It doubles.\nFACTOR = 2\n")
    assert source_digest(str(outer)) == before
    inner.write_text("# It doubles.\nFACTOR = 30\n")
    assert source_digest(str(outer)) != before
