"""Makes foreign text safe to print: control characters and invisible characters become escapes.

Names, titles and lines of files can hold escape sequences that recolour or clear a terminal,
overrides of the writing direction that show a text in another order than it has, and line breaks
that forge a message. Pass such text through `visible` before printing it or writing it to reports.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from unicodedata import category, combining, east_asian_width

# Control and format characters, halves of surrogate pairs, line and paragraph separators.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}

# Format characters that some scripts and many emoji require; they only join or separate their
# neighbours.
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    """`text` with every control and format character as a backslash escape of Python: `\\x1b`,
    `\\n`, `\\u202e`. Everything else is unchanged, including backslashes, so that file names remain
    correct; applying it twice has no further effect."""
    if text.isprintable():
        return text
    return "".join(map(_visible, text))


def visible_json(text: str) -> str:
    """JSON with every control and format character of its strings as a JSON escape: the meaning is
    the same, and it can be printed. Line breaks between its parts remain."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        json.dumps(mark)[1:-1] if mark != "\n" and _visible(mark) != mark else mark for mark in text
    )


def _visible(mark: str) -> str:
    if category(mark) in _HIDDEN and mark not in _JOINERS:
        return mark.encode("unicode_escape").decode("ascii")
    return mark


def is_blank(text: str) -> bool:
    """Whether nothing of `text` can be seen: it is empty, or has only spaces, control characters
    and format characters."""
    return all(mark.isspace() or category(mark) in _HIDDEN for mark in text)


def columns(text: str) -> int:
    """The number of terminal columns of visible `text`: two for a wide character, none for a
    combining one."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(mark) or mark in _JOINERS else 1 + (east_asian_width(mark) in "WF")
        for mark in text
    )


def html_table(rows: Sequence[Sequence[object]]) -> str:
    """Rows below a row of headings, as HTML."""
    lines = [
        "".join(f"<{tag}>{escape(str(text))}</{tag}>" for text in row)
        for tag, row in zip(["th", *["td"] * len(rows)], rows, strict=False)
    ]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
