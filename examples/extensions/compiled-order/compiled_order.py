"""A compiled cell order: diagonal by diagonal, from the top left corner.

The record is in a module of its own, so that undoku can list the order without loading it.
"""

from __future__ import annotations

from undoku import Part, PartKind

__all__ = ["PARTS"]

PARTS = (
    Part(
        PartKind.CELLS,
        "compiled-diagonal",
        "Takes the empty cells along the diagonals, from the top left corner; compiled.",
        "an example of an extension",
        "compiled_diagonal:diagonal",
    ),
)
