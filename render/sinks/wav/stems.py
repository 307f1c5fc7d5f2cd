"""The sound of each search by itself, as WAV files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from render.sinks.staging import Staging, write_error
from render.sinks.wav.wav_file import WavWriter, check_wav_length
from render.sound.soundtrack import Soundtrack

__all__ = ["write_stems"]


def write_stems(track: Soundtrack, stagings: Sequence[Staging]) -> None:
    """Write the part that each search has in the sound, as loud and at the same place as there, to
    the temporary files. Raises OutputError, SettingsError for a film that is too long."""
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
