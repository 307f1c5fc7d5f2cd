"""Snippets to paste: a film in a page, with alternatives for screen readers and reduced motion."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from undoku.render.write.formats import InPages, format_of
from undoku.render.write.sink import Written
from undoku.solver.trace.trace import Outcome, Tally
from undoku.visible_text import visible


def still_path(path: Path) -> Path:
    """The still picture beside a film: film.mp4 has film.still.png; a PNG or SVG is its own still
    picture."""
    chosen = format_of(path)
    if chosen.still and chosen.in_pages is InPages.PICTURE:
        return path
    # A PNG with a per cent sign in its name would be a sequence.
    return path.with_name(f"{path.stem.replace('%', '_')}.still.png")


def alt_text(names: Sequence[str], tallies: Sequence[Tally]) -> str:
    """A description of the film in words, for readers who can't see it."""
    ends = {
        Outcome.SOLVED: "solves the puzzle in {} steps",
        Outcome.EXHAUSTED: "searches the whole tree in {} steps",
        Outcome.CAPPED: "is stopped after {} steps",
    }
    descriptions = [
        f"{name} {ends[tally.outcome].format(f'{tally.steps:,}')}"
        for name, tally in zip(names, tallies, strict=True)
    ]
    if len(descriptions) == 1:
        return f"A backtracking search, step by step: {descriptions[0]}."
    *others, last = descriptions
    return f"Backtracking searches side by side: {', '.join(others)}; {last}."


def snippet(
    language: str, output: Written, still: Path, names: Sequence[str], tallies: Sequence[Tally]
) -> str:
    """HTML or Markdown (`language` "html" or "markdown") that shows `output`.

    Animated pictures are replaced by `still` for readers who prefer reduced motion; films have
    controls and show `still` until they play.
    """
    alt = visible(alt_text(names, tallies))
    # Only the name: the page is in the same folder as the files.
    source, poster = quote(output.path.name), quote(still.name)
    size = f'width="{output.width}" height="{output.height}"'
    shown = format_of(output.path)
    if shown.in_pages is InPages.VIDEO:
        # Markdown has no syntax for films, but allows HTML.
        return (
            f'<video controls muted playsinline preload="none" {size} poster="{poster}" '
            f'aria-label="{escape(alt)}">\n'
            f'  <source src="{source}" type="{shown.mime}">\n'
            f"  {escape(alt)}\n"
            "</video>"
        )
    if shown.in_pages is InPages.FRAME and language == "html":
        # The page needs only scripts: no origin, no forms, no windows.
        return (
            f'<iframe src="{source}" sandbox="allow-scripts" allow="clipboard-write" {size} '
            f'loading="lazy" title="{escape(alt)}" style="border:0;max-width:100%"></iframe>'
        )
    if shown.in_pages in (InPages.LINK, InPages.FRAME):
        # Pages can't show it; they show the same picture and link to it.
        if language == "markdown":
            return f"[![{_escaped_markdown(alt)}]({poster})]({source})"
        return f'<a href="{source}"><img src="{poster}" {size} alt="{escape(alt)}"></a>'
    if still == output.path:
        if language == "markdown":
            return f"![{_escaped_markdown(alt)}]({source})"
        return f'<img src="{source}" {size} alt="{escape(alt)}">'
    if language == "markdown":
        # GitHub and most renderers allow this HTML: a picture with a still for reduced motion.
        return (
            f'<picture><source media="(prefers-reduced-motion: reduce)" srcset="{poster}">'
            f'<img src="{source}" {size} alt="{escape(alt)}"></picture>'
        )
    return (
        "<picture>\n"
        f'  <source media="(prefers-reduced-motion: reduce)" srcset="{poster}">\n'
        f'  <img src="{source}" {size} alt="{escape(alt)}">\n'
        "</picture>"
    )


def _escaped_markdown(text: str) -> str:
    return escape("".join("\\" + mark if mark in "\\[]*_`" else mark for mark in text), quote=False)
