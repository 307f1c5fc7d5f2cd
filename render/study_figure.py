"""The figure of a study: how the nodes of each strategy spread over the puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import SettingsError
from solver.study_journal import OUTCOMES, Journal
from solver.study_summary import Summary
from solver.trace import Outcome

__all__ = ["FIGURES", "check_figure", "draw_study"]

FIGURES = (".png", ".svg", ".pdf")
"""The formats that a figure can have."""

_BINS = 60
# Okabe and Ito's colours, which people with any colour vision tell apart.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#000000")


def check_figure(suffix: str) -> None:
    """Raises SettingsError for a format that no figure has."""
    if suffix not in FIGURES:
        raise SettingsError(
            f"a figure has no format {suffix!r}", remedy=f"end its name in {', '.join(FIGURES)}"
        )


def draw_study(journal: Journal, summary: Summary, path: Path, suffix: str) -> None:
    """Draw two charts into `path`: the share of puzzles by nodes, and the ratio to the first
    strategy, puzzle by puzzle. `suffix` is one of FIGURES.

    Raises SettingsError for another suffix or a study of no puzzle; OSError.
    """
    check_figure(suffix)
    if not summary.puzzles:
        raise SettingsError("a study of no puzzle has no figure", remedy="give a puzzle")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    nodes = journal.column("nodes")
    capped = journal.column("outcome") == OUTCOMES.index(Outcome.CAPPED)
    several = nodes.shape[1] > 1
    figure = Figure(figsize=(12 if several else 7, 4.5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 2 if several else 1, squeeze=False)[0]
    _draw_spread(axes[0], nodes, capped, summary)
    if several:
        _draw_ratios(axes[1], nodes, summary)
    # Nothing of the moment: the same study gives the same bytes.
    metadata: dict[str, Any] = {".png": {"Software": None}, ".svg": {"Date": None}}.get(
        suffix, {"CreationDate": None}
    )
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "undoku"}):
        figure.savefig(path, format=suffix[1:], metadata=metadata)


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _draw_spread(
    axes: Any, nodes: NDArray[np.int64], capped: NDArray[np.bool_], summary: Summary
) -> None:
    edges = np.geomspace(max(1, nodes.min()), max(2, nodes.max() * 1.01), _BINS)
    for number, one in enumerate(summary.strategies):
        share, _ = np.histogram(nodes[:, number], edges)
        label = f"{one.name}: median {one.median:,.0f}"
        if capped[:, number].any():
            label += f", {one.capped:.1%} capped"
        axes.stairs(share / summary.puzzles * 100, edges, label=label, color=_colour(number),
                    fill=True, alpha=0.35)  # fmt: skip
        axes.axvline(one.median, color=_colour(number), linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlabel("nodes")
    axes.set_ylabel("% of puzzles")
    axes.set_title(f"{summary.puzzles:,} puzzles")
    axes.legend(frameon=False)


def _draw_ratios(axes: Any, nodes: NDArray[np.int64], summary: Summary) -> None:
    ratios = nodes[:, 1:] / nodes[:, :1]
    edges = np.geomspace(ratios.min() * 0.99, ratios.max() * 1.01 + 1e-9, _BINS)
    for number, one in enumerate(summary.strategies[1:], 1):
        share, _ = np.histogram(ratios[:, number - 1], edges)
        axes.stairs(share / summary.puzzles * 100, edges, color=_colour(number), fill=True,
                    alpha=0.35,
                    label=f"{one.name}: {one.ratio:.3g} ({one.low:.3g} to {one.high:.3g})"
                    )  # fmt: skip
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    first = summary.strategies[0].name
    axes.set_xlabel(f"nodes by those of {first} on the same puzzle")
    axes.set_ylabel("% of puzzles")
    axes.set_title("paired")
    axes.legend(frameon=False, title="geometric mean (95 % interval)")
