"""Builds the player: python player/bundle.py

Puts the modules of `src/` into one script, in the order in which they need each other, and writes
it and the style sheet to `undoku/player/built/`, without comments and indentation. Nothing else is
done to them, so that a reader of the page can read them. With --check it only says whether the
built files are current, by its exit status.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SOURCES = FOLDER / "src"
BUILT = FOLDER.parent / "undoku" / "player" / "built"

STYLES = ("page", "boards", "board", "charts", "cards", "controls", "overlays", "sizes")

_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"\./([\w-]+\.js)";\n', re.MULTILINE)
_REEXPORT = re.compile(r"^export \{[^}]*\};\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)
_DECLARED = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*\n|^\s*/\*(?:(?!\*/)[\s\S])*\*/[ ]*\n", re.MULTILINE)
_CAST = re.compile(r"/\*\*(?:(?!\*/).)*\*/ ?")


def modules(name: str, found: dict[str, str]) -> dict[str, str]:
    """The modules that `name` needs and itself, each after those it needs."""
    if name in found:
        return found
    text = (SOURCES / name).read_text("utf-8")
    for needed in _IMPORT.findall(text):
        modules(needed, found)
    found[name] = text
    return found


def script() -> str:
    """The script of the player. Raises SystemExit where two modules declare the same name."""
    parts: list[str] = []
    owners: dict[str, str] = {}
    for name, text in modules("main.js", {}).items():
        plain = _EXPORT.sub("", _REEXPORT.sub("", _IMPORT.sub("", text)))
        for declared in _DECLARED.findall(plain):
            if declared in owners:
                sys.exit(f"{name} and {owners[declared]} both declare {declared}")
            owners[declared] = name
        parts += _lines(_CAST.sub("", _COMMENT.sub("", plain)))
    return '"use strict";(() => {\n' + "\n".join(parts) + "\n})();\n"


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.split("\n") if line.strip())


def style() -> str:
    """The style sheet of the player, in the order in which its parts are to be read."""
    parts = [(SOURCES / "styles" / f"{name}.css").read_text("utf-8") for name in STYLES]
    text = re.sub(r"/\*[\s\S]*?\*/", "", "\n".join(parts))
    return "\n".join(_lines(text)) + "\n"


def main() -> int:
    made = {"player.js": script(), "player.css": style()}
    if "--check" in sys.argv:
        old = [name for name, text in made.items() if (BUILT / name).read_text("utf-8") != text]
        print(f"outdated: {', '.join(old)}; run python player/bundle.py" if old else "current")
        return bool(old)
    for name, text in made.items():
        (BUILT / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
