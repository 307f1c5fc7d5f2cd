"""The mix of a film: timbres, volumes and pan, which a mix file can change."""

from __future__ import annotations

from dataclasses import dataclass, field

from render.sound.pitch import Pitch

__all__ = ["SILENT", "Instrument", "Mix", "SearchMix", "amplitude"]

SILENT = -60.0
"""dB from which on nothing is heard."""


@dataclass(frozen=True, slots=True)
class Instrument:
    """What one kind of sound is played with: a name of render.sound.timbres.TIMBRES, and its
    volume in dB, 0 as it is meant."""

    timbre: str
    volume: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchMix:
    """One search: its volume in dB, and its place from -1 (left) to 1 (right), None where it
    follows from its board's."""

    volume: float = 0.0
    pan: float | None = None


@dataclass(frozen=True)
class Mix:
    """How a film sounds. `width` is how far apart the first and the last search are, 0..1."""

    pitch: Pitch = field(default_factory=Pitch)
    width: float = 0.7
    place: Instrument = Instrument("bright")
    undo: Instrument = Instrument("soft")
    collapse: Instrument = Instrument("wood")
    texture: Instrument = Instrument("soft")
    end: Instrument = Instrument("bell")
    callout: Instrument = Instrument("bell")
    searches: tuple[SearchMix, ...] = ()
    """Of the first searches; the others are as they are meant."""

    def search(self, number: int) -> SearchMix:
        """The mix of search number `number`, from 0."""
        return self.searches[number] if number < len(self.searches) else SearchMix()

    def pan(self, number: int, count: int) -> float:
        """Where search number `number` of `count` is heard, -1 (left) to 1 (right)."""
        given = self.search(number).pan
        if given is not None:
            return given
        return self.width * (2 * number / (count - 1) - 1) if count > 1 else 0.0


def amplitude(volume: float) -> float:
    """What samples are multiplied with for a volume in dB; 0 from SILENT on."""
    return 0.0 if volume <= SILENT else float(10 ** (volume / 20))
