"""The options of the commands that work on many puzzles or films: generate, study, batch."""

from __future__ import annotations

import argparse
from collections.abc import Callable

__all__ = ["add_generate"]

AddCommand = Callable[[str, str], argparse.ArgumentParser]
"""Makes the parser of a command from its name and its sentence."""

_SYMMETRIES = "none, half-turn, quarter-turn, left-right, top-bottom, diagonal, both-mirrors, full"


def whole(text: str) -> int:
    """A whole number of 0 or more."""
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 0 or more")


def add_generate(add: AddCommand) -> None:
    command = add("generate", "Make puzzles with one solution, to a wish.")
    command.add_argument("-n", "--count", type=whole, default=1, metavar="N", help="default: 1")
    command.add_argument("--seed", type=whole, default=0, metavar="N", help="default: 0")
    command.add_argument("--size", type=whole, default=9, metavar="N", help="4 to 25; default: 9")
    command.add_argument(
        "--extra", action="append", metavar="NAME", help="extra units: diagonals, windows, groups"
    )
    command.add_argument(
        "--givens", metavar="N|A-B", help="how many; default: as few as come of themselves"
    )
    command.add_argument("--symmetry", default="none", metavar="NAME", help=_SYMMETRIES)
    command.add_argument(
        "--target",
        action="append",
        metavar="S>=N",
        help='nodes that a strategy shall need, such as "row-major>=50000"; may be repeated',
    )
    command.add_argument(
        "--attempts", type=whole, default=2000, metavar="N",
        help="boards to try for each puzzle before giving up; default: 2000",
    )  # fmt: skip
    command.add_argument("-o", "--output", metavar="FILE", help="its suffix is the format")
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")
    command.add_argument("--format", metavar="NAME", help="of the text; default: sdm, else grid")
    command.add_argument("--json", action="store_true", help="print one JSON array")
