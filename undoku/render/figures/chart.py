"""A figure of one or more searches, for a post or a paper, drawn by matplotlib.

It shows the number of steps of each search, then a row of small charts for each, all on common
scales. Letters are as large as the shape of the figure allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from undoku.errors import SettingsError
from undoku.render.draw.theme import load_theme
from undoku.render.draw.typefaces import load_typeface
from undoku.render.draw.typesetting import Typesetting
from undoku.render.figures.axes import COLUMNS, FOOT, PANELS, Account, Scales, draw_panel
from undoku.render.figures.figure_file import check_figure, figure_of, save_figure
from undoku.render.figures.figure_page import (
    LINE,
    SMALL,
    Item,
    Page,
    PageBox,
    hex_of,
    wrapped_text,
)
from undoku.render.figures.totals import steps_text, totals_item
from undoku.render.film.search_labels import labelled
from undoku.render.playback.history import History
from undoku.render.playback.survey import Choices
from undoku.render.write.staging import Staging, write_error
from undoku.solver.trace.steps import fold
from undoku.solver.trace.trace import Header, Outcome, Trace
from undoku.texts import figure_texts as say
from undoku.texts import wording as film_say
from undoku.texts.language_files import load_language

if TYPE_CHECKING:
    from undoku.render.figures.notebook_figure import ShownFigure

__all__ = ["MAX_SEARCHES", "figure", "write_chart"]

MAX_SEARCHES = 6
"""The maximum number of searches in one figure."""

_ROW = 4.2  # ems of a row of small charts
_GAP = 1.4
_BREAK = 0.9  # between two searches


def figure(
    traces: Sequence[Trace],
    theme: str = "light",
    *,
    title: str = "",
    size: tuple[float, float] | None = None,
    labels: Sequence[str] = (),
    texts: str = "",
    font: str = "",
) -> ShownFigure:
    """The matplotlib figure of one to six traces: their steps side by side, and for each depth
    over time, nodes per depth, children per node and options at choice. `size` is in inches; by
    default 10 across and as high as the charts need for letters that can be read on a phone.
    `labels` are the names of the first traces, `texts` the language and `font` the typeface, as a
    film has them. Each trace is read once, or twice when its steps are not known yet.

    Raises SettingsError for too many traces, more labels than traces, or an unknown theme, language
    or font.
    """
    if not 1 <= len(traces) <= MAX_SEARCHES:
        raise SettingsError(
            f"{len(traces)} searches in one chart", remedy=f"take 1 to {MAX_SEARCHES}"
        )
    colours = load_theme(theme)
    with Typesetting(load_language(texts), load_typeface(font)).within():
        headers = labelled((trace.header for trace in traces), labels)
        accounts = [
            _account(trace, header, hex_of(colours.search_colour(number)))
            for number, (trace, header) in enumerate(zip(traces, headers, strict=True))
        ]
        scales = Scales.of(accounts)

        def items_of(width: float) -> tuple[list[Item], list[Item]]:
            return _header(title, width), _items(accounts, scales, width)

        return figure_of(items_of, colours, size)


def _header(title: str, width: float) -> list[Item]:
    lines = wrapped_text(title, width, size=1.3, bold=True)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        for number, line in enumerate(lines):
            page.write(box.x, box.y + number * 1.3 * LINE, line, size=1.3, bold=True)

    return [Item(len(lines) * 1.3 * LINE + 0.7, draw)] if lines else []


def _items(accounts: Sequence[Account], scales: Scales, width: float) -> list[Item]:
    """The steps of all searches, then the charts of each; those of a single search are arranged two
    by two."""
    items = [totals_item(accounts, width, 0)] if len(accounts) > 1 else []
    across = len(PANELS) if len(accounts) > 1 else 2
    for number, account in enumerate(accounts, 1):
        items.append(_name_item(account, width, number, alone=len(accounts) == 1))
        for first in range(0, len(PANELS), across):
            items.append(_panels_item(account, scales, first, across, number, width))
    return items


def _name_item(account: Account, width: float, group: int, *, alone: bool) -> Item:
    """A square in the colour of a search, its name, and its counts."""
    tally, header = account.tally, account.header
    names = wrapped_text(header.label, width - 1.2, most=2, bold=True)
    counted = steps_text(account) if alone else ""
    for count in (
        film_say.NODES(count=tally.nodes),
        say.BACKTRACKS(count=tally.backtracks),
        *([film_say.CAPPED()] if tally.outcome is Outcome.CAPPED and not alone else []),
    ):
        counted = film_say.LIST_MIDDLE(first=counted, rest=count) if counted else count
    if header.strategy not in ("", header.label):
        counted = film_say.LABELLED(label=header.strategy, sentence=counted)
    counts = wrapped_text(counted, width, most=2)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        y = box.y + _BREAK
        page.fill(PageBox(box.x, y + 0.25, 0.8, 0.8), account.colour)
        for number, line in enumerate(names):
            page.write(box.x + 1.2, y + number * LINE, line, bold=True)
        for number, line in enumerate(counts, len(names)):
            page.write(box.x, y + number * LINE, line, muted=True)

    return Item(_BREAK + (len(names) + len(counts)) * LINE + 0.3, draw, group=group)


def _panels_item(
    account: Account, scales: Scales, first: int, across: int, group: int, width: float
) -> Item:
    """Charts side by side; the first of a column, and those of a single search, have titles."""
    shown = PANELS[first : first + across]
    alone = across < len(PANELS)
    wide = (width - (across - 1) * _GAP) / across
    titles = [wrapped_text(panel.title(), wide + _GAP / 2, size=SMALL) for panel in shown]
    head = max(map(len, titles)) * LINE * SMALL + 0.4

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        wide = (box.width - (across - 1) * _GAP) / across
        above = head if headed or alone else 0.4
        for number, panel in enumerate(shown):
            x = box.x + number * (wide + _GAP)
            if headed or alone:
                for row, line in enumerate(titles[number]):
                    page.write(x, box.y + row * LINE * SMALL, line, size=SMALL, muted=True)
            place = PageBox(x, box.y + above, wide, box.height - above)
            draw_panel(page, place, panel, account, scales)

    tall = (1.5 if alone else 1.0) * _ROW + FOOT
    if alone:
        return Item(head + tall + 0.4, draw, flex=1, group=group)
    return Item(0.4 + tall, draw, flex=1, group=group, head=head - 0.4)


def _account(trace: Trace, header: Header, colour: str) -> Account:
    tally = trace.tally()
    history = History(trace.header.puzzle, COLUMNS, tally.steps)
    choices = Choices(trace.header.puzzle)
    fold(trace, (history, choices))
    return Account(header, tally, history, choices, colour)


def write_chart(
    traces: Sequence[Trace],
    path: Path,
    theme: str = "light",
    *,
    title: str = "",
    size: tuple[float, float] | None = None,
    labels: Sequence[str] = (),
    texts: str = "",
    font: str = "",
    overwrite: bool = False,
) -> Path:
    """Write the figure of `traces` as PNG, SVG or PDF; the same traces give the same bytes.

    Raises SettingsError as `figure` and for another suffix, OutputError when it can't be written.
    """
    suffix = check_figure(path)
    made = figure(traces, theme, title=title, size=size, labels=labels, texts=texts, font=font)
    staging = Staging(path, overwrite=overwrite)
    try:
        save_figure(made, staging.temporary, suffix)
        staging.commit()
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        staging.discard()
    return path
