"""Reads a sound file of any usual format as samples, through ffmpeg."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undoku.errors import EncoderError, InputError, ReadError
from undoku.render.sound.sample_clock import RATE
from undoku.render.write.ffmpeg import environment, executable

__all__ = ["read_sound"]

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

_BYTES = 8
"""The bytes of a sample with two channels."""


def read_sound(path: Path) -> Iterator[NDArray[np.float32]]:
    """The sound of a file as two channels at 48 kHz: (n, 2) float32, n = 48,000 except in the last
    array. Raises ReadError, InputError for a file that is not a sound, EncoderError if ffmpeg can't
    be started."""
    demuxer = _demuxer(path)
    command = [
        *(executable(), "-nostdin", "-v", "error", "-f", demuxer, "-protocol_whitelist", "file"),
        *(("-enable_drefs", "0") if demuxer == "mov" else ()),
        *("-i", f"file:{path}", "-map", "0:a:0", "-ar", str(RATE), "-ac", "2"),
        *("-f", "f32le", "-"),
    ]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
        )
    except OSError as error:
        raise EncoderError(f"ffmpeg can't be started: {error.strerror or error}") from None
    with process:
        assert process.stdout is not None
        try:
            while content := process.stdout.read(RATE * _BYTES):
                whole = len(content) - len(content) % _BYTES
                yield np.frombuffer(content[:whole], "<f4").reshape(-1, 2).astype(np.float32)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise InputError(f"{str(path)!r} is not a sound that can be read")


def _demuxer(path: Path) -> str:
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except FileNotFoundError:
        raise ReadError(f"there is no file {str(path)!r}") from None
    except (OSError, ValueError) as error:  # ValueError: a name that is invalid on every system
        reason = getattr(error, "strerror", None) or error
        raise ReadError(f"{str(path)!r} can't be read: {reason}") from None
    for at, begun, demuxer in _DEMUXERS:
        if head[at : at + len(begun)] == begun:
            return demuxer
    raise InputError(
        f"{str(path)!r} is not a sound file", remedy="give a WAV, FLAC, AIFF, MP3, M4A or Ogg file"
    )
