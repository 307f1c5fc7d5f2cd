"""The mix of a film: timbres, volumes and pan, which a mix file can change."""

from __future__ import annotations

from dataclasses import dataclass, field

from undoku.render.sound.pitch import Pitch

__all__ = ["SILENT", "Instrument", "Mix", "SearchMix", "amplitude"]

SILENT = -60.0
"""The volume in dB at and below which a sound is silent."""


@dataclass(frozen=True, slots=True)
class Instrument:
    """The instrument of one kind of sound: a name of undoku.render.sound.timbres.TIMBRES, and a
    volume in dB, by default 0."""

    timbre: str
    volume: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchMix:
    """The mix of one search: its volume in dB, and its pan from -1 (left) to 1 (right), None if it
    follows from the position of its board."""

    volume: float = 0.0
    pan: float | None = None


@dataclass(frozen=True)
class Mix:
    """How a film sounds. `width` is the distance between the first and the last search in the
    stereo image, 0..1."""

    pitch: Pitch = field(default_factory=Pitch)
    width: float = 0.7
    place: Instrument = Instrument("bright")
    undo: Instrument = Instrument("soft")
    collapse: Instrument = Instrument("wood")
    texture: Instrument = Instrument("soft")
    end: Instrument = Instrument("bell")
    callout: Instrument = Instrument("bell")
    searches: tuple[SearchMix, ...] = ()
    """The mixes of the first searches; the others have the default."""

    def search(self, number: int) -> SearchMix:
        """The mix of search number `number`, from 0."""
        return self.searches[number] if number < len(self.searches) else SearchMix()

    def pan(self, number: int, count: int) -> float:
        """The pan of search number `number` (from 0) of `count`, -1 (left) to 1 (right)."""
        given = self.search(number).pan
        if given is not None:
            return given
        return self.width * (2 * number / (count - 1) - 1) if count > 1 else 0.0


def amplitude(volume: float) -> float:
    """The factor of samples for a volume in dB; 0 at SILENT and below."""
    return 0.0 if volume <= SILENT else float(10 ** (volume / 20))
