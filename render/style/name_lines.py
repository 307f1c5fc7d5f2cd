"""Names of searches on one line or a few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from render.style.lettering import Face, fitted_name, text_width
from render.style.line_breaks import wrapped

__all__ = ["name_lines"]


def name_lines(name: str, face: Face, size: int, width: int, most: int = 2) -> tuple[str, ...]:
    """`name` on as few lines as necessary, at most `most`, none wider than `width` pixels, of
    lengths as equal as the words allow. If it does not fit, words are removed from its middle,
    because names often begin alike and differ at their end."""
    if text_width(name, face, size) <= width:
        return (name,)
    words = name.split()
    for kept in (words, *_without_middle(words)):
        if lines := _fitting(kept, face, size, width, most):
            return lines
    cut = wrapped(name, face, size, width) if most > 1 else [name]
    cut[most - 1 :] = [" ".join(cut[most - 1 :])] if len(cut) >= most else []
    return tuple(fitted_name(line, face, size, width) for line in cut)


def _fitting(words: Sequence[str], face: Face, size: int, width: int, most: int) -> tuple[str, ...]:
    """The words on as few lines as necessary, at most `most`, about equally long; () if they need
    more."""
    # Two quick tests first: a long name has very many ways to be shortened and divided.
    if sum(text_width(word, face, size) for word in words) > most * width:
        return ()
    first = wrapped(" ".join(words), face, size, width)
    if len(first) > most or any(text_width(line, face, size) > width for line in first):
        return ()
    for count in range(max(1, len(first)), min(most, len(words)) + 1):
        fitting = [
            (max(wide), lines)
            for lines in _broken(words, count)
            if max(wide := [text_width(line, face, size) for line in lines]) <= width
        ]
        if fitting:
            return min(fitting)[1]
    return ()


def _without_middle(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The words with some in the middle replaced by an ellipsis: the fewest first, and of equally
    many those nearest to the middle first. The first and the last word remain."""

    def unevenness(kept: Sequence[str]) -> int:
        at = next(number for number, word in enumerate(kept) if word.endswith("…"))
        return abs(len("".join(kept[: at + 1])) - 1 - len("".join(kept[at + 1 :])))

    for left_out in range(1, len(words) - 1):
        kept = [
            [*words[: start - 1], f"{words[start - 1]}…", *words[start + left_out :]]
            for start in range(1, len(words) - left_out)
        ]
        yield from sorted(kept, key=unevenness)


def _broken(words: Sequence[str], count: int) -> Iterator[tuple[str, ...]]:
    """All ways to divide the words into `count` lines."""
    for breaks in combinations(range(1, len(words)), count - 1):
        ends = [0, *breaks, len(words)]
        yield tuple(" ".join(words[start:end]) for start, end in pairwise(ends))
