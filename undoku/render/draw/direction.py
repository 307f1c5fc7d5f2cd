"""The visual order of the letters of a line: left to right, right to left, and mixtures.

It follows the Unicode Bidirectional Algorithm (UAX #9) without explicit embeddings, overrides and
isolates. Their characters are not drawn and count as neutral, so that they cannot make a title
appear in another order than it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from unicodedata import bidirectional

__all__ = ["Stretch", "is_right_to_left", "mirrored", "stretches"]

Stretch = tuple[int, int, bool]
"""The first character of a stretch, the one after its last, and whether it is written from right to
left."""

_MIRRORED = str.maketrans("()[]{}<>«»‹›≤≥", ")(][}{><»«›‹≥≤")
_RIGHT = ("R", "AL")


def mirrored(text: str) -> str:
    """The characters of `text` in reverse order, with brackets mirrored: the form in which a
    stretch written from right to left is drawn from left to right."""
    return text[::-1].translate(_MIRRORED)


def is_right_to_left(text: str) -> bool:
    """Whether a line is written from right to left, which its first letter determines."""
    for mark in text:
        kind = bidirectional(mark)
        if kind == "L":
            return False
        if kind in _RIGHT:
            return True
    return False


def stretches(text: str) -> list[Stretch]:
    """The stretches of a line with one direction each, in their visual order from left to right."""
    if not any(bidirectional(mark) in ("R", "AL", "AN") for mark in text):
        return [(0, len(text), False)] if text else []
    levels = _levels(text)
    found: list[tuple[int, int, int]] = []
    for at, level in enumerate(levels):
        if found and found[-1][2] == level:
            found[-1] = found[-1][0], at + 1, level
        else:
            found.append((at, at + 1, level))
    # Rule L2: sequences at or above each level are reversed, from the highest level down.
    for least in range(max(levels), 0, -1):
        start = 0
        while start < len(found):
            end = start
            while end < len(found) and found[end][2] >= least:
                end += 1
            found[start:end] = found[start:end][::-1]
            start = end + 1
    return [(start, end, bool(level & 1)) for start, end, level in found]


def _levels(text: str) -> list[int]:
    """The embedding level of each character: even for left to right, odd for right to left."""
    base = int(is_right_to_left(text))
    kinds = _weak_resolved([bidirectional(mark) or "L" for mark in text], "R" if base else "L")
    _resolve_brackets(text, kinds, "R" if base else "L")
    kinds = _neutral_resolved(kinds, "R" if base else "L")
    levels = []
    for kind in kinds:
        if base:
            levels.append(1 if kind == "R" else 2)
        else:
            levels.append({"L": 0, "R": 1}.get(kind, 2))
    # Rule L1: blanks at the end of a line have the base level.
    for at in range(len(text) - 1, -1, -1):
        if not text[at].isspace():
            break
        levels[at] = base
    return levels


def _weak_resolved(kinds: Sequence[str], base: str) -> list[str]:
    """Rules W1 to W7: numbers, their separators and terminators, and combining marks."""
    found = [*kinds]
    before, strong = base, base
    for at, kind in enumerate(found):
        if kind == "NSM":
            found[at] = before
        if found[at] == "EN" and strong == "AL":
            found[at] = "AN"
        if found[at] in ("L", "R", "AL"):
            strong = found[at]
        before = found[at]
    found = ["R" if kind == "AL" else kind for kind in found]
    for at in range(1, len(found) - 1):
        left, kind, right = found[at - 1 : at + 2]
        if left == right and (kind, left) in (("ES", "EN"), ("CS", "EN"), ("CS", "AN")):
            found[at] = left
    for start, end in _sequences(found, ("ET",)):
        beside = found[max(0, start - 1) : start] + found[end : end + 1]
        found[start:end] = ["EN" if "EN" in beside else "ON"] * (end - start)
    strong = base
    for at, kind in enumerate(found):
        if kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            found[at] = "L"
    return found


def _resolve_brackets(text: str, kinds: list[str], base: str) -> None:
    """Rule N0: both brackets of a pair get one direction, that of the text between them."""
    strong = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
    for opening, closing in _pairs(text, kinds):
        inside = {strong[kind] for kind in kinds[opening + 1 : closing] if kind in strong}
        if not inside:
            continue
        way = base
        if base not in inside:
            # The opposite direction only if the text before the pair has it, too.
            before = [strong[kind] for kind in kinds[:opening] if kind in strong]
            way = before[-1] if before else base
        kinds[opening] = kinds[closing] = way


def _pairs(text: str, kinds: Sequence[str]) -> list[tuple[int, int]]:
    """The positions of matching brackets, in the order of the opening ones."""
    found, waiting = [], []
    for at, mark in enumerate(text):
        if kinds[at] != "ON":
            continue
        if mark in "([{":
            waiting.append(at)
        elif mark in ")]}":
            for depth in range(len(waiting) - 1, -1, -1):
                if mirrored(text[waiting[depth]]) == mark:
                    found.append((waiting[depth], at))
                    del waiting[depth:]
                    break
    return sorted(found)


def _neutral_resolved(kinds: Sequence[str], base: str) -> list[str]:
    """Rules N1 and N2: blanks and punctuation get the direction of the text on both sides."""
    found = [*kinds]
    known = ("L", "R", "EN", "AN")
    neutral = tuple({*kinds} - {*known})
    for start, end in _sequences(found, neutral):
        left = found[start - 1] if start else base
        right = found[end] if end < len(found) else base
        left, right = ("L" if kind == "L" else "R" for kind in (left, right))
        found[start:end] = [left if left == right else base] * (end - start)
    return found


def _sequences(kinds: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(start, end) of each sequence of consecutive characters of these kinds."""
    start = None
    for at, kind in enumerate([*kinds, ""]):
        if kind in wanted:
            start = at if start is None else start
        elif start is not None:
            yield start, at
            start = None
