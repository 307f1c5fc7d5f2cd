"""The figure of a study: how the nodes of each strategy spread over the puzzles.

A strategy has a row of its own on a common axis, so that none hides another. What stands on capped
searches is hatched.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import SettingsError
from solver.study.journal import OUTCOMES, Journal
from solver.study.summary import QUANTILES, StrategySummary, Summary, puzzles_text, share_text
from solver.trace import Outcome

__all__ = ["FIGURES", "check_figure", "draw_study"]

FIGURES = (".png", ".svg", ".pdf")
"""The formats that a figure can have."""

_BINS = 60
_SPAN = 100.0  # an axis shows at least this ratio, so that it has two powers of ten
_LETTERS = 68  # of a line over a row
# Okabe and Ito's colours, which people with any colour vision tell apart.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#000000")


def check_figure(suffix: str) -> None:
    """Raises SettingsError for a format that no figure has."""
    if suffix not in FIGURES:
        raise SettingsError(
            f"a figure has no format {suffix!r}", remedy=f"end its name in {', '.join(FIGURES)}"
        )


def draw_study(journal: Journal, summary: Summary, path: Path, suffix: str) -> None:
    """Draw two charts for each strategy into `path`: the share of puzzles by nodes, and by the
    ratio to the first strategy, puzzle by puzzle. `suffix` is one of FIGURES.

    Raises SettingsError for another suffix or a study of no puzzle; OSError.
    """
    check_figure(suffix)
    if not summary.puzzles:
        raise SettingsError("a study of no puzzle has no figure", remedy="give a puzzle")
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    nodes = journal.column("nodes")
    capped = journal.column("outcome") == OUTCOMES.index(Outcome.CAPPED)
    rows = nodes.shape[1]
    # Nothing of the moment: the same study gives the same bytes.
    metadata: dict[str, Any] = {".png": {"Software": None}, ".svg": {"Date": None}}.get(
        suffix, {"CreationDate": None}
    )
    with mpl.rc_context({"svg.hashsalt": "undoku", "hatch.linewidth": 0.6}):
        size = (12 if rows > 1 else 7, max(4.5, 1 + 1.25 * rows))
        figure = Figure(figsize=size, dpi=120, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(rows, 2 if rows > 1 else 1, squeeze=False, sharex="col")
        edges = _edges(nodes)
        for number, one in enumerate(summary.strategies):
            _draw_row(axes[number, 0], nodes[:, number], capped[:, number], edges, number)
            axes[number, 0].axvline(one.median, color="black", linestyle="--", linewidth=1)
            _write_over(axes[number, 0], _spread_text(one))
        axes[-1, 0].set_xlabel("nodes (dashed: the median)")
        if rows > 1:
            _draw_ratios(axes[:, 1], nodes, capped, summary)
        figure.suptitle(puzzles_text(summary.puzzles))
        figure.supylabel("% of the puzzles", fontsize="medium")
        figure.savefig(path, format=suffix[1:], metadata=metadata)


def _draw_ratios(
    axes: Any, nodes: NDArray[np.int64], capped: NDArray[np.bool_], summary: Summary
) -> None:
    ratios = nodes[:, 1:] / nodes[:, :1]
    edges = _edges(np.append(ratios, 1.0))
    first = summary.strategies[0].name
    axes[0].axis("off")
    said = f"nodes divided by those of {first} on the same puzzle: geometric mean (95 % interval)"
    axes[0].text(0, 0, textwrap.fill(said, _LETTERS), transform=axes[0].transAxes)
    for number, one in enumerate(summary.strategies[1:], 1):
        bound = capped[:, number] | capped[:, 0]
        _draw_row(axes[number], ratios[:, number - 1], bound, edges, number)
        axes[number].axvline(1, color="black", linewidth=1)
        _write_over(axes[number], _ratio_text(one, float(bound.mean())))
    axes[-1].set_xlabel(f"ratio to {first}")


def _draw_row(
    axes: Any,
    values: NDArray[Any],
    bound: NDArray[np.bool_],
    edges: NDArray[np.float64],
    number: int,
) -> None:
    """A histogram in percent; the part that is `bound` stands hatched on the rest."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

    colour = _COLOURS[number % len(_COLOURS)]
    exact, capped = (
        np.histogram(values[those], edges)[0] / len(values) * 100 for those in (~bound, bound)
    )
    axes.stairs(exact, edges, color=colour, fill=True)
    if bound.any():
        axes.stairs(exact + capped, edges, baseline=exact, fill=True, facecolor="white",
                    edgecolor=colour, hatch="/////", linewidth=0.6)  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_locator(MaxNLocator(3))
    axes.spines[["top", "right"]].set_visible(False)


def _edges(values: NDArray[Any]) -> NDArray[np.float64]:
    """The borders of the bins, evenly spaced by ratio, with all values well inside."""
    low, high = float(values.min()) / 1.15, float(values.max()) * 1.15
    wider = max(1.0, (_SPAN * low / high) ** 0.5)
    return np.geomspace(low / wider, high * wider, _BINS + 1)


def _write_over(axes: Any, text: str) -> None:
    axes.set_title(textwrap.fill(text, _LETTERS), loc="left", fontsize="medium")


def _spread_text(one: StrategySummary) -> str:
    bound = "≥" * (QUANTILES.index(0.5) >= one.exact)
    capped = f", {share_text(one.capped)} capped (hatched)" if one.capped else ""
    return f"{one.name}: median {bound}{one.median:,.0f}{capped}"


def _ratio_text(one: StrategySummary, bound: float) -> str:
    interval = "" if one.low is None else f" ({one.low:.3g} to {one.high:.3g})"
    capped = f", {share_text(bound)} capped (hatched)" if bound else ""
    return f"{one.name}: {one.ratio:.3g}{interval}{capped}"
