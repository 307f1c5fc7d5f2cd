"""The indivisible parts of a text."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category, combining

__all__ = ["ORDERING", "clusters", "drawn_characters"]

ORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that control the order of others; they are not drawn."""

_UNSEEN = ORDERING | frozenset("\u00ad\u034f\u200b\u200c\u200d\u2060\ufeff")
"""With further characters that need no glyph."""

_SELECTORS = ("\ufe00", "\ufe0f")
"""The first and the last of the variation selectors, which need no glyph either."""

_TAGS = ("\U000e0020", "\U000e007f")
"""Characters that name the region of a flag after a black flag; they need no glyph."""

_SKINS = ("\U0001f3fb", "\U0001f3ff")
"""Skin tones of the emoji before them."""

_REGIONAL = ("\U0001f1e6", "\U0001f1ff")
"""Letters of which two are a flag."""


def _within(mark: str, bounds: tuple[str, str]) -> bool:
    return bounds[0] <= mark <= bounds[1]


def _is_unseen(mark: str) -> bool:
    return mark in _UNSEEN or _within(mark, _SELECTORS) or _within(mark, _TAGS)


def clusters(text: str) -> Iterator[str]:
    """The indivisible parts of a text: a character with its combining marks and the characters
    joined to it, and the two letters of a flag."""
    found = ""
    for mark in text:
        joined = combining(mark) or category(mark) in ("Mn", "Mc", "Me") or _is_unseen(mark)
        flag = len(found) == 1 and _within(mark, _REGIONAL) and _within(found, _REGIONAL)
        if found and (joined or flag or _within(mark, _SKINS) or found[-1] == "\u200d"):
            found += mark
        else:
            if found:
                yield found
            found = mark
    if found:
        yield found


def drawn_characters(cluster: str) -> str:
    """The characters of a cluster for which a font must have a glyph."""
    return "".join(mark for mark in cluster if not _is_unseen(mark))
