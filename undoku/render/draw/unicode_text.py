"""Properties of texts that Unicode defines: indivisible parts, and directions."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import bidirectional, category

_ORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that control the order of others."""

_SELECTORS = frozenset("\u034f\ufe00\ufe01\ufe02\ufe03\ufe04\ufe05\ufe0e\ufe0f")
"""Combining marks without a glyph: the joiner of graphemes, and variation selectors."""

_SKINS = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
"""Skin tones of the emoji before them."""

_JOINER = "\u200d"


def without_controls(text: str) -> str:
    """A text without the characters that control the order of others, which can't make it appear in
    another order than it has."""
    return text if text.isascii() else "".join(mark for mark in text if mark not in _ORDERING)


def clusters(text: str) -> Iterator[str]:
    """The indivisible parts of a text: a character with its combining marks and the characters
    joined to it, and the two letters of a flag."""
    cluster = ""
    for mark in text:
        joined = category(mark) in ("Mn", "Mc", "Me", "Cf") or mark in _SKINS
        if cluster and (
            joined or cluster[-1] == _JOINER or (_is_regional(mark) and _is_regional(cluster))
        ):
            cluster += mark
        else:
            if cluster:
                yield cluster
            cluster = mark
    if cluster:
        yield cluster


def _is_regional(text: str) -> bool:
    """Whether this is a single one of the letters of which two are a flag."""
    return len(text) == 1 and "\U0001f1e6" <= text <= "\U0001f1ff"


def drawn_characters(text: str) -> str:
    """The characters of a text for which a font must have a glyph."""
    if text.isascii():
        return text
    return "".join(mark for mark in text if category(mark) != "Cf" and mark not in _SELECTORS)


def direction_of(text: str) -> str:
    """ "L" or "R", the direction of the first letter; "" if there is none."""
    kinds = (bidirectional(mark) for mark in text)
    return next(("L" if kind == "L" else "R" for kind in kinds if kind in ("L", "R", "AL")), "")
