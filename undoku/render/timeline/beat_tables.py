"""The tables of the lengths of beats, in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from undoku.render.timeline.beats import BeatKind

__all__ = ["BeatLength", "lengths_of"]


@dataclass(frozen=True, slots=True)
class BeatLength:
    """The length of a beat in a usual film, its least useful length, and its greatest
    length in longer films, all in seconds."""

    usual: Fraction
    least: Fraction
    most: Fraction


def _length(usual: float, least: float, most: float) -> BeatLength:
    return BeatLength(*(Fraction(round(20 * seconds), 20) for seconds in (usual, least, most)))


_LENGTHS = {
    BeatKind.OPENING: _length(1, 0.5, 2.5),
    BeatKind.RULES: _length(2.7, 1.4, 4.5),
    BeatKind.FIRST_STEP: _length(4, 1.65, 5),
    BeatKind.SLOW: _length(2, 0.9, 6),
    BeatKind.ACCELERATION: _length(3.5, 1, 600),
    BeatKind.FINISH: _length(2, 0.75, 3),
    BeatKind.OTHERS: _length(3, 1, 600),
    BeatKind.TURN: _length(0.6, 0.4, 0.8),
    BeatKind.SPOTLIGHT: _length(0.6, 0.4, 0.8),
    BeatKind.REMAINDER: _length(3.8, 0.85, 600),
    BeatKind.LAST_STEPS: _length(0.8, 0.8, 3),
    BeatKind.END: _length(0.8, 0.3, 1.5),
    BeatKind.CARD: _length(3, 2, 6),
}

_SHORT_LENGTHS = {
    BeatKind.OPENING: _length(1, 0.3, 2.5),
    BeatKind.RULES: _length(2.7, 2.15, 4.5),
    BeatKind.FIRST_STEP: _length(4, 2.9, 5),
    BeatKind.SLOW: _length(2, 0.1, 6),
    BeatKind.ACCELERATION: _length(3.5, 0.8, 600),
    BeatKind.FINISH: _length(2, 1, 3),
    BeatKind.SPOTLIGHT: _length(0.6, 0.3, 0.8),
    BeatKind.REMAINDER: _length(3.8, 0.8, 600),
    BeatKind.END: _length(0.8, 0.2, 1.5),
}
"""The lengths of some beats in a short story, whose sentences need their time: the beats in which
nothing is read are shorter."""

_TURN_LENGTHS = {
    BeatKind.OPENING: _length(0.5, 0.3, 2.5),
    BeatKind.RULES: _length(4.65, 2.8, 9),
    BeatKind.FIRST_STEP: _length(4.3, 3.3, 10),
    BeatKind.TURN: _length(0.5, 0.4, 0.8),
    BeatKind.SLOW: _length(1.6, 0.9, 6),
    BeatKind.ACCELERATION: _length(2.8, 1, 600),
    BeatKind.FINISH: _length(5.05, 1.6, 6),
    BeatKind.REMAINDER: _length(2.8, 0.85, 600),
    BeatKind.LAST_STEPS: _length(0.6, 0.6, 3),
    BeatKind.END: _length(1.55, 0.3, 1.6),
    BeatKind.CARD: _length(2.8, 2, 6),
}
"""The lengths of some beats if two searches take turns. The rules, the first step and the finish
have a part for each search, so that its board is large while its sentence is read."""


def lengths_of(*, turns: bool = False, short: bool = False) -> dict[BeatKind, BeatLength]:
    """The lengths of all beats in a film with `turns`, or in a `short` one."""
    lengths = _LENGTHS | (_SHORT_LENGTHS if short else {})
    return lengths | (_TURN_LENGTHS if turns else {})
