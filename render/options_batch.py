"""The options of the commands that work on many puzzles or films: generate, study, batch."""

from __future__ import annotations

import argparse
from collections.abc import Callable

__all__ = ["add_generate", "add_study"]

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


def add_study(add: AddCommand) -> None:
    command = add("study", "Count what strategies do on every puzzle of a collection.")
    command.add_argument("puzzles", metavar="COLLECTION", help="a file of puzzles, or - for stdin")
    command.add_argument(
        "-s",
        "--strategies",
        "--strategy",
        nargs="+",
        action="extend",
        metavar="S",
        help="compared with the first; default: row-major mrv",
    )
    command.add_argument(
        "--max-nodes", type=whole, default=1_000_000, metavar="N",
        help="a search that needs more is capped, 0 for no cap; default: 1,000,000",
    )  # fmt: skip
    command.add_argument(
        "--exhaustive", action="store_true", help="search whole trees, not to the first solution"
    )
    command.add_argument("--skip", action="store_true", help="pass over puzzles that can't be read")
    command.add_argument(
        "-j", "--jobs", type=whole, metavar="N",
        help="worker processes, 0: none but this one; default: all cores",
    )  # fmt: skip
    command.add_argument(
        "-o", "--output", metavar="FILE", help="a row for each search; .csv or .parquet"
    )
    command.add_argument(
        "--figure", metavar="FILE", help="the spread of the nodes; .png, .svg or .pdf"
    )
    command.add_argument("-y", "--yes", action="store_true", help="replace files that exist")
    command.add_argument(
        "--seed", type=whole, default=0, metavar="N", help="of the bootstrap; default: 0"
    )
    command.add_argument("--json", action="store_true", help="print the summary as JSON")
    command.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
