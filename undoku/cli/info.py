"""undoku info: prints the metadata of a file made by undoku."""

from __future__ import annotations

from argparse import Namespace
from fractions import Fraction
from pathlib import Path

from undoku.cli.printing import print_json
from undoku.render.write.file_info import RECIPE, about_of, chapters_of
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    path = Path(options.file)
    found, chapters = about_of(path), chapters_of(path)
    if options.json:
        listed = [{"seconds": round(float(start), 6), "title": title} for start, title in chapters]
        print_json({**found, "chapters": listed} if listed else found)
        return 0
    shown = [(visible(name), text) for name, text in found.items() if name != RECIPE]
    names = ["chapters", *[""] * (len(chapters) - 1)]
    shown += [
        (name, f"{_clock(start)}  {title}")
        for name, (start, title) in zip(names, chapters, strict=False)
    ]
    width = max((len(name) for name, _ in shown), default=0)
    for name, text in shown:
        print(f"{name:<{width}}  {visible(text)}")
    return 0


def _clock(seconds: Fraction) -> str:
    """minutes:seconds with milliseconds, rounded to the nearest."""
    minutes, rest = divmod(round(seconds * 1000), 60_000)
    return f"{minutes}:{rest // 1000:02}.{rest % 1000:03}"
