"""undoku info: what a file made by undoku says about itself."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from render.commands.printing import print_json
from render.provenance import RECIPE, about_of

__all__ = ["run"]


def run(options: Namespace) -> int:
    found = about_of(Path(options.file))
    if options.json:
        print_json(found)
        return 0
    shown = {name: text for name, text in found.items() if name != RECIPE}
    width = max(map(len, shown), default=0)
    for name, text in shown.items():
        print(f"{name:<{width}}  {text}")
    return 0
