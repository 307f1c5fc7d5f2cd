"""The gallery of a batch: report.html, with stills, films that play in the page, and counts.

A browser loads the stills of all films of a page at once, so many films are spread over several
pages.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from urllib.parse import quote

from undoku.render.batch.batch_folder import BatchFolder
from undoku.render.batch.film_names import is_sidecar, stem_of
from undoku.render.batch.journal import Entry
from undoku.render.write.formats import InPages, known_format
from undoku.render.write.staging import write_error
from undoku.visible_text import visible

REPORT = "report.html"
STILLS = "report/stills"
"""The folder of the stills, which are shown until films play."""

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem;
       padding: 0 1rem; }
ul { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr));
     list-style: none; padding: 0; }
li { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: .5rem;
     overflow: hidden; }
video, img { aspect-ratio: 16 / 9; background: #000; display: block; object-fit: contain;
             width: 100%; }
div { padding: .6rem .8rem; }
h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { font-size: .85rem; margin: .3rem 0 0; overflow-wrap: anywhere; }
.failed { border-color: #c62828; }
nav a, nav b { margin-right: .6rem; }
"""

_PAGE = 200
"""The number of films on a page."""


def still_name(name: str) -> str:
    """The name of a film's still."""
    return f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.png"


def _escaped(text: str) -> str:
    """Foreign text as content of a page, without markup, invisible and reordering characters."""
    return html.escape(visible(text))


Card = tuple[str, Entry | None, str]
"""A film: its name, its entry (None where it is missing), the reason of that."""


def write_report(folder: BatchFolder, films: Sequence[Card]) -> None:
    """Write report.html about films and the files beside them, missing ones first; further pages
    are in the folder `report`. The same films give the same bytes. Raises OutputError.
    """
    cards = [card for card in films if card[1] is None or not is_sidecar(card[0])]
    cards.sort(key=lambda card: card[1] is not None)
    beside: dict[str, list[str]] = {}
    for name, entry, _ in films:
        if entry and is_sidecar(name):
            beside.setdefault(stem_of(name), []).append(name)
    missing = sum(entry is None for _, entry, _ in cards)
    number = sum(not is_sidecar(name) for name, _, _ in films)
    summary = f"{number:,} film{'s' * (number != 1)}" + f", {missing:,} missing" * bool(missing)
    pages = [cards[start : start + _PAGE] for start in range(0, len(cards), _PAGE)]
    for at, page in enumerate(pages):
        _write_page(folder, at, len(pages), summary, page, beside)
    for stale in count(len(pages)):  # of an earlier run with more films
        path = folder.path / _page_name(stale)
        if not path.is_file():
            break
        path.unlink()


def _page_name(number: int) -> str:
    return f"report/page-{number + 1}.html" if number else REPORT


def _write_page(
    folder: BatchFolder,
    number: int,
    pages: int,
    summary: str,
    cards: Sequence[Card],
    beside: Mapping[str, Sequence[str]],
) -> None:
    name, home = _page_name(number), "../" if number else "./"
    temporary = folder.private / "report.part"
    others = "".join(
        f"<b>{at + 1}</b>\n" if at == number else f'<a href="{home}{_page_name(at)}">{at + 1}</a>\n'
        for at in range(pages)
    )
    turn = f"<nav>{others}</nav>\n" if pages > 1 else ""
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(
                '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
                '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
                # Names come from a manifest: whatever they hold, no script runs in this page.
                '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
                "img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'\">\n"
                f"<title>{_escaped(summary)}</title>\n<style>{_STYLE}</style>\n"
                f"<h1>{_escaped(summary)}</h1>\n{turn}<ul>\n"
            )
            for film, entry, reason in cards:
                file.write(
                    _missing(film, reason)
                    if entry is None
                    else _card(film, entry, beside.get(stem_of(film), ()), home)
                )
            file.write(f"</ul>\n{turn}</html>\n")
        folder.place(temporary, name)
    except OSError as error:
        raise write_error(folder.path / name, error) from None
    finally:
        temporary.unlink(missing_ok=True)


def _missing(name: str, reason: str) -> str:
    return (
        f'<li class="failed"><div><h2>{_escaped(name)}</h2>\n<p>{_escaped(reason)}</p></div></li>\n'
    )


def _card(name: str, entry: Entry, beside: Sequence[str], home: str) -> str:
    # "./" or "../" keeps a colon in a first part from being read as a protocol.
    link = _escaped(home + quote(name))
    still = _escaped(f"{home}{STILLS}/{still_name(name)}")
    form = known_format(Path(name))
    if form and form.in_pages is InPages.VIDEO:
        shown = (
            f'<video controls loop muted playsinline preload="none" poster="{still}">'
            f'<source src="{link}" type="{form.mime}"></video>'
        )
    else:
        picture = link if form and form.in_pages is InPages.PICTURE else still
        shown = f'<a href="{link}"><img loading="lazy" src="{picture}" alt="{_escaped(name)}"></a>'
    counts = "".join(f"<p>{_escaped(line)}</p>" for line in entry.counts.split("; "))
    files = "".join(
        f'<p><a href="{_escaped(home + quote(other))}">{_escaped(other)}</a></p>'
        for other in beside
    )
    return (
        f'<li>{shown}\n<div><h2><a href="{link}">{_escaped(name)}</a></h2>\n'
        f"<p>{entry.figures}</p>{counts}{files}</div></li>\n"
    )
