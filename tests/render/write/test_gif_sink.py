"""A GIF holds every frame's pixels and times exactly, with any decoder."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.support.changed_films import Scribble, by_pillow, write
from tests.support.plain_loops import plain_and_compiled
from tests.support.sink_contexts import sink_context
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.write.gif import GifSink
from undoku.render.write.staging import Staging


@pytest.mark.parametrize("ticks", [1, 2, 3, 4, 5, 601])
def test_the_last_frame_is_shown_even_when_it_is_shorter_than_a_slot(
    tmp_path: Path, ticks: int
) -> None:
    fills = (((Rect(0, 0, 3, 3), (9, 9, 9)),), ticks), (((Rect(1, 1, 1, 1), (90, 200, 9)),), 1)
    film, path = Scribble(3, 3, Fraction(240), fills), tmp_path / "film.gif"
    written = write(path, film)
    decoded = by_pillow(path)
    assert np.array_equal(decoded[-1][0], film.pictures()[-1])
    assert min(delay for _, delay in decoded) >= 20
    assert abs(written.duration - film.duration) <= Fraction(2, 100)


def test_main_colours_are_exact_however_many_others_come_before_them(tmp_path: Path) -> None:
    canvas = Canvas(300, 2)
    for x in range(300):
        canvas.fill(Rect(x, 0, 1, 2), (x % 256, 100 + x // 256, 7))
    main = (0x0A2B4C, 0xFE0102)
    shape = sink_context(300, 2, Fraction(10), main_colours=lambda: main)
    with GifSink(Staging(tmp_path / "a.gif"), shape) as sink:
        sink.write(canvas.frame())
        canvas.fill(Rect(0, 0, 150, 2), (0x0A, 0x2B, 0x4C))
        canvas.fill(Rect(150, 0, 150, 2), (0xFE, 0x01, 0x02))
        sink.write(canvas.frame())
        sink.finish()
    (first, _), (last, _) = by_pillow(tmp_path / "a.gif")
    assert np.array_equal(last, canvas.pixels)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) == 253


def test_more_than_255_colours_are_shown_as_the_nearest_always_the_same(tmp_path: Path) -> None:
    """A grey ramp fills the palette; each red is then shown as the same grey in every frame."""
    canvas = Canvas(256, 3)
    path = tmp_path / "film.gif"
    with GifSink(Staging(path), sink_context(256, 3, Fraction(25))) as sink:
        canvas.put(np.arange(256, dtype=np.uint8)[None, :, None].repeat(3, 0).repeat(3, 2), 0, 0)
        sink.write(canvas.frame())
        for number in range(6):
            canvas.fill(Rect(0, 1, 256, 1), (number % 2 * 100 + 50, 60, 70))
            sink.write(canvas.frame())
        sink.finish()
    pictures = [picture for picture, _ in by_pillow(path)]
    assert np.array_equal(pictures[0][:, :255], canvas.pixels[:1, :255].repeat(3, 0))
    assert pictures[0][0, 255].tolist() == [254, 254, 254]
    seen = {tuple(picture[1, 9].tolist()) for picture in pictures[1::2]}
    others = {tuple(picture[1, 9].tolist()) for picture in pictures[2::2]}
    assert seen == {(61, 61, 61)}
    assert others == {(83, 83, 83)}


def test_compiled_and_plain_loops_write_the_same_bytes(tmp_path: Path) -> None:
    plain, compiled = plain_and_compiled(f"""
        import sys
        from pathlib import Path
        from tests.support.changed_films import scribble, write
        path = Path({str(tmp_path / "film.gif")!r})
        write(path, scribble(21, 90, 50, 12, colours=300, fills=12))
        sys.stdout.buffer.write(path.read_bytes())
    """)
    assert plain == compiled and len(plain) > 100
