"""Encodes a film's sound by ffmpeg, once for all files that hold it: as AAC for MP4, as Opus for
WebM."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from render.metadata.further_tracks import HeldSound
from render.sinks.ffmpeg import FedProcess
from render.sinks.mp4.sound_track import read_sound_track
from render.sinks.webm.ebml import read_sound
from render.sound.sample_clock import RATE
from render.sound.soundtrack import Soundtrack
from solver.errors import EncoderError

__all__ = ["SOUND_BYTES", "EncodedSound"]

SOUND_BYTES = 160_000 // 8
"""Bytes of a second, at most, about."""

_AAC = ("-c:a", "aac", "-b:a", "160k", "-movie_timescale", str(RATE), "-f", "mp4")
_OPUS = ("-c:a", "libopus", "-b:a", "128k", "-f", "webm")
_PLAIN = ("-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1")
"""Nothing of the moment: the same sound gives the same bytes."""


class EncodedSound:
    """The files of a sound in a `folder` that lasts as long as they are used (a
    render.metadata.further_tracks.FilmSound)."""

    def __init__(self, soundtrack: Soundtrack, folder: Path) -> None:
        self.soundtrack = soundtrack
        self._folder = folder

    @cached_property
    def aac(self) -> Path:
        return self._encoded("sound.m4a", _AAC)

    @cached_property
    def opus(self) -> Path:
        return self._encoded("sound.webm", _OPUS)

    @cached_property
    def held_aac(self) -> HeldSound:
        track = read_sound_track(self.aac)
        return HeldSound(track.codec, len(track.sizes))

    @cached_property
    def held_opus(self) -> HeldSound:
        return read_sound(self.opus)

    def _encoded(self, name: str, arguments: Sequence[str]) -> Path:
        path = self._folder / name
        source = ("-f", "f32le", "-ar", str(RATE), "-ac", "2", "-i", "pipe:0")
        process = FedProcess([*source, *arguments[:-2], *_PLAIN, *arguments[-2:]], path, path)
        try:
            for block in self.soundtrack.blocks():
                content = np.ascontiguousarray(block.mix, "<f4")
                process.write(content.view(np.uint8).ravel())
            process.finish()
            self._check(path)
        except BaseException:
            process.kill()
            raise
        return path

    def _check(self, path: Path) -> None:
        """Raises EncoderError where less was encoded than there is."""
        try:
            if path.suffix == ".webm":
                seconds = read_sound(path).packets / 50
            else:
                track = read_sound_track(path)
                seconds = (len(track.sizes) * track.packet - track.delay) / RATE
        except (OSError, ValueError) as error:
            raise EncoderError(f"ffmpeg wrote no whole sound: {error}") from None
        if seconds < self.soundtrack.seconds:
            raise EncoderError(
                f"ffmpeg wrote {seconds:.3f} s of a sound of {self.soundtrack.seconds:.3f} s"
            )
