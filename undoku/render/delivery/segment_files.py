"""Cuts a long MP4 into segments that several workers draw at once, and joins them again.

Segments begin at key frames, and the film is coded so that nothing depends on frames beyond a key
frame: joined without coding again, they equal the film that one worker would have made.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from undoku.errors import EncoderError
from undoku.render.write.ffmpeg import describe
from undoku.render.write.ffmpeg_binary import environment, executable
from undoku.render.write.quality import KEY_FRAMES
from undoku.render.write.reader import read_mp4
from undoku.render.write.sink import FilmShape
from undoku.render.write.stall_watch import StallWatch, report_stall

__all__ = ["SEGMENT", "join", "spans"]

SEGMENT = 4 * KEY_FRAMES
"""The frames of a segment, regardless of the number of workers."""


def spans(frames: int, length: int = 0) -> list[range]:
    """The segments of a film with a number of frames, SEGMENT or `length` each; the last may be
    up to half longer or, in a short film, shorter."""
    length = length or SEGMENT
    starts = list(range(0, max(1, frames - length // 2), length))
    return [range(start, stop) for start, stop in zip(starts, [*starts[1:], frames], strict=True)]


def join(segments: Sequence[Path], joined: Path, shape: FilmShape) -> int:
    """Join MP4 files without coding them again, and check the result; returns its number of frames.
    Raises EncoderError, OSError."""
    listed = joined.with_suffix(".list")
    # The names are internal: plain letters and digits below the folder of the batch.
    listed.write_text("".join(f"file '{path.name}'\n" for path in segments))
    for path in segments:
        if path.parent != joined.parent:
            raise ValueError("segments are joined in their own folder")
    films = [read_mp4(path) for path in segments]
    clock = str(films[0].timescale)
    command = [
        *(executable(), "-hide_banner", "-nostdin", "-loglevel", "error", "-y"),
        *("-f", "concat", "-safe", "1", "-protocol_whitelist", "file", "-i", listed.name),
        *(*shape.tracks.mp4_arguments(shape.fps), "-c", "copy"),
        *("-fflags", "+bitexact", *describe(shape.mp4_about)),
        *("-video_track_timescale", clock, "-movie_timescale", clock),
        *("-movflags", "+faststart", "-f", "mp4", joined.name),
    ]
    with StallWatch(lambda: _size(joined), lambda: report_stall("ffmpeg", joined)):
        done = subprocess.run(
            command,
            cwd=joined.parent,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    if done.returncode:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise EncoderError(
            f"ffmpeg can't join the segments: {errors[0] if errors else 'no reason'}"
        )
    film, frames = read_mp4(joined), sum(one.frames for one in films)
    if film.frames != frames or film.duration * shape.fps != frames:
        raise EncoderError(f"ffmpeg joined {film.frames} frames where there should be {frames}")
    if film.tracks.without_list != shape.tracks.in_mp4(shape.fps).without_list:
        raise EncoderError("ffmpeg joined the segments without their chapters or their sound")
    return frames


def _size(path: Path) -> int:
    """The bytes of a file; 0 if there is none yet."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
