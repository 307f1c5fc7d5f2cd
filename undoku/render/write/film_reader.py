"""Films and pictures read back from their files, through imageio."""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from undoku.errors import InputError
from undoku.render.draw.picture import Picture
from undoku.render.write.file_info import start_of

_VIDEOS = (".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi")
_PICTURES = (".gif", ".webp", ".apng", ".png")
_MAX_DENOMINATOR = 65535
"""The units of time per second in formats with fractions of a second."""

_BROKEN = (OSError, EOFError, LookupError, RuntimeError, SyntaxError, ValueError, struct.error)
"""The exceptions of Pillow and imageio for damaged files."""


def read_frames(path: str | Path) -> Iterator[Picture]:
    """Yield the pictures in the file of a film as new (height, width, 3) uint8 RGB arrays, each
    with its duration in seconds (a Fraction). These are the pictures that `frames` yields before
    the film is written; consecutive equal pictures come once. A single picture has 0 seconds.

    Pictures of a transparent film are (height, width, 4) RGBA, except those of videos, whose alpha
    is not read. MP4, WebM and other videos are decoded by ffmpeg, GIF, WebP, APNG and PNG by
    Pillow. GIF, WebP, APNG and PNG contain the pixels of a film exactly, videos nearly so. The
    memory is that of a few pictures.

    Raises ReadError if the file can't be read, InputError if it is not a film or is truncated.

    >>> for picture in read_frames("film.mp4"):      # doctest: +SKIP
    ...     print(picture.pixels.mean(), float(picture.seconds))

    >>> report = undoku.film("1.....3..4.....2", "mrv", "still.png", size="320x180")
    >>> [picture.pixels.shape for picture in undoku.read_frames("still.png")]
    [(180, 320, 3)]
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (*_VIDEOS, *_PICTURES):
        raise InputError(
            f"{str(path)!r} is not a film whose frames can be read",
            remedy=f"name a file that ends in {', '.join((*_PICTURES, *_VIDEOS))}",
        )
    start_of(path, 0)
    return _joined(_of_video(path) if suffix in _VIDEOS else _of_pictures(path))


def _joined(pictures: Iterator[Picture]) -> Iterator[Picture]:
    """Join consecutive equal pictures."""
    held: Picture | None = None
    for picture in pictures:
        if held is None:
            held = picture
        elif np.array_equal(held.pixels, picture.pixels):
            held = Picture(held.pixels, held.seconds + picture.seconds)
        else:
            yield held
            held = picture
    if held is not None:
        yield held


@contextmanager
def _opened(path: Path, plugin: str) -> Iterator[Any]:
    """The file opened by imageio. An absolute name can't be mistaken for a protocol or an
    option."""
    from imageio.v3 import imopen

    known: Any = imopen  # it is declared for some plugins only
    try:
        with closing(known(str(path.absolute()), "r", plugin=plugin)) as file:
            yield file
    except _BROKEN as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"{str(path)!r} can't be read as a film: {reason}") from None


def _of_video(path: Path) -> Iterator[Picture]:
    with _opened(path, "FFMPEG") as file:
        stored = file.metadata()
        rate = _rate_of(path, stored["fps"])
        count = 0
        for pixels in file.iter():
            count += 1
            yield Picture(pixels, 1 / rate)
        expected = round(stored.get("duration", 0) * rate)
    if count + 1 < expected:  # the duration is rounded to hundredths
        raise InputError(f"{str(path)!r} breaks off after {count:,} of {expected:,} frames")


def _rate_of(path: Path, mean: float) -> Fraction:
    """The rate of the frames from ffmpeg. imageio reports only the `mean`, which is lower if still
    passages are stored as one frame; ffmpeg then repeats such frames at the frame rate of the
    film."""
    from undoku.render.write.ffmpeg import executable

    done = subprocess.run(
        [executable(), "-hide_banner", "-i", f"file:{path}"],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    found = re.search(rb"([\d.]+)(k?) tbr", done.stderr)
    if not found:
        return _exact_rate(mean)
    return _exact_rate(float(found[1]) * (1000 if found[2] else 1))


def _exact_rate(rounded: float) -> Fraction:
    """The rate that ffmpeg rounded to two places: 29.97 is 30000/1001."""
    whole = round(rounded * 1.001)
    if rounded != round(rounded) and abs(whole / 1.001 - rounded) < 0.006:
        return Fraction(whole * 1000, 1001)
    return Fraction(str(rounded))


def _of_pictures(path: Path) -> Iterator[Picture]:
    with _opened(path, "pillow") as file:
        count = file.properties(index=...).n_images or 1
        clear = False
        for index in range(count):
            pixels = file.read(index=index, mode="RGBA")
            clear = pixels[..., 3].min() < 255 if not index else clear
            pixels = pixels if clear else np.ascontiguousarray(pixels[..., :3])
            # Not earlier: the times of a WebP are known only with its pixels.
            milliseconds = file.metadata(index=index).get("duration", 0)
            seconds = Fraction(milliseconds / 1000).limit_denominator(_MAX_DENOMINATOR)
            yield Picture(pixels, seconds if count > 1 else Fraction(0))
