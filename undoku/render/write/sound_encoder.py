"""Encodes a film's sound by ffmpeg while its pictures are drawn, once for all output files: as AAC
for MP4, as Opus for WebM."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from undoku.errors import EncoderError
from undoku.render.sound.sample_clock import RATE
from undoku.render.write.ffmpeg import FfmpegProcess
from undoku.render.write.formats import SoundCodec
from undoku.render.write.soundtrack import Soundtrack

SOUND_BYTES = 144_000 // 8
"""Bytes per second, approximately, at most."""

_AAC = (
    *("-c:a", "aac", "-b:a", "128k"),
    # Pure tones gain nothing from ffmpeg's optional AAC tools. Without them the noise is 9 dB lower
    # at 4/5 of the bytes, in less than half of the time.
    *("-aac_coder", "fast", "-aac_ms", "0", "-aac_is", "0", "-aac_pns", "0", "-aac_tns", "0"),
    *("-movie_timescale", str(RATE), "-f", "mp4"),
)
_OPUS = ("-c:a", "libopus", "-b:a", "128k", "-f", "webm")
_ENCODED = {
    SoundCodec.AAC: ("sound.m4a", _AAC),
    SoundCodec.OPUS: ("sound.webm", _OPUS),
}
_PLAIN = ("-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1")
"""No date and no version: the same sound gives the same bytes."""

_TOLERANCE = 1 / RATE
"""Seconds by which ffmpeg may round the length of a sound."""


class EncodedSound:
    """The encoded files of a sound, in `folder`, which must outlive this object (a
    undoku.render.write.further_tracks.FilmSound).

    When the context begins, a thread starts to synthesise and encode the sound for the given
    `codecs`. Reading the path of a file waits for it, and raises any error of the thread. The end
    of the context stops an encoder that is still running.
    """

    def __init__(self, soundtrack: Soundtrack, folder: Path, codecs: Iterable[SoundCodec]) -> None:
        self.soundtrack = soundtrack
        self._paths: Mapping[SoundCodec, Path] = {
            codec: folder / _ENCODED[codec][0] for codec in codecs if codec in _ENCODED
        }
        self._processes: list[FfmpegProcess] = []
        self._thread = ThreadPoolExecutor(1)
        self._done: Future[None] | None = None

    def __enter__(self) -> Self:
        if self._paths:
            self._done = self._thread.submit(self._encode)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.soundtrack.stop()
        for process in list(self._processes):
            process.stop()
        self._thread.shutdown()

    def encoded(self, codec: SoundCodec) -> Path:
        """The encoded file; waits for it, and raises any error of the thread."""
        if self._done:
            self._done.result()
        return self._paths[codec]

    def _encode(self) -> None:
        """Synthesise the sound once, for all files."""
        source = ["-f", "f32le", "-ar", str(RATE), "-ac", "2", "-i", "pipe:0"]
        with ExitStack() as stack:
            for codec, path in self._paths.items():
                arguments = _ENCODED[codec][1]
                process = FfmpegProcess(
                    [*source, *arguments[:-2], *_PLAIN, *arguments[-2:]], path, path
                )
                stack.callback(process.kill)
                self._processes.append(process)
            for block in self.soundtrack.blocks():
                content = np.ascontiguousarray(block.mix, "<f4").view(np.uint8).ravel()
                for process in self._processes:
                    process.write(content)
            for process in self._processes:
                self._check(process.finish().microseconds / 10**6)

    def _check(self, seconds: float) -> None:
        """Raise EncoderError when an encoded file is shorter than the sound."""
        if seconds < self.soundtrack.seconds - _TOLERANCE:
            raise EncoderError(
                f"ffmpeg wrote {seconds:.3f} s of a sound of {self.soundtrack.seconds:.3f} s"
            )
