"""The script and the style sheet of a page, joined from the modules in `script/`.

The modules are plain JavaScript. They are joined in the order in which they need each other,
without comments and indentation. Nothing else is done to them, so that a reader of the page can
read them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["page_script", "page_style"]

_FOLDER = Path(__file__).parent / "script"

_STYLES = ("page", "boards", "board", "charts", "cards", "controls", "overlays", "sizes")
"""The style sheets, in the order in which browsers must read them."""

_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"\./([\w-]+\.js)";\n', re.MULTILINE)
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
    modules: dict[str, str] = {}
    _read_modules("main.js", modules)
    owners: dict[str, str] = {}
    for module, text in modules.items():
        for name in _DECLARATION.findall(text):
            if name in owners:
                raise ValueError(f"{module} and {owners[name]} both declare {name}")
            owners[name] = module
    return '"use strict";(() => {\n' + "".join(map(_unindented, modules.values())) + "})();\n"


def _read_modules(name: str, modules: dict[str, str]) -> None:
    """Add the texts of a module and of those that it needs, each after those that it needs."""
    if name in modules:
        return
    text = (_FOLDER / name).read_text("utf-8")
    for needed in _IMPORT.findall(text):
        _read_modules(needed, modules)
    modules[name] = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", text)))


@cache
def page_style() -> str:
    """The style sheet of a page."""
    sheets = [(_FOLDER / "styles" / f"{name}.css").read_text("utf-8") for name in _STYLES]
    return _unindented(re.sub(r"/\*[\s\S]*?\*/", "", "\n".join(sheets)))


def _unindented(text: str) -> str:
    return "".join(f"{line.strip()}\n" for line in text.split("\n") if line.strip())
