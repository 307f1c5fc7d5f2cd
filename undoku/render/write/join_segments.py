"""Joins segments of a directly written film, without encoding anything again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from undoku.render.write.film_samples import FilmSamples
from undoku.render.write.reader import read_mp4
from undoku.render.write.sink import FilmShape
from undoku.render.write.sound_track import read_sound_track
from undoku.render.write.splice import Splice
from undoku.render.write.track_boxes import TrackBoxes
from undoku.render.write.verify import Expected, check_mp4
from undoku.render.write.writer import Mp4Writer

__all__ = ["join_direct"]


def _samples(path: Path) -> Iterator[tuple[bytes, int, bool]]:
    """(NAL unit, ticks, is key frame) of each sample of a file."""
    film = read_mp4(path)
    content = np.memmap(path, np.uint8, "r")
    keys = set(film.key_frames)
    at, number = len(content) - film.sample_bytes, 0
    for count, ticks in film.durations:
        for _ in range(count):
            size = int.from_bytes(content[at : at + 4].tobytes())
            yield content[at + 4 : at + 4 + size].tobytes(), ticks, number in keys
            at, number = at + 4 + size, number + 1


def join_direct(segments: Sequence[Path], joined: Path, shape: FilmShape) -> int:
    """Concatenate segments and check the result; returns its number of pictures. The level is that
    of the whole film. The bytes are the same as if one process had written the closed film. Raises
    ValueError for a damaged file, OSError.
    """
    parameters = FilmSamples(shape).parameters()
    splice = Splice(shape, parameters.timescale)
    total, keys = 0, 0
    with joined.open("w+b", buffering=0) as file:
        writer = Mp4Writer(file)
        for path in segments:
            for unit, ticks, key in _samples(path):
                writer.add(splice.spliced(unit, ticks, key=key), ticks, key=key)
                total, keys = total + 1, keys + key
        boxes = TrackBoxes(shape.tracks, shape.fps, parameters.timescale)
        sound = shape.tracks.sound
        track = read_sound_track(sound.aac) if sound else None
        writer.finish(splice.parameters(parameters), shape.mp4_about, boxes, track)
    seconds = Fraction(writer.ticks, parameters.timescale)
    tracks = shape.tracks.in_mp4(shape.fps)
    check_mp4(
        joined, Expected(shape.width, shape.height, total, keys, seconds, writer.bytes, tracks)
    )
    return total
