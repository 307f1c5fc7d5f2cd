"""Passes samples through filters of ffmpeg: the measurement of loudness, and a limiter."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from undoku.errors import EncoderError
from undoku.render.sound.sample_clock import RATE
from undoku.render.write.ffmpeg import environment, executable

__all__ = ["filtered", "integrated_loudness", "limiter"]

_F32 = NDArray[np.float32]

_SAMPLES = ("-f", "f32le", "-ar", str(RATE), "-ac", "2")

_METER = "ebur128=metadata=1:framelog=quiet,ametadata=mode=print:key=lavfi.r128.I:file=-"
"""Prints the integrated loudness so far every tenth of a second."""

_SILENCE = -70.0
"""The loudness in LUFS of sounds below the absolute gate of the standard."""


def limiter(ceiling: float) -> str:
    """The filter that lowers both channels around peaks, so that no absolute sample exceeds
    `ceiling`, 0.0625 to 1. It changes neither the number of samples nor their times."""
    # latency: without a delay. level: no gain of its own.
    return f"alimiter=limit={ceiling:.6f}:attack=5:release=50:level=0:latency=1"


def filtered(blocks: Iterable[_F32], filters: str) -> Iterator[_F32]:
    """The samples of `blocks`, (n, 2) float32, after filters that keep their number; in arrays of
    RATE samples except the last one. Raises EncoderError, and what `blocks` raises."""
    for content in _output(blocks, filters, (*_SAMPLES, "pipe:1"), 8 * RATE):
        yield np.frombuffer(content, "<f4").reshape(-1, 2).astype(np.float32)


def integrated_loudness(blocks: Iterable[_F32], filters: str = "") -> float:
    """The integrated loudness (ITU-R BS.1770, gated) of `blocks`, (n, 2) float32, in LUFS, after
    the filters; -inf for silence. Raises EncoderError, and what `blocks` raises."""
    chain = ",".join(filter(None, (filters, _METER)))
    end = b"".join(deque(_output(blocks, chain, ("-f", "null", "-"), 1 << 16), 2))
    *_, value = end.split(b"lavfi.r128.I=")
    loudness = float(value.split()[0]) if value.split() else _SILENCE
    return loudness if loudness > _SILENCE else -np.inf


def _output(
    blocks: Iterable[_F32], filters: str, arguments: Sequence[str], size: int
) -> Iterator[bytes]:
    """What ffmpeg prints with these filters and `arguments` of the output, at most `size` bytes at
    a time. A thread writes while the caller reads."""
    command = [executable(), "-v", "error", "-nostdin", *_SAMPLES, "-i", "pipe:0"]
    try:
        process = subprocess.Popen(
            [*command, "-af", filters, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
    except OSError as error:
        raise EncoderError(f"ffmpeg can't be started: {error.strerror or error}") from None
    errors: list[BaseException] = []

    def write() -> None:
        assert process.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError), process.stdin:
                for block in blocks:
                    process.stdin.write(np.ascontiguousarray(block, "<f4").data)
        except BaseException as error:
            errors.append(error)

    writer = threading.Thread(target=write, daemon=True, name="sound filter")
    writer.start()
    assert process.stdout is not None and process.stderr is not None
    try:
        while content := process.stdout.read(size):
            yield content
        message = process.stderr.read().decode("utf-8", "replace").strip()
        writer.join()
        if errors:
            raise errors[0]
        if process.wait():
            reason = message.splitlines()[0] if message else f"exit status {process.returncode}"
            raise EncoderError(f'ffmpeg failed: "{reason}", so there is no sound')
    finally:
        process.kill()
        writer.join()
        process.wait()
        process.stdout.close()
        process.stderr.close()
