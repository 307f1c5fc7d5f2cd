"""A figure of one search or several, for a post or a paper: drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from render.recorders.choices import Choices
from render.recorders.history import History
from render.sinks.staging import Staging, write_error
from render.theme import TINTS, Colour, Theme, load_theme
from solver.errors import SettingsError
from solver.trace import Outcome, Tally, Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SUFFIXES", "chart_path", "figure", "write_chart"]

SUFFIXES = (".png", ".svg", ".pdf")

MOST = 6
"""Searches in one figure: more lines can't be told apart."""

_COLUMNS = 1200
_ORIGIN = 0.7
"""Where a log axis of counts begins, so that 1 is a bar and 0 is none."""

_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (1, 1)))


@dataclass(frozen=True)
class _Account:
    """A search as the figure needs it."""

    name: str
    tally: Tally
    history: History
    choices: Choices
    colour: str
    dash: object


def figure(
    traces: Sequence[Trace],
    theme: str = "light",
    *,
    title: str = "",
    size: tuple[float, float] = (10.0, 7.5),
) -> Figure:
    """The matplotlib figure of one to six traces: depth over time, nodes per depth, branching,
    candidates at choice, and totals. `size` is in inches. Each trace is read once, or twice when
    its steps are not known yet.

    Raises SettingsError for too many traces or an unknown theme.
    """
    if not 1 <= len(traces) <= MOST:
        raise SettingsError(f"{len(traces)} searches in one chart", remedy=f"take 1 to {MOST}")
    from matplotlib.figure import Figure  # takes a third of a second
    from matplotlib.lines import Line2D

    colours = load_theme(theme)
    accounts = [_account(trace, number, traces, colours) for number, trace in enumerate(traces)]
    made = Figure(figsize=size, facecolor=_hex(colours.ground), layout="constrained")
    grid = made.add_gridspec(3, 2, height_ratios=(1.15, 1, 1))
    _draw_depths(made.add_subplot(grid[0, :]), accounts, colours)
    _draw_nodes(made.add_subplot(grid[1, 0]), accounts, colours)
    _draw_branching(made.add_subplot(grid[1, 1]), accounts, colours)
    _draw_choices(made.add_subplot(grid[2, 0]), accounts, colours)
    _draw_totals(made.add_subplot(grid[2, 1]), accounts, colours)
    if title:
        made.suptitle(
            title, color=_hex(colours.text), fontsize=14, fontweight="bold", x=0.01, ha="left"
        )
    if len(accounts) > 1:
        made.legend(  # type: ignore[call-overload]  # the stubs lack Legend's keywords
            handles=[
                Line2D([], [], color=a.colour, linestyle=a.dash, linewidth=2, label=a.name)  # type: ignore[arg-type]  # any form of dashes
                for a in accounts
            ],
            loc="outside upper right", ncols=len(accounts), frameon=False, fontsize=10,
            handlelength=3,
            labelcolor=_hex(colours.text),
        )  # fmt: skip
    return made


