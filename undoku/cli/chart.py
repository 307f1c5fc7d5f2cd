"""undoku chart: a figure of one search or several."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from undoku.cli.printing import Messages, reported
from undoku.cli.progress import SearchProgress
from undoku.cli.searches import labels_of, searches_of
from undoku.errors import SettingsError
from undoku.render.delivery.outputs import outputs_among
from undoku.render.draw.typesetting import Typesetting
from undoku.render.figures.chart import figure
from undoku.render.figures.figure_file import DOTS_PER_INCH, check_figure, write_figure
from undoku.render.film.search_labels import labelled, search_names
from undoku.render.settings.number_kinds import parse_size
from undoku.solver.trace.search_trace import Limits
from undoku.solver.trace.subjects import Subject, traces_of
from undoku.toml_reading import shown
from undoku.visible_text import visible

if TYPE_CHECKING:
    from undoku.render.figures.matplotlib_parts import ShownFigure


def run(options: Namespace) -> int:
    path = Path(options.output)
    check_figure(path)
    width, height = parse_size(options.size) if options.size else (0, 0)
    typesetting = Typesetting.of(options.language or "", options.font or "")
    labels, title = labels_of(options), options.title or ""
    traces = searches_of(options)
    with typesetting.about(traces[0].header.puzzle.problem).within():
        headers = labelled((trace.header for trace in traces), labels)
    texts = [
        title,
        *(text for header in headers for text in (header.label, header.strategy)),
    ]
    say = Messages(quiet=options.quiet)
    for warning in typesetting.warnings(texts):
        say(warning)
    names = search_names(trace.header for trace in traces)
    with SearchProgress(traces, names, quiet=options.quiet):
        made = figure(
            traces,
            options.theme or "light",
            title=title,
            size=(width / DOTS_PER_INCH, height / DOTS_PER_INCH) if width else None,
            labels=labels,
            texts=options.language or "",
            font=options.font or "",
        )
        write_figure(made, path, overwrite=options.yes)
    with reported(path, replaced=options.yes):
        print(visible(str(path)))
    return 0


def chart(
    *subjects: Subject,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    theme: str = "light",
    title: str = "",
    size: tuple[float, float] | None = None,
    labels: Sequence[str] = (),
    language: str = "",
    font: str = "",
) -> ShownFigure:
    """The chart of one to six searches, as `undoku.solve` takes them, as a matplotlib figure, which
    notebooks display: the steps of all, and depth, nodes, branching and choices of each. The names
    of .png, .svg and .pdf files among the arguments are outputs; existing files are replaced.

    `size` is in inches; by default 10 wide, and as high as the charts need. `labels` are the names
    of the first searches.

    Raises PuzzleError, StrategyError, TraceError, SettingsError; OutputError if a file can't be
    written.

    >>> figure = undoku.chart("1.....3..4.....2", "mrv", "steps.svg")
    >>> float(figure.get_figwidth())
    10.0
    """
    inputs, outputs = outputs_among(subjects)
    traces = traces_of(inputs, Limits(max_nodes, exhaustive, max_seconds))
    if size and not 1 / DOTS_PER_INCH <= min(size) <= max(size) <= 1000:
        raise SettingsError(
            f"a size is width and height, 1/{DOTS_PER_INCH} to 1,000 inches, not {shown(size)}"
        )
    made = figure(traces, theme, title=title, size=size, labels=labels, texts=language, font=font)
    for path in outputs:
        write_figure(made, path, overwrite=True)
    return made
