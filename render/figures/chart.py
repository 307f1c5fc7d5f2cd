"""A figure of one search or several, for a post or a paper: drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from render.figures.axes import (
    COLUMNS,
    Account,
    Style,
    draw_branching,
    draw_choices,
    draw_depths,
    draw_nodes,
    draw_totals,
    hex_of,
)
from render.playback.recorders.candidate_counts import Choices
from render.playback.recorders.history import History
from render.sinks.staging import Staging, write_error
from render.style.theme import Colour, Theme, contrast, interpolated, load_theme, mix
from solver.errors import SettingsError
from solver.trace import Trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from render.figures.notebook_figure import ShownFigure

__all__ = ["SUFFIXES", "chart_path", "figure", "write_chart"]

SUFFIXES = (".png", ".svg", ".pdf")

MOST = 6
"""Searches in one figure: more lines can't be told apart."""

_WIDE, _HIGH = 10.0, 7.5
"""Inches of a figure whose letters and lines have the sizes below; others grow with the figure."""

_LEAST_CONTRAST = 3.0
"""Of a line or bar with what it is drawn on: WCAG 2.2, success criterion 1.4.11."""

_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (1, 1)))


def figure(
    traces: Sequence[Trace],
    theme: str = "light",
    *,
    title: str = "",
    size: tuple[float, float] = (10.0, 7.5),
) -> ShownFigure:
    """The matplotlib figure of one to six traces: depth over time, nodes per depth, branching,
    candidates at choice, and totals. `size` is in inches. Each trace is read once, or twice when
    its steps are not known yet.

    Raises SettingsError for too many traces or an unknown theme.
    """
    if not 1 <= len(traces) <= MOST:
        raise SettingsError(f"{len(traces)} searches in one chart", remedy=f"take 1 to {MOST}")
    from render.figures.notebook_figure import ShownFigure  # takes a third of a second

    style = Style(load_theme(theme), min(size[0] / _WIDE, size[1] / _HIGH))
    colours = _colours(style.theme, len(traces))
    accounts = [
        _account(trace, colour, dash)
        for trace, colour, dash in zip(traces, colours, _DASHES, strict=False)
    ]
    made = ShownFigure(figsize=size, facecolor=hex_of(style.theme.ground), layout="constrained")
    made.get_layout_engine().set(w_pad=0.1 * style.scale)  # type: ignore[union-attr, call-arg]
    # Totals of many searches need room for their numbers.
    grid = made.add_gridspec(3, 2, height_ratios=(1.15, 1, max(1, 0.37 * len(accounts))))
    draw_depths(made.add_subplot(grid[0, :]), accounts, style)
    draw_nodes(made.add_subplot(grid[1, 0]), accounts, style)
    draw_branching(made.add_subplot(grid[1, 1]), accounts, style)
    draw_choices(made.add_subplot(grid[2, 0]), accounts, style)
    draw_totals(made.add_subplot(grid[2, 1]), accounts, style)
    _draw_legend(made, accounts if len(accounts) > 1 else [], title, style)
    return made


def _draw_legend(made: Figure, accounts: Sequence[Account], title: str, style: Style) -> None:
    """The title above the searches' names, which take as many lines as they need."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.lines import Line2D

    if not accounts and not title:
        return
    handles = [
        Line2D([], [], color=a.colour, linestyle=a.dash, linewidth=2 * style.scale, label=a.name)
        for a in accounts
    ]
    renderer = FigureCanvasAgg(made).get_renderer()  # type: ignore[no-untyped-call]
    for columns in range(max(1, len(accounts)), 0, -1):
        legend = made.legend(
            handles=handles, loc="outside upper left", ncols=columns, frameon=False,
            fontsize=10 * style.scale, handlelength=3, labelcolor=style.text,
            title=title or None, alignment="left",
            title_fontproperties={"weight": "bold", "size": 14 * style.scale},
        )  # fmt: skip
        legend.get_title().set_color(style.text)
        if legend.get_window_extent(renderer).width <= made.bbox.width or columns == 1:
            return
        legend.remove()


def _colours(theme: Theme, count: int) -> list[str]:
    """So many colours of the theme's scale; of many, every other one is as faint as can still be
    seen, so that neighbours differ."""
    if count == 1:
        return [hex_of(interpolated(theme.tints, 4)[1])]
    scale = interpolated(theme.tints, count)
    if count <= len(theme.tints):
        return list(map(hex_of, scale))
    return [
        hex_of(_faint(colour, theme) if number % 2 else colour)
        for number, colour in enumerate(scale)
    ]


def _faint(colour: Colour, theme: Theme) -> Colour:
    """The colour mixed with the ground of the axes, by half at most."""
    shares = (mix(colour, theme.cell, twentieths / 20) for twentieths in range(10, 0, -1))
    return next((one for one in shares if contrast(one, theme.cell) >= _LEAST_CONTRAST), colour)


def _account(trace: Trace, colour: str, dash: object) -> Account:
    tally = trace.tally()
    history = History(trace.header.puzzle, COLUMNS, tally.steps)
    choices = Choices(trace.header.puzzle)
    for chunk in trace.chunks():
        events = np.ascontiguousarray(chunk).view(np.uint32)
        history.record(events)
        choices.record(events)
    return Account(trace.header.name, tally, history, choices, colour, dash)


def chart_path(name: str) -> Path:
    """The path of a chart. Raises SettingsError for a suffix other than SUFFIXES."""
    path = Path(name)
    if path.suffix.lower() not in SUFFIXES:
        raise SettingsError(
            f"{name!r} is not a chart", remedy=f"give a name that ends in {', '.join(SUFFIXES)}"
        )
    return path


def write_chart(
    traces: Sequence[Trace],
    path: Path,
    theme: str = "light",
    *,
    title: str = "",
    size: tuple[float, float] = (10.0, 7.5),
    overwrite: bool = False,
) -> Path:
    """Write the figure of `traces` as PNG, SVG or PDF; the same traces give the same bytes.

    Raises SettingsError as `figure` and for another suffix, OutputError when it can't be written.
    """
    chart_path(str(path))
    made = figure(traces, theme, title=title, size=size)
    import matplotlib

    staging = Staging(path, overwrite=overwrite)
    suffix = path.suffix.lower()
    # No date, no random names: a chart depends on nothing but what it shows.
    about = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}[suffix]
    try:
        with matplotlib.rc_context({"svg.hashsalt": "undoku"}):
            made.savefig(staging.temporary, format=suffix[1:], dpi=144, metadata=about)
        staging.commit()
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        staging.discard()
    return path
