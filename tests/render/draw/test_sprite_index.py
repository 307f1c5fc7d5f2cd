"""Pictures of runs are found by what they show, and each is drawn once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undoku.render.draw.sprite_index
import undoku.render.draw.sprite_run
from undoku.render.draw.canvas import Canvas, Change, Rect, Sprite, covering
from undoku.render.draw.film_parts import snapshot_part
from undoku.render.draw.sprite_index import SpriteIndex
from undoku.render.draw.sprite_run import Sheet
from undoku.render.timeline.notes import FILM, Note, NoteKind

# Looks differ in few bits, often in high ones alone.
keys = st.integers(0, 2**63 - 1) | st.integers(0, 300).map(lambda key: key << 40)


@given(st.lists(st.tuples(keys, st.integers(0, 5)), max_size=60), st.integers(0, 60))
def test_a_picture_has_one_number_and_is_drawn_once(
    asked: list[tuple[int, int]], drawn_after: int
) -> None:
    """Numbers are assigned in the order of the first requests, which is also their order on the
    sheet."""
    index = SpriteIndex()
    drawn: list[tuple[int, int]] = []

    def drawer(kind: int) -> Callable[[int], Sprite]:
        def draw(key: int) -> Sprite:
            drawn.append((key, kind))
            return Sprite(key, np.full((2, 1 + kind, 3), key % 251, np.uint8))

        return draw

    for kind in range(6):
        assert index.kind(("kind", kind), drawer(kind)) == kind
        assert index.kind(("kind", kind), drawer(kind)) == kind
    first_asked = list(dict.fromkeys(asked))
    for count, (key, kind) in enumerate(asked):
        if count == drawn_after:
            index.draw()
        assert index.number(key, kind) == first_asked.index((key, kind))
    index.draw()
    assert drawn == first_asked
    assert index.sheet.kept == index.sheet.count == len(first_asked)
    for number, (key, kind) in enumerate(first_asked):
        offset, width, height = index.sheet.shapes[number].tolist()
        assert (width, height) == (1 + kind, 2)
        assert (index.sheet.pixels[offset : offset + 6 * width] == key % 251).all()


@pytest.mark.parametrize("stride", [1, 1 << 31, (1 << 31) + 1, 0x9E3779B1, 1 << 40])
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


def test_a_large_index_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undoku.render.draw.sprite_run, "MAX_SHEET_BYTES", 1000)
    index = SpriteIndex()
    kind = index.kind("grey", lambda key: Sprite(key, np.full((10, 10, 3), key, np.uint8)))
    index.begin()
    assert [index.number(key, kind) for key in (7, 8, 9)] == [0, 1, 2]
    index.draw()
    assert index.sheet.bytes == 900
    index.begin()
    assert index.number(9, kind) == 2
    assert index.number(10, kind) == 3
    index.draw()
    edition = index.sheet.edition
    index.begin()
    assert index.sheet.edition != edition
    assert index.sheet.count == 0
    assert index.number(9, kind) == 0


@given(st.lists(st.tuples(st.integers(1, 90), st.integers(1, 90)), min_size=1, max_size=300))
def test_many_pictures_are_added_like_each_of_them(sizes: list[tuple[int, int]]) -> None:
    pictures = [np.full((high, wide, 3), high, np.uint8) for wide, high in sizes]
    one, many = Sheet(), Sheet()
    assert [one.add([picture]) for picture in pictures] == list(range(len(pictures)))
    assert many.add(pictures) == 0
    assert many.shapes.tolist() == one.shapes.tolist()
    assert (many.pixels[: many.bytes] == one.pixels[: one.bytes]).all()
    assert many.bytes == sum(3 * width * height for width, height in sizes)


@given(st.integers(0, 1000), st.integers(1, 200), st.integers(1, 5))
def test_a_notice_changes_on_its_turns_alone(start: int, frames: int, sentences: int) -> None:
    text = "\n".join(f"{n}." for n in range(sentences))
    notice = Note(start, start + frames, FILM, NoteKind.CALLOUT, text)

    shown = ["", *map(notice.line_at, range(start, notice.end)), ""]
    turns = [n for n, (before, now) in enumerate(pairwise(shown), start) if before != now]
    assert set(turns) <= set(notice.line_starts)
    if frames >= sentences:
        assert sorted(turns) == notice.line_starts


RECTS = st.lists(
    st.builds(Rect, *(st.integers(0, 20),) * 2, *(st.integers(1, 20),) * 2), min_size=1, max_size=8
)


@given(RECTS)
def test_every_changed_pixel_is_covered_and_none_of_the_largest_change_twice(
    rects: list[Rect],
) -> None:
    changed, covered = np.zeros((2, 40, 40), int)
    for rect in rects:
        changed[rect.y : rect.bottom, rect.x : rect.right] = 1
    found = covering([Change(rect) for rect in rects])
    for rect in found:
        covered[rect.y : rect.bottom, rect.x : rect.right] = 1
    assert np.array_equal(changed, covered)
    largest = max(found, key=lambda rect: rect.width * rect.height)
    assert not any(largest.contains(rect) for rect in found if rect is not largest)


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
