"""Texts on several lines, and names of searches on one or a few."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import product
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
    lengths as equal as the words allow. If it does not fit, its first parts, up to a comma, are
    left out, or its first words, because names often begin alike and differ at their end."""
    words, shown = name.split(), name
    while True:
        lines = wrapped(shown, face, size, width)
        fits = len(lines) <= most and all(text_width(line, face, size) <= width for line in lines)
        if fits or len(words) < 2:
            break
        del words[: 1 + next((at for at, word in enumerate(words) if word.endswith(",")), 0)]
        shown = f"…{' '.join(words)}"
    lines = balanced(shown, face, size, width)
    cut = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return tuple(fitted_name(line, face, size, width) for line in cut if line) or ("",)


class SetText(NamedTuple):
    """A text on lines, in `size` pixels per em."""

    lines: Sequence[str]
    face: Face
    size: int

    @property
    def height(self) -> int:
        """The height of all lines."""
        return len(self.lines) * line_height(self.face, self.size)


def fitting_line(
    texts: Sequence[str], face: Face, width: int, sizes: tuple[int, int]
) -> tuple[str, int]:
    """The first of `texts` that fits on a line of `width` pixels in a size from the first to the
    second of `sizes`, and the largest such size; otherwise the last text, which must be cut, and
    the smallest size."""
    least, most = sizes
    for text, size in product(texts, range(most, least - 1, -1)):
        if text_width(text, face, size) <= width:
            return text, size
    return texts[-1], least


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
