"""Texts on several lines, and names of searches on one or a few."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from typing import NamedTuple
from unicodedata import east_asian_width

from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import fitted_name, line_height, per_typeface, text_width
from undoku.render.draw.unicode_text import clusters


def wrapped(text: str, face: Face, size: int, width: int) -> list[str]:
    """`text` on as many lines as it needs to be at most `width` pixels wide, broken between words,
    and between the letters of scripts that have no blanks. A wider word is a line of its own."""
    lines: list[str] = []
    for word in text.split():
        for number, piece in enumerate(_pieces(word)):
            joined = f"{lines[-1]}{'' if number else ' '}{piece}" if lines else piece
            if lines and text_width(joined, face, size) <= width:
                lines[-1] = joined
            else:
                lines.append(piece)
    return lines


_HANGING = frozenset("、。，．・：；？！）」』】〕〉》ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々")
"""Characters that may not begin a line."""


def _pieces(word: str) -> list[str]:
    """The parts of a word between which a line may be broken: before and after each wide letter."""
    if word.isascii():
        return [word]
    pieces: list[str] = []
    before_wide = True
    for cluster in clusters(word):
        wide = east_asian_width(cluster[0]) in "WF"
        if pieces and (cluster[0] in _HANGING or not (wide or before_wide)):
            pieces[-1] += cluster
        else:
            pieces.append(cluster)
        before_wide = wide
    return pieces


def balanced(text: str, face: Face, size: int, width: int) -> list[str]:
    """`text` on as few lines of at most `width` pixels as `wrapped` needs, of
    similar lengths, so that the last line is not a single word."""
    lines = found = wrapped(text, face, size, width)
    narrowest = width
    while len(lines) > 1 and narrowest > width // 3:
        narrowest -= max(1, width // 40)
        if all(text_width(each, face, size) <= narrowest for each in found):
            continue  # the same lines
        tried = wrapped(text, face, size, narrowest)
        if len(tried) > len(lines) or any(text_width(each, face, size) > width for each in tried):
            break
        found = tried
    return found


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


class SetText(NamedTuple):
    """A text on lines, in `size` pixels per em."""

    lines: Sequence[str]
    face: Face
    size: int

    @property
    def height(self) -> int:
        """The height of all lines."""
        return len(self.lines) * line_height(self.face, self.size)


def largest_text(
    text: str, face: Face, width: int, height: int, sizes: tuple[int, int], lines: int = 1
) -> SetText | None:
    """`text` in the largest size, from the first to the second of `sizes`, in which it fits into a
    box on at most `lines` lines; None if it fits in none."""

    def tried(size: int) -> SetText | None:
        found = SetText(balanced(text, face, size, width), face, size)
        wide = max((text_width(line, face, size) for line in found.lines), default=0)
        fits = len(found.lines) <= lines and found.height <= height and wide <= width
        return found if fits else None

    least, most = sizes
    count = bisect(range(least, most + 1), False, key=lambda size: tried(size) is None)
    return tried(least + count - 1) if count else None
