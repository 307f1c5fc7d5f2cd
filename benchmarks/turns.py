"""Whether a GIF is smaller when its two boards are updated alternately, each at half the rate.

    python -m benchmarks.turns [--frames 1000]

Each frame then changes only one board, so its box is smaller; but each board is redrawn only every
second frame, with the steps of two frames. For a fair comparison the script also measures both
boards together at half the frame rate.

Result for 600 frames, 640×360 and 1280×720, 1 and 12 steps per frame: alternating boards need 0.55
to 0.58 of the bytes, half the frame rate 0.56 to 0.58. Alternating is not worthwhile: half the
frame rate saves as much, and both boards still show the same moment.
"""

from __future__ import annotations

import argparse
import tempfile
from fractions import Fraction
from itertools import islice
from pathlib import Path

from benchmarks.twoboards import TwoBoards
from tests.support.sink_contexts import sink_context
from undoku.render.write.gif import GifSink
from undoku.render.write.staging import Staging


def size_of(film: TwoBoards, frames: int, fps: int) -> int:
    """Bytes of a GIF of the film's first frames."""
    shape = sink_context(film.canvas.width, film.canvas.height, Fraction(fps))
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
