"""Eased movements, and how often they are drawn."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["drawn_frame", "eased", "frames_each"]

_PICTURES = 30
"""Pictures per second of movements: more are hardly visible, and each is completely new."""


def frames_each(fps: Fraction) -> int:
    """For how many frames each picture of a movement stands."""
    return max(1, round(fps / _PICTURES))


def drawn_frame(frame: int, each: int) -> int:
    """The frame of a movement (0 is where it begins) that is drawn on `frame` where each picture
    stands for `each` frames: their last one."""
    return -(-frame // each) * each


def eased(share: float) -> float:
    """How far something has moved, 0..1, after `share` (0..1) of its time: cubic, slow at both
    ends."""
    return 4 * share**3 if share < 0.5 else 1 - 4 * (1 - share) ** 3
