"""Synthesises the samples of a score, each search separately, in blocks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from undoku.h264.loops import F32
from undoku.render.sound.mix import Mix, amplitude
from undoku.render.sound.sample_clock import RATE
from undoku.render.sound.score import AccentKind, Run, Score, SearchScore
from undoku.render.sound.texture import Texture
from undoku.render.sound.timbres import joined, struck
from undoku.solver.trace.trace import Outcome

BLOCK = RATE
"""The number of samples of a block."""

_DECAYS = (0.16, 0.11, 0.07, 0.045)
"""The decay of notes in seconds: longer if there are few."""

_RINGING = 0.9
"""The decay of a note, in steps at their rate."""

_UNDONE, _FALLING = 0.42, 0.6
"""The levels of undos, and of undos in a collapse, relative to a place."""

_OCTAVE_BELOW = 0.5

_PLACE, _TEXTURE, _FALL, _END, _CALLOUT = 0.5, 0.17, 0.22, 0.38, 0.5
"""The levels of the kinds of sounds, before the gain of the film: such that slow passages, in which
sentences are read, are not much softer than fast ones."""

_SOFTENED = 8
"""The steps per second at which the level of each is lowered by 3 dB, because there are many."""

_CHORDS = {
    Outcome.SOLVED: (261.63, 329.63, 392.0, 523.25),
    Outcome.EXHAUSTED: (196.0, 293.66, 392.0),
    Outcome.CAPPED: (220.0, 293.66, 329.63),
}
"""The chords at the end of a search in Hz: a major chord for a solution, an open fifth if there is
no further solution, and a suspended fourth if the search was stopped."""

_STRUM = 0.045
"""The seconds between two tones of a chord."""

_ACCENTS = {
    AccentKind.GOOD: (1174.66, 1760.0),
    AccentKind.BAD: (311.13, 220.0),
    AccentKind.TICK: (1567.98,),
}
"""The tones of accents in Hz: two rise for a sentence, two fall, deeper, for a mistake, and one is
a tick."""

_ACCENT_DECAY, _TICK_DECAY = 0.35, 0.03
"""The decay of accents in seconds."""

_RUN = 7
"""The number of tones of a run."""

_RUN_DEPTHS = 48
"""The number of different depths of its tones: few, so that each tone is synthesised once."""


class _SearchSynthesis:
    """Synthesises the sound of one search."""

    def __init__(self, score: SearchScore, whole: Score, mix: Mix, number: int) -> None:
        self._score = score
        self._mix = mix
        self._volume = amplitude(mix.search(number).volume)
        self._held = np.zeros(0, np.float32)
        """The sound of earlier tones that continues in later blocks."""
        self._texture = Texture(score, whole.starts, mix.pitch, mix.texture.timbre, 2 * number)
        level = _level(_CALLOUT, mix.callout.volume)
        self._accents = {
            kind: level
            * _chord(
                mix.callout.timbre, hertz, _TICK_DECAY if kind is AccentKind.TICK else _ACCENT_DECAY
            )
            for kind, hertz in _ACCENTS.items()
        }

    def _run(self, run: Run) -> F32:
        """The tones of a run, from its first depth to its last."""
        depths = np.linspace(run.begin, run.end, _RUN)
        depths = np.rint(depths * _RUN_DEPTHS) / _RUN_DEPTHS
        instrument = self._mix.place if run.end > run.begin else self._mix.collapse
        hertz = self._mix.pitch.hertz(depths)
        level = _level(_FALL, instrument.volume)
        return joined(
            [
                (
                    run.seconds / _RUN * number,
                    float(level),
                    struck(instrument.timbre, float(pitch), 0.06),
                )
                for number, pitch in enumerate(hertz)
            ]
        )

    def block(self, start: int) -> F32 | None:
        """(BLOCK,) float32: the samples from `start` on; None for silence."""
        end = start + BLOCK
        sounds = [*self._notes(start, end), *self._singles(start, end)]
        texture = self._texture.block(start, BLOCK) if self._texture_level else None
        if not sounds and texture is None and not len(self._held):
            return None
        reach = max([BLOCK, len(self._held), *(at + len(sound) for at, _, sound in sounds)])
        samples = np.zeros(reach, np.float32)
        samples[: len(self._held)] = self._held
        if texture is not None:
            samples[:BLOCK] += self._texture_level * texture
        for at, level, sound in sounds:
            samples[at : at + len(sound)] += level * sound
        self._held = samples[BLOCK:].copy()
        return samples[:BLOCK] * np.float32(self._volume)

    @property
    def _texture_level(self) -> np.float32:
        return _level(_TEXTURE, self._mix.texture.volume)

    def _notes(self, start: int, end: int) -> Iterator[tuple[int, np.float32, F32]]:
        """The notes of a block: the index of the first sample in it, the level, and the samples of
        each."""
        notes, density, mix = self._score.notes, self._score.density, self._mix
        part = slice(*np.searchsorted(notes.samples, [start, end]).tolist())
        frames = notes.frames[part]
        rates = np.maximum(density.rates[frames], 0.1)
        levels = _PLACE * density.notes[frames] / np.sqrt(1 + rates / _SOFTENED)
        decays = np.searchsorted(-np.array(_DECAYS), -_RINGING / rates)
        decays = np.minimum(decays, len(_DECAYS) - 1)
        hertz = mix.pitch.hertz(notes.depths[part].astype(np.float64))
        undone, falling = notes.undone[part], notes.falling[part]
        hertz[undone] *= _OCTAVE_BELOW
        levels[undone] *= np.where(falling[undone], _FALLING, _UNDONE)
        kinds = undone.astype(np.int64) + falling
        played_by = [
            (one.timbre, amplitude(one.volume)) for one in (mix.place, mix.undo, mix.collapse)
        ]
        for sample, pitch, level, decay, kind in zip(
            (notes.samples[part] - start).tolist(),
            hertz.tolist(),
            levels.tolist(),
            decays.tolist(),
            kinds.tolist(),
            strict=True,
        ):
            timbre, volume = played_by[kind]
            yield sample, np.float32(level * volume), struck(timbre, pitch, _DECAYS[decay])

    def _singles(self, start: int, end: int) -> Iterator[tuple[int, np.float32, F32]]:
        """The same for all tones that are not notes."""
        score, mix = self._score, self._mix
        whole = np.float32(1)
        for run in score.runs[bisect_left(score.runs, start, key=lambda one: one.sample) :]:
            if run.sample >= end:
                break
            yield run.sample - start, whole, self._run(run)
        for sample, kind in score.accents:
            if start <= sample < end:
                yield sample - start, whole, self._accents[kind]
        if score.end is not None and start <= score.end[0] < end:
            sample, outcome = score.end
            chord = _chord(mix.end.timbre, _CHORDS[outcome])
            yield sample - start, _level(_END, mix.end.volume), chord


def _level(level: float, volume: float) -> np.float32:
    return np.float32(level * amplitude(volume))


def _chord(timbre: str, hertz: Sequence[float], decay: float = 0.55) -> F32:
    tones = [struck(timbre, pitch, decay) for pitch in hertz]
    level = 1 / len(tones) ** 0.5
    return joined([(_STRUM * number, level, tone) for number, tone in enumerate(tones)])


def _sum(blocks: Sequence[F32 | None]) -> F32 | None:
    """The sum of blocks; None if all are silent."""
    heard = [block for block in blocks if block is not None]
    return np.sum(heard, axis=0, dtype=np.float32) if heard else None


def played(score: Score, mix: Mix) -> Iterator[list[F32 | None]]:
    """The sound of the film in blocks of BLOCK samples, the last one padded with silence: for each
    search (BLOCK,) float32, or None for silence. Tones that began before it are not heard. Those
    that have not ended at its end fade out in its last hundredth of a second."""
    passes = [each for each in (score.answer, score) if each]
    searches = [
        [_SearchSynthesis(each.searches[number], each, mix, number) for each in passes]
        for number in range(len(score.searches))
    ]
    fade = RATE // 100
    end = score.begin + score.samples
    for start in range(score.begin, max(end, score.begin + 1), BLOCK):
        block = [_sum([each.block(start) for each in search]) for search in searches]
        left = end - start - fade
        if left < BLOCK:
            line = np.clip(1 - (np.arange(BLOCK) - left) / fade, 0, 1).astype(np.float32)
            block = [None if one is None else one * line for one in block]
        yield block
