"""Texts on several lines."""

from __future__ import annotations

from unicodedata import east_asian_width

from undoku.render.draw.clusters import clusters
from undoku.render.draw.lettering import Face, text_width

__all__ = ["balanced", "wrapped"]


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
