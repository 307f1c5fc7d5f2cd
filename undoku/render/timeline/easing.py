"""Eased movements."""

from __future__ import annotations


def eased(share: float) -> float:
    """The part of a movement, 0..1, that is complete after `share` (0..1) of its time: a cubic that
    is slow at both ends."""
    return 4 * share**3 if share < 0.5 else 1 - 4 * (1 - share) ** 3
