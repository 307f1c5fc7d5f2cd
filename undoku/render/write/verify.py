"""Verifies an MP4 file with one H.264 track against what should have been written."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undoku.render.write.further_tracks import InMp4
from undoku.render.write.reader import read_mp4

__all__ = ["Expected", "check_mp4"]

_KEY, _OTHER = 0x65, 0x41  # NAL unit headers of the slices that undoku writes

_BLOCK = 1 << 14
"""Samples that are checked at a time, so that memory use doesn't grow with the film."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected contents of a finished file. `bytes` are those of all pictures."""

    width: int
    height: int
    samples: int
    keys: int
    seconds: Fraction
    bytes: int
    tracks: InMp4


def check_mp4(path: Path, expected: Expected) -> None:
    """Raises ValueError, which names the difference, for a file that isn't as expected; OSError
    when it can't be read."""
    film = read_mp4(path)
    for what, found, wanted in (
        ("pictures", film.frames, expected.samples),
        ("key frames", len(film.key_frames), expected.keys),
        ("seconds", film.duration, expected.seconds),
        ("seconds in its header", film.movie_duration, expected.seconds),
        ("a size of", (film.width, film.height), (expected.width, expected.height)),
        ("bytes of pictures", film.sample_bytes, expected.bytes),
        ("further tracks", film.tracks, expected.tracks),
        ("the index first", film.index_first, True),
    ):
        if found != wanted:
            raise ValueError(f"it has {what} {found} instead of {wanted}")
    kinds = np.full(film.frames, _OTHER, np.uint8)
    kinds[list(film.key_frames)] = _KEY
    # Packets of the sound may be between two samples.
    with path.open("rb") as file:
        for first in range(0, film.frames, _BLOCK):
            block = slice(first, first + _BLOCK)
            sizes, places = film.sizes[block], film.places[block]
            file.seek(int(places[0]))
            content = np.fromfile(file, np.uint8, int(places[-1] + sizes[-1] - places[0]))
            _check_samples(content, places, sizes, kinds[block])


def _check_samples(
    content: NDArray[np.uint8],
    places: NDArray[np.int64],
    sizes: NDArray[np.int64],
    kinds: NDArray[np.uint8],
) -> None:
    """Check n samples at the offsets `places` (n,) of the file; `content` starts at the first. The
    length field of each must agree with `sizes` (n,), and its NAL unit header with `kinds` (n,)."""
    starts = places - places[0]
    long = (sizes > 4) & (starts + 5 <= len(content))
    length = np.zeros(int(long.sum()), np.int64)
    for byte in range(4):
        length = length << 8 | content[starts[long] + byte]
    right = long.copy()
    right[long] = (length + 4 == sizes[long]) & (content[starts[long] + 4] == kinds[long])
    if not right.all():
        raise ValueError(f"no picture begins at byte {places[right.argmin()]}")
