"""The gallery of a batch: report.html, with stills, films that play in the page, and counts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from html import escape
from pathlib import PurePosixPath
from urllib.parse import quote

from render.batch.folder import BatchFolder
from render.batch.record import Entry
from render.sinks.staging import write_error

__all__ = ["REPORT", "STILLS", "still_name", "write_report"]

REPORT = "report.html"
STILLS = "report/stills"
"""Where the pictures lie that stand for films until they play."""

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
"""

_FILMS = {".mp4": "video/mp4", ".webm": "video/webm"}


def still_name(name: str) -> str:
    """The name of a film's still."""
    return f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.png"


def write_report(room: BatchFolder, films: Sequence[tuple[str, Entry | None, str]]) -> None:
    """Write report.html about films: name, entry (None where it failed), reason. The same films
    give the same bytes. Raises OutputError."""
    temporary = room.private / "report.part"
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            failed = sum(entry is None for _, entry, _ in films)
            count = f"{len(films):,} film{'s' * (len(films) != 1)}"
            summary = f"{count}, {failed:,} missing" if failed else count
            file.write(
                '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
                '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
                # Names come from a manifest: whatever they hold, no script runs in this page.
                '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
                "img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'\">\n"
                f"<title>{escape(summary)}</title>\n<style>{_STYLE}</style>\n"
                f"<h1>{escape(summary)}</h1>\n<ul>\n"
            )
            for name, entry, reason in films:
                file.write(_item(name, entry, reason))
            file.write("</ul>\n</html>\n")
        room.place(temporary, REPORT)
    except OSError as error:
        raise write_error(room.path / REPORT, error) from None
    finally:
        temporary.unlink(missing_ok=True)


def _item(name: str, entry: Entry | None, reason: str) -> str:
    if entry is None:
        return (
            f'<li class="failed"><div><h2>{escape(name)}</h2>\n<p>{escape(reason)}</p></div></li>\n'
        )
    # "./" keeps a colon in a first part from being read as a protocol.
    link = escape("./" + quote(name))
    still = escape(f"./{STILLS}/{still_name(name)}")
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in _FILMS:
        shown = (
            f'<video controls loop muted playsinline preload="none" poster="{still}">'
            f'<source src="{link}" type="{_FILMS[suffix]}"></video>'
        )
    else:
        shown = f'<a href="{link}"><img loading="lazy" src="{link}" alt="{escape(name)}"></a>'
    figures = f"{entry.frames:,} frames, {entry.duration:.2f} s, {entry.bytes:,} bytes"
    counts = "".join(f"<p>{escape(line)}</p>" for line in entry.counts.split("; "))
    return (
        f'<li>{shown}\n<div><h2><a href="{link}">{escape(name)}</a></h2>\n'
        f"<p>{figures}</p>{counts}</div></li>\n"
    )
