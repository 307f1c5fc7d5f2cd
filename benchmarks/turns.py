"""Whether a GIF gets smaller when the panels of a comparison take turns, each at half the rate.

    python -m benchmarks.turns [--frames 1000]

A frame then changes one board, so that its box is small; in exchange each board is drawn anew only
every second frame and shows two frames' steps at once. A second comparison is fair in what the
viewer gets: both boards together at half the rate of frames.

Measured on 600 frames, 640×360 and 1280×720, 1 and 12 steps a frame: taking turns leaves 0.55 to
0.58 of the bytes, and so does half the rate, 0.56 to 0.58. It does not pay: what it saves is what
half the rate saves, and at half the rate both boards still show the same moment.
"""

from __future__ import annotations

import argparse
import tempfile
from fractions import Fraction
from itertools import islice
from pathlib import Path

from benchmarks.twoboards import TwoBoards
from render.sinks.contract import FilmShape
from render.sinks.gif.gif_sink import GifSink
from render.sinks.staging import Staging


def size_of(film: TwoBoards, frames: int, fps: int) -> int:
    """Bytes of the film's first frames."""
    shape = FilmShape(film.canvas.width, film.canvas.height, Fraction(fps))
    with (
        tempfile.TemporaryDirectory() as folder,
        GifSink(Staging(Path(folder) / "film.gif"), shape) as sink,
    ):
        for frame in islice(film, frames):
            sink.write(frame)
        return sink.finish().bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1000)
    frames = parser.parse_args().frames
    for width, height in ((640, 360), (1280, 720)):
        for steps in (1, 12):
            both = size_of(TwoBoards(width, height, steps=steps), frames, 50)
            turns = size_of(TwoBoards(width, height, steps=steps, turns=True), frames, 50)
            half = size_of(TwoBoards(width, height, steps=2 * steps), frames // 2, 25)
            print(
                f"{width}×{height}, {steps:2} steps a frame, {frames / 50:g} s: together at 50/s "
                f"{both:,} bytes; in turns {turns / both:.2f} of it; together at 25/s "
                f"{half / both:.2f} of it"
            )


if __name__ == "__main__":
    main()
