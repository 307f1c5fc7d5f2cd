"""undoku chart: a figure of one search or several."""

from __future__ import annotations

from argparse import Namespace

from render.cli.commands.search_inputs import traces_of
from render.cli.commands.search_progress import SearchProgress
from render.figures.chart import chart_path, write_chart
from render.options.texts import parse_size

__all__ = ["run"]

_DOTS_PER_INCH = 144


def run(options: Namespace) -> int:
    path = chart_path(options.output)
    width, height = parse_size(options.size) if options.size else (0, 0)
    traces = traces_of(options)
    with SearchProgress(traces):
        write_chart(
            traces,
            path,
            options.theme,
            title=options.title,
            size=(width / _DOTS_PER_INCH, height / _DOTS_PER_INCH) if width else None,
            overwrite=options.yes,
        )
    print(path)
    return 0
