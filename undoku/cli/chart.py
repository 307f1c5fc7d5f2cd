"""undoku chart: a figure of one search or several."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from undoku.cli.printing import Messages, reported
from undoku.cli.progress import SearchProgress
from undoku.cli.searches import labels_of, report_letters, traces_of, typesetting_of
from undoku.render.figures.chart import write_chart
from undoku.render.figures.figure_file import DOTS_PER_INCH, check_figure
from undoku.render.film.search_labels import labelled, search_names
from undoku.render.settings.number_kinds import parse_size
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    path = Path(options.output)
    check_figure(path)
    width, height = parse_size(options.size) if options.size else (0, 0)
    typesetting, labels, title = typesetting_of(options), labels_of(options), options.title or ""
    traces = traces_of(options)
    with typesetting.within():
        headers = labelled((trace.header for trace in traces), labels)
    texts = [
        title,
        *(text for header in headers for text in (header.label, header.strategy)),
    ]
    report_letters(typesetting, texts, Messages(quiet=options.quiet))
    names = search_names(trace.header for trace in traces)
    with SearchProgress(traces, names, quiet=options.quiet):
        write_chart(
            traces,
            path,
            options.theme or "light",
            title=title,
            size=(width / DOTS_PER_INCH, height / DOTS_PER_INCH) if width else None,
            labels=labels,
            texts=options.language or "",
            font=options.font or "",
            overwrite=options.yes,
        )
    with reported(path, replaced=options.yes):
        print(visible(str(path)))
    return 0
