"""Names of searches on one line or a few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, pairwise

from undoku.render.draw.lettering import Face, fitted_name, per_typeface, text_width
from undoku.render.draw.line_breaks import wrapped

__all__ = ["name_lines"]


@per_typeface(256)
def name_lines(name: str, face: Face, size: int, width: int, most: int = 2) -> tuple[str, ...]:
    """`name` on as few lines as necessary, at most `most`, none wider than `width` pixels, of
    lengths as equal as the words allow. If it does not fit, words are removed from its middle,
    because names often begin alike and differ at their end."""
    if text_width(name, face, size) <= width:
        return (name,)
    words = name.split()
    # Sums of widths first: a long name has very many ways to be shortened and divided.
    wide = [0, *accumulate(text_width(word, face, size) for word in words)]
    if wide[-1] <= most * width and (lines := _fitting(words, face, size, width, most)):
        return lines
    cut_words = [f"{word}…" for word in words]
    for first, last in _gaps(words):
        before = cut_words[first - 1]
        rest = wide[first - 1] + wide[-1] - wide[last]
        if rest + text_width(before, face, size) <= most * width:
            kept = [*words[: first - 1], before, *words[last:]]
            if lines := _fitting(kept, face, size, width, most):
                return lines
    cut = wrapped(name, face, size, width) if most > 1 else [name]
    cut[most - 1 :] = [" ".join(cut[most - 1 :])] if len(cut) >= most else []
    return tuple(fitted_name(line, face, size, width) for line in cut)


def _fitting(words: Sequence[str], face: Face, size: int, width: int, most: int) -> tuple[str, ...]:
    """The words on as few lines as necessary, at most `most`, about equally long; () if they need
    more."""
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


def _gaps(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The ways to leave out some of the words, `words[first:last]`: the fewest first, and of
    equally many those nearest to the middle of the letters first. The first and the last word
    remain."""
    letters = [0, *accumulate(map(len, words))]
    for left_out in range(1, len(words) - 1):
        gaps = [(first, first + left_out) for first in range(1, len(words) - left_out)]
        yield from sorted(
            gaps, key=lambda gap: abs(letters[gap[0]] - (letters[-1] - letters[gap[1]]))
        )


def _broken(words: Sequence[str], count: int) -> Iterator[tuple[str, ...]]:
    """All ways to divide the words into `count` lines."""
    for breaks in combinations(range(1, len(words)), count - 1):
        ends = [0, *breaks, len(words)]
        yield tuple(" ".join(words[start:end]) for start, end in pairwise(ends))
