"""Pictures of runs are found by what they show, and each is drawn once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undoku.render.draw.sprite_index
from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.film_parts import snapshot_part
from undoku.render.draw.sprite_index import SpriteIndex
from undoku.render.timeline.notes import FILM, Note, NoteKind


@pytest.mark.parametrize("stride", [(1 << 31) + 1, 1 << 40])
def test_very_many_pictures_are_all_found_and_fast(stride: int) -> None:
    """Where those in front crowd, the others lie apart: a search ends at the first empty row."""
    index = SpriteIndex()
    kind = index.kind("grey", lambda key: Sprite(key, np.zeros((1, 1, 3), np.uint8)))
    for _ in range(2):
        numbers = [index.number(key * stride, kind) for key in range(60_000)]
        assert numbers == list(range(60_000))
    empty = np.flatnonzero(index.arrays.table[:, 2] == 0)
    behind = empty[empty > undoku.render.draw.sprite_index.FIRST_ROWS]
    assert np.diff(behind).max() < 100


@given(st.integers(0, 1000), st.integers(1, 200), st.integers(1, 5))
def test_a_notice_changes_on_its_turns_alone(start: int, frames: int, sentences: int) -> None:
    text = "\n".join(f"{n}." for n in range(sentences))
    notice = Note(start, start + frames, FILM, NoteKind.CALLOUT, text)

    shown = ["", *map(notice.line_at, range(start, notice.end)), ""]
    turns = [n for n, (before, now) in enumerate(pairwise(shown), start) if before != now]
    assert set(turns) <= set(notice.line_starts)
    if frames >= sentences:
        assert sorted(turns) == notice.line_starts


def test_a_picture_that_is_drawn_over_is_copied_once_for_a_thread() -> None:
    """Where a layout changes, the whole picture was copied up to four times."""
    canvas = Canvas(64, 32)
    whole = Rect(0, 0, 64, 32)
    for colour in range(3):
        canvas.fill(whole, (colour, 0, 0))
        canvas.fill(Rect(8, 8, 16, 16), (0, colour, 0))
    copied = snapshot_part(canvas.frame(), np.zeros_like(canvas.pixels))
    assert sum(pixels.nbytes for _, pixels in copied.changed) == canvas.pixels.nbytes
    copied.place()
    assert np.array_equal(copied.part.pixels, canvas.pixels)
