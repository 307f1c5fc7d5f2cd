"""Eased movements, and how often they are drawn."""

from __future__ import annotations

from fractions import Fraction

_PICTURES = 30
"""Pictures per second of movements: more are hardly visible, and each is completely new."""


def frames_each(fps: Fraction) -> int:
    """The number of frames for which each picture of a movement is shown."""
    return max(1, round(fps / _PICTURES))


def drawn_frame(frame: int, each: int) -> int:
    """The frame of a movement (from 0, its beginning) that is drawn on `frame` if each picture is
    shown for `each` frames: the last one of these."""
    return -(-frame // each) * each


def eased(share: float) -> float:
    """The part of a movement, 0..1, that is complete after `share` (0..1) of its time: a cubic that
    is slow at both ends."""
    return 4 * share**3 if share < 0.5 else 1 - 4 * (1 - share) ** 3