def _account(trace: Trace, number: int, traces: Sequence[Trace], theme: Theme) -> _Account:
    tally = trace.tally()
    history = History(trace.header.puzzle, _COLUMNS, tally.steps)
    choices = Choices(trace.header.puzzle)
    for chunk in trace.chunks():
        events = np.ascontiguousarray(chunk).view(np.uint32)
        history.record(events)
        choices.record(events)
    tint = number * (TINTS - 1) // max(1, len(traces) - 1)
    colour = theme.scale[tint] if len(traces) > 1 else theme.scale[TINTS // 3]
    return _Account(
        trace.header.name, tally, history, choices, _hex(colour), _DASHES[number % len(_DASHES)]
    )


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _dress(axes: Axes, theme: Theme, title: str, across: str, up: str) -> None:
    """The theme's colours, a title, and what the axes count."""
    axes.set_facecolor(_hex(theme.cell))
    axes.set_title(title, color=_hex(theme.text), fontsize=11, loc="left")
    axes.set_xlabel(across, color=_hex(theme.muted), fontsize=9)
    axes.set_ylabel(up, color=_hex(theme.muted), fontsize=9)
    axes.tick_params(colors=_hex(theme.muted), labelsize=9)
    axes.grid(visible=True, color=_hex(theme.line), linewidth=0.6)
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(_hex(theme.strong_line))


def _draw_depths(axes: Axes, accounts: Sequence[_Account], theme: Theme) -> None:
    """The band from the least depth to the greatest, at each of _COLUMNS times."""
    for account in reversed(accounts):
        history = account.history
        steps = np.arange(history.reached) * history.total / _COLUMNS
        low, high = history.low[: history.reached], history.high[: history.reached]
        axes.fill_between(steps, low, high, color=account.colour, alpha=0.45, linewidth=0)
        axes.plot(steps, high, color=account.colour, linewidth=0.9)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    _dress(axes, theme, "Depth over time", "steps", "depth")


def _draw_nodes(axes: Axes, accounts: Sequence[_Account], theme: Theme) -> None:
    for account in accounts:
        nodes = account.history.nodes[: account.tally.max_depth + 1]
        axes.step(
            np.arange(len(nodes)), nodes, where="mid", color=account.colour,
            linestyle=account.dash, linewidth=1.5,
        )  # fmt: skip
    axes.set_yscale("log")
    axes.set_xlim(left=0)
    _dress(axes, theme, "Nodes per depth", "depth", "nodes (log)")


def _draw_branching(axes: Axes, accounts: Sequence[_Account], theme: Theme) -> None:
    """Children per node, at each depth: above 1 a tree grows, below it dies back."""
    for account in accounts:
        nodes = account.history.nodes[: account.tally.max_depth + 1].astype(float)
        axes.plot(
            np.arange(len(nodes) - 1), nodes[1:] / np.maximum(1, nodes[:-1]),
            color=account.colour, linestyle=account.dash, linewidth=1.5,
        )  # fmt: skip
    axes.axhline(1, color=_hex(theme.strong_line), linewidth=0.8)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    _dress(axes, theme, "Branching", "depth", "children per node")


def _draw_choices(axes: Axes, accounts: Sequence[_Account], theme: Theme) -> None:
    """The share of nodes whose chosen cell had so many candidates."""
    width = 0.8 / len(accounts)
    most = 1
    for number, account in enumerate(accounts):
        counts = account.choices.counts
        share = 100 * counts / max(1, counts.sum())
        most = max(most, int(np.flatnonzero(counts).max(initial=1)))
        places = np.arange(len(counts)) + (number - (len(accounts) - 1) / 2) * width
        axes.bar(places, share, width, color=account.colour)
    axes.set_xlim(0.5, most + 0.5)
    axes.set_xticks(range(1, most + 1))
    _dress(axes, theme, "Candidates of the chosen cell", "candidates", "% of choices")


def _draw_totals(axes: Axes, accounts: Sequence[_Account], theme: Theme) -> None:
    """Steps, nodes and backtracks as bars on a log axis, each with its number."""
    kinds = ("steps", "nodes", "backtracks")
    height = 0.8 / len(accounts)
    for number, account in enumerate(accounts):
        totals = [getattr(account.tally, kind) for kind in kinds]
        places = np.arange(len(kinds)) + (number - (len(accounts) - 1) / 2) * height
        axes.barh(places, [max(total, _ORIGIN) for total in totals], height, color=account.colour)
        capped = " (capped)" if account.tally.outcome is Outcome.CAPPED else ""
        for place, total in zip(places, totals, strict=True):
            axes.text(
                max(total, _ORIGIN) * 1.15, place, f"{total:,}{capped}", va="center", fontsize=8,
                color=_hex(theme.text),
            )  # fmt: skip
    axes.set_xscale("log")
    largest = max(account.tally.steps for account in accounts)
    # The numbers stand behind the bars and need room.
    axes.set_xlim(_ORIGIN, max(10, largest) ** 1.3 * 3)
    axes.set_yticks(range(len(kinds)), kinds)
    axes.invert_yaxis()
    _dress(axes, theme, "Totals", "count (log)", "")


def chart_path(name: str) -> Path:
    """The path of a chart. Raises SettingsError for a suffix other than SUFFIXES."""
    path = Path(name)
    if path.suffix.lower() not in SUFFIXES:
        raise SettingsError(
            f"{name!r} is no chart", remedy=f"give a name that ends in {', '.join(SUFFIXES)}"
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
