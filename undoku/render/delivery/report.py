"""The report of a run, for programs and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from undoku.render.film.flash_meter import Flashes
from undoku.render.write.sink import Written
from undoku.solver.trace.trace import Tally

if TYPE_CHECKING:
    from undoku.render.write.soundtrack import Loudness

__all__ = ["Report"]


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a run: the outputs in the requested order, and the counts of the searches."""

    outputs: tuple[Written, ...]
    names: tuple[str, ...]
    tallies: tuple[Tally, ...] = field(repr=False)
    flashes: Flashes | None = None
    """The flashing of the film; None for a single picture and for a transparent film."""
    chosen: tuple[str, ...] = ()
    """The settings chosen for each output, if the film was fitted to limits."""
    sound: Loudness | None = None
    """The loudness of a film with sound."""

    def _repr_html_(self) -> str:
        """Two tables, in a notebook: the files, and the counts."""
        files = [
            (
                output.path,
                f"{output.frames:,}",
                f"{float(output.duration):,.2f}",
                f"{output.bytes:,}",
            )
            for output in self.outputs
        ]
        counts = [
            (name, tally.outcome, f"{tally.nodes:,}", f"{tally.steps:,}", f"{tally.backtracks:,}")
            for name, tally in zip(self.names, self.tallies, strict=True)
        ]
        return _table([("file", "frames", "seconds", "bytes"), *files]) + _table(
            [("strategy", "outcome", "nodes", "steps", "backtracks"), *counts]
        )


def _table(rows: Sequence[tuple[object, ...]]) -> str:
    """Rows below a row of headings, as HTML."""
    from html import escape

    lines = [
        "".join(f"<{tag}>{escape(str(text))}</{tag}>" for text in row)
        for tag, row in zip(["th", *["td"] * len(rows)], rows, strict=False)
    ]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
