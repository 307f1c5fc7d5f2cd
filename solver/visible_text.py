"""Text of others, made safe to print: what a terminal would obey or hide is spelled as an escape.

Names, titles and lines of files can hold escape sequences that recolour or clear a terminal,
overrides of the writing direction that show a text in another order than it has, and line breaks
that forge a message. Print such text, and write it into reports, through `visible`.
"""

from __future__ import annotations

import json
from unicodedata import category, combining, east_asian_width

__all__ = ["columns", "visible", "visible_json"]

# Control and format characters, halves of surrogate pairs, line and paragraph separators.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}

# Format characters without which some scripts and many emoji are spelled wrongly; they join or
# part their neighbours and do nothing else.
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    """`text` with every control and format character as a backslash escape of Python: `\\x1b`,
    `\\n`, `\\u202e`. Everything else stays as it is, the backslash too, so that the names of files
    stay what they are; applying it twice changes nothing more."""
    if text.isprintable():
        return text
    return "".join(map(_visible, text))


def visible_json(text: str) -> str:
    """JSON with every control and format character of its strings as an escape of JSON: it means
    the same and can be printed. Line breaks between its parts stay."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        json.dumps(mark)[1:-1] if mark != "\n" and _visible(mark) != mark else mark for mark in text
    )


def _visible(mark: str) -> str:
    if category(mark) in _HIDDEN and mark not in _JOINERS:
        return mark.encode("unicode_escape").decode("ascii")
    return mark


def columns(text: str) -> int:
    """How many columns of a terminal visible `text` takes: two for a wide character, none for one
    that combines with the character before it."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(mark) or mark in _JOINERS else 1 + (east_asian_width(mark) in "WF")
        for mark in text
    )
