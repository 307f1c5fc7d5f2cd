"""Stems: the sound of each search as a WAV file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from undoku.render.write.soundtrack import Soundtrack
from undoku.render.write.staging import Staging, write_error
from undoku.render.write.wav_file import WavWriter, check_wav_length

__all__ = ["write_stems"]


def write_stems(track: Soundtrack, stagings: Sequence[Staging]) -> None:
    """Write the sound of each search to its temporary file, with the loudness and the position in
    stereo that it has in the mix. Raises OutputError, and SettingsError for a film that is too
    long for WAV."""
    check_wav_length(track.samples)
    try:
        with ExitStack() as stack:
            writers = [
                WavWriter(stack.enter_context(staging.temporary.open("wb"))) for staging in stagings
            ]
            for block in track.blocks(stems=True):
                for writer, stem in zip(writers, block.stems, strict=True):
                    writer.add(stem)
            for writer in writers:
                writer.finish()
    except OSError as error:
        raise write_error(stagings[0].final, error) from None
