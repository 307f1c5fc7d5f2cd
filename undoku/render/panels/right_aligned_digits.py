"""A number whose last digit has a fixed position: compiled loops over arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.render.draw.run_draft import DraftArrays, put_sprite
from undoku.render.draw.sprite_index import sprite_number
from undoku.render.panels.counter_digits import spell_groups

__all__ = ["DigitArrays", "put_digits", "put_number"]


class DigitArrays(NamedTuple):
    """The last drawn characters of a number; each is a mark, an index into
    `counter_digits.MARKS`.

    widths  (marks,) int64      the width of each mark
    place   (2,) int64          the right and the upper edge of the number
    shown   (slots, 2) int64    each mark and its left edge, the last one of the number first
    length  (1,) int64          the number of characters
    marks   (slots,) uint8      working memory: the marks to be drawn, in reading order
    kind    the kind of the characters in the index of sprites, by mark
    """

    widths: NDArray[np.int64]
    place: NDArray[np.int64]
    shown: NDArray[np.int64]
    length: NDArray[np.int64]
    marks: NDArray[np.uint8]
    kind: int


@lean
def put_digits(frame: int, length: int, digits: DigitArrays, draft: DraftArrays) -> None:
    """Draw those of the first `length` of digits.marks that differ from the shown ones."""
    shown, left = digits.shown, int(digits.place[0])
    for slot in range(length):
        mark = int(np.int64(digits.marks[length - 1 - slot]))
        left -= int(digits.widths[mark])
        if slot >= digits.length[0] or shown[slot, 0] != mark or shown[slot, 1] != left:
            shown[slot, 0] = mark
            shown[slot, 1] = left
            sprite = sprite_number(mark, digits.kind, draft.sprites)
            put_sprite(frame, sprite, left, int(digits.place[1]), draft)
    digits.length[0] = length


@lean
def put_number(
    before: int, numbers: NDArray[np.int64], digits: DigitArrays, draft: DraftArrays
) -> None:
    """Draw the characters that change on each frame of a run: the number is `before` now and
    numbers[n] after frame n, with separators between groups of three digits."""
    shown = before
    for frame in range(len(numbers)):
        number = int(numbers[frame])
        if number != shown:
            shown = number
            put_digits(frame, spell_groups(number, digits.marks), digits, draft)
