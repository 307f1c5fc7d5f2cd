"""The page: one HTML file with a film's searches, the player's script and its style sheet.

The page loads nothing: its policy (CSP) allows only its script and its style sheet, by their
digests, so that neither a title nor a label can become markup or script. The script is joined from
the modules in `script/`, plain JavaScript, in the order in which they need each other, without
comments and indentation. Nothing else is done to them, so that a reader of the page can read them.
Each panel is a module in `script/panels/`, which adds it to the page, and a style sheet beside it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from undoku.errors import SettingsError
from undoku.player.page_content import page_content
from undoku.render.film.film import Film
from undoku.render.write.file_info import about_element

MAX_BYTES = 3_000_000
"""The maximum size of a page in bytes: readers have to wait for it."""

_PREVIEW = '<meta name="undoku-preview" content="follow">\n'


def film_page(film: Film, about: Sequence[tuple[str, str]] = ()) -> str:
    """The page of a film, with the metadata `about`, texts by name. Raises SettingsError if it
    would be too large."""
    page = page_of(page_content(film), about)
    size = len(page.encode())
    if size > MAX_BYTES:
        raise SettingsError(
            f"the page would have {size:,} bytes, and may have {MAX_BYTES:,}",
            remedy="make a film of the searches (-o film.mp4), or stop them earlier with "
            "--max-nodes",
        )
    return page


def page_of(
    content: Mapping[str, Any], about: Sequence[tuple[str, str]] = (), *, connects: bool = False
) -> str:
    """The page with this content (`undoku.player.page_content`). With `connects` it may send
    requests to its own server."""
    script, style = page_script(), page_style()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "img-src blob: data:",
            *(["connect-src 'self'"] if connects else []),
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        )
    )
    texts = content["texts"]
    direction = "rtl" if texts["rightToLeft"] else "ltr"
    shown = f"{content['title']} {content['verdict']}"  # without scripts
    return (
        f'<!doctype html>\n<html lang="{escape(texts["language"])}" dir="{direction}">\n<head>\n'
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="generator" content="undoku">\n'
        f"{_PREVIEW if connects else ''}"
        f"<title>{escape(content['title'])}</title>\n"
        f"{about_element(about)}"
        f"<style>{style}</style>\n</head>\n<body>\n"
        f'<div id="undoku-player"><noscript>{escape(shown)}</noscript></div>\n'
        f'<script type="application/json" id="undoku-content">{_json(content)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _json(content: Mapping[str, Any]) -> str:
    """JSON that can't end its HTML element."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@cache
def _digest(text: str) -> str:
    """The policy source that allows only this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


_FOLDER = Path(__file__).resolve().parent / "script"

_PANELS = _FOLDER / "panels"

_STYLES = ("page", "boards", "board", "charts", "cards", "controls", "overlays")
"""The style sheets, in the order in which browsers must read them, before those of the panels."""

_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"(\.[\w./-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export \{[^}]*\};\n|^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE
)
_DECLARATION = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_COMMENT = re.compile(
    r"^\s*//.*\n|^\s*/\*(?:(?!\*/)[\s\S])*\*/[ ]*\n|/\*\*(?:(?!\*/).)*\*/ ?", re.MULTILINE
)


@cache
def page_script() -> str:
    """The script of a page. Raises ValueError if two modules declare the same name."""
    modules: dict[Path, str] = {}
    for module in (*sorted(_PANELS.glob("*.js")), _FOLDER / "main.js"):
        _read_modules(module, modules)
    owners: dict[str, str] = {}
    for module, text in modules.items():
        for name in _DECLARATION.findall(text):
            if name in owners:
                raise ValueError(f"{module.name} and {owners[name]} both declare {name}")
            owners[name] = module.name
    return '"use strict";(() => {\n' + "".join(map(_unindented, modules.values())) + "})();\n"


def _read_modules(module: Path, modules: dict[Path, str]) -> None:
    """Add the texts of a module and of those that it needs, each after those that it needs."""
    if module in modules:
        return
    text = module.read_text("utf-8")
    for needed in _IMPORT.findall(text):
        _read_modules((module.parent / needed).resolve(), modules)
    modules[module] = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", text)))


@cache
def page_style() -> str:
    """The style sheet of a page."""
    styles = [_FOLDER / "styles" / f"{name}.css" for name in (*_STYLES, "sizes")]
    styles[-1:-1] = sorted(_PANELS.glob("*.css"))
    text = "\n".join(sheet.read_text("utf-8") for sheet in styles)
    return _unindented(re.sub(r"/\*[\s\S]*?\*/", "", text))


def _unindented(text: str) -> str:
    return "".join(f"{line.strip()}\n" for line in text.split("\n") if line.strip())
