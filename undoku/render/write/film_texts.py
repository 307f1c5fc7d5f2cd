"""The metadata of the file of a film: texts by name."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.write.file_info import RECIPE
from undoku.solver.trace.trace import Header, Tally
from undoku.texts.text_lines import encodable

__all__ = ["about_film"]


def about_film(
    title: str, headers: Sequence[Header], tallies: Sequence[Tally], command: str, recipe: str
) -> tuple[tuple[str, str], ...]:
    """Title, puzzle, strategies and counts, and, if they exist, the command and the recipe."""
    labels = [header.label for header in headers]
    texts = {
        "title": title or " vs ".join(labels),
        "puzzle": ", ".join(dict.fromkeys(str(header.puzzle) for header in headers)),
        "strategies": ", ".join(header.name for header in headers),
        "counts": "; ".join(map(_counted, labels, tallies)),
    }
    if command:
        texts["command"] = command
    if recipe:
        texts[RECIPE] = recipe
    return tuple((name, encodable(text)) for name, text in texts.items())


def _counted(label: str, tally: Tally) -> str:
    """The counts of one search for the metadata."""
    return (
        f"{label}: {tally.outcome}, {tally.nodes} nodes, {tally.steps} steps, "
        f"{tally.backtracks} backtracks"
    )
