"""Sound samples through ffmpeg: read from files of any usual format, passed through filters, and
measured."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from undoku.errors import InputError
from undoku.h264.loops import F32
from undoku.render.sound.sample_clock import RATE
from undoku.render.write.ffmpeg import FfmpegFailedError, file_input, output_of
from undoku.render.write.file_info import start_of

_SAMPLES = ("-f", "f32le", "-ar", str(RATE), "-ac", "2")
_FRAME_BYTES = 8
"""The bytes of a sample of both channels."""

_METER = "ebur128=metadata=1:framelog=quiet,ametadata=mode=print:key=lavfi.r128.I:file=-"
"""Prints the integrated loudness so far every tenth of a second."""

_SILENCE = -70.0
"""The loudness in LUFS of sounds below the absolute gate of the standard."""


_DEMUXERS = (
    (0, b"RIFF", "wav"),
    (0, b"RF64", "wav"),
    (0, b"fLaC", "flac"),
    (0, b"OggS", "ogg"),
    (0, b"ID3", "mp3"),
    (0, b"\xff\xfb", "mp3"),
    (0, b"\xff\xf3", "mp3"),
    (0, b"FORM", "aiff"),
    (4, b"ftyp", "mov"),
)
"""The first bytes of files, their offset, and ffmpeg's name of the only container format that they
may have: if it guessed, it would open files named in playlists."""


def limiter(ceiling: float) -> str:
    """The filter that lowers both channels around peaks, so that no absolute sample exceeds
    `ceiling`, 0.0625 to 1. It changes neither the number of samples nor their times."""
    # latency: without a delay. level: no gain of its own.
    return f"alimiter=limit={ceiling:.6f}:attack=5:release=50:level=0:latency=1"


def read_sound(path: Path) -> Iterator[F32]:
    """The sound of a file as two channels at 48 kHz: (n, 2) float32, n = 48,000 except in the last
    array. Raises ReadError, InputError for a file that is not a sound, EncoderError if ffmpeg can't
    be started."""
    head = start_of(path, 16)
    demuxer = next((name for at, begun, name in _DEMUXERS if head.startswith(begun, at)), None)
    if demuxer is None:
        raise InputError(
            f"{str(path)!r} is not a sound file",
            remedy="give a WAV, FLAC, AIFF, MP3, M4A or Ogg file",
        )
    try:
        yield from _samples([*file_input(path, demuxer), "-map", "0:a:0"])
    except FfmpegFailedError:
        raise InputError(f"{str(path)!r} is not a sound that can be read") from None


def filtered(blocks: Iterable[F32], filters: str) -> Iterator[F32]:
    """The samples of `blocks`, (n, 2) float32, after filters that keep their number; in arrays of
    RATE samples except the last one. Raises EncoderError, and what `blocks` raises."""
    return _samples([*_SAMPLES, "-i", "pipe:0", "-af", filters], blocks)


def integrated_loudness(blocks: Iterable[F32], filters: str = "") -> float:
    """The integrated loudness (ITU-R BS.1770, gated) of `blocks`, (n, 2) float32, in LUFS, after
    the filters; -inf for silence. Raises EncoderError, and what `blocks` raises."""
    chain = ",".join(filter(None, (filters, _METER)))
    arguments = [*_SAMPLES, "-i", "pipe:0", "-af", chain, "-f", "null", "-"]
    end = b"".join(deque(output_of(arguments, 1 << 16, map(_stored, blocks)), 2))
    *_, value = end.split(b"lavfi.r128.I=")
    loudness = float(value.split()[0]) if value.split() else _SILENCE
    return loudness if loudness > _SILENCE else -np.inf


def _samples(arguments: Sequence[str], blocks: Iterable[F32] = ()) -> Iterator[F32]:
    """The samples that ffmpeg makes with these arguments of an input, in arrays of RATE samples
    except the last one."""
    command = [*arguments, *_SAMPLES, "pipe:1"]
    for content in output_of(command, RATE * _FRAME_BYTES, map(_stored, blocks)):
        whole = len(content) - len(content) % _FRAME_BYTES
        yield np.frombuffer(content[:whole], "<f4").reshape(-1, 2).astype(np.float32)


def _stored(block: F32) -> memoryview:
    return np.ascontiguousarray(block, "<f4").data
