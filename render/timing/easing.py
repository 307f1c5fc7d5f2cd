"""How what moves begins and ends gently."""

from __future__ import annotations

__all__ = ["eased"]


def eased(share: float) -> float:
    """How far something has moved, 0..1, after `share` (0..1) of its time: cubic, slow at both
    ends."""
    return 4 * share**3 if share < 0.5 else 1 - 4 * (1 - share) ** 3
