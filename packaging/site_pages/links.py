"""Finds links and files of a site that lead nowhere, and what it would load from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The anchors of a page, what it links to, what it loads, and pictures without a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.wordless: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        self.anchors |= {values[key] for key in ("id", "name") if key in values}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        for key in ("src", "poster", "data-film"):
            if values.get(key):
                self.loads.append(values[key])
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "search", "index"):
            self.loads.append(values["href"])
        if tag == "img" and not values.get("alt"):
            self.wordless.append(values.get("src", ""))


def broken_links(site: Path) -> list[str]:
    """A sentence for each link that leads nowhere, file that is missing, picture without a text,
    and file that comes from another host."""
    pages = {path: _Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))
             if "films" not in path.relative_to(site).parts}  # fmt: skip
    return [sentence for path, page in pages.items() for sentence in _faults(site, path, pages)]


def _faults(site: Path, path: Path, pages: dict[Path, _Page]) -> Iterator[str]:
    name, page = path.relative_to(site).as_posix(), pages[path]
    for picture in page.wordless:
        yield f"{name}: {picture} has no text"
    for link in page.loads:
        if urlsplit(link).netloc:
            yield f"{name}: {link} comes from another host"
    for link in [*page.links, *page.loads]:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
        if not target.is_file():
            yield f"{name}: {link} is missing"
        elif (
            parts.fragment
            and target in pages
            and unquote(parts.fragment) not in pages[target].anchors
        ):
            yield f"{name}: {link} has no such place"
