"""Names of searches on one line or a few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from render.style.lettering import Face, fitted_name, text_width
from render.style.line_breaks import wrapped

__all__ = ["name_lines"]


def name_lines(name: str, face: Face, size: int, width: int, most: int = 2) -> tuple[str, ...]:
    """`name` on one line, else on at most `most` of them, none wider than `width` pixels: on as few
    as it needs, which are as equal as the words allow. What does not fit is cut out of the middle
    of the last, for names begin alike and differ at their end."""
    if most < 2 or text_width(name, face, size) <= width:
        return (fitted_name(name, face, size, width),)
    words = name.split()
    for count in range(2, min(most, len(words)) + 1):
        fitting = [
            (max(wide), lines)
            for lines in _broken(words, count)
            if max(wide := [text_width(line, face, size) for line in lines]) <= width
        ]
        if fitting:
            return min(fitting)[1]
    lines = wrapped(name, face, size, width)
    lines[most - 1 :] = [" ".join(lines[most - 1 :])] if len(lines) >= most else []
    return tuple(fitted_name(line, face, size, width) for line in lines)


def _broken(words: Sequence[str], count: int) -> Iterator[tuple[str, ...]]:
    """The words on `count` lines, in every way."""
    for breaks in combinations(range(1, len(words)), count - 1):
        ends = [0, *breaks, len(words)]
        yield tuple(" ".join(words[start:end]) for start, end in pairwise(ends))
