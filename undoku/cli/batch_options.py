"""The options of the commands that work on many puzzles or films: generate, study, batch."""

from __future__ import annotations

import argparse

from undoku.cli.search_options import add_words, whole

__all__ = ["add_batch", "add_generate", "add_study"]

_SYMMETRIES = "none, half-turn, quarter-turn, left-right, top-bottom, diagonal, both-mirrors, full"


def add_generate(command: argparse.ArgumentParser) -> None:
    command.add_argument("-n", "--count", type=whole, default=1, metavar="N", help="default: 1")
    command.add_argument("--seed", type=whole, default=0, metavar="N", help="default: 0")
    command.add_argument("--size", type=whole, default=9, metavar="N", help="4 to 25; default: 9")
    command.add_argument(
        "--extra", action="append", metavar="NAME", help="extra units: diagonals, windows, groups"
    )
    command.add_argument(
        "--givens", metavar="N|A-B", help="number of givens; default: all that reduction leaves"
    )
    command.add_argument("--symmetry", default="none", metavar="NAME", help=_SYMMETRIES)
    command.add_argument(
        "--target",
        action="append",
        metavar="S>=N",
        help='nodes that a strategy must need, such as "row-major>=50000"; may be repeated',
    )
    command.add_argument(
        "--attempts", type=whole, default=2000, metavar="N",
        help="boards to try for each puzzle before giving up; default: 2000",
    )  # fmt: skip
    command.add_argument("-o", "--output", metavar="FILE", help="the suffix chooses the format")
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")
    command.add_argument("--format", metavar="NAME", help="text format; default: sdm, else grid")
    command.add_argument("--json", action="store_true", help="print one JSON array")
    command.add_argument("-q", "--quiet", action="store_true", help="print only results and errors")


def add_study(command: argparse.ArgumentParser) -> None:
    command.add_argument("puzzles", metavar="COLLECTION", help="a file of puzzles, or - for stdin")
    command.add_argument(
        "-s",
        "--strategies",
        "--strategy",
        nargs="+",
        action="extend",
        metavar="S",
        help="strategies, each compared with the first; default: row-major mrv",
    )
    command.add_argument(
        "--max-nodes", type=whole, default=1_000_000, metavar="N",
        help="limit of nodes for each search, 0 for none; default: 1,000,000",
    )  # fmt: skip
    command.add_argument("--exhaustive", action="store_true", help="search whole trees")
    command.add_argument(
        "--seeds", type=whole, default=1, metavar="N",
        help="search each puzzle N times: 0, 1, … is added to the seeds of random:SEED and others",
    )  # fmt: skip
    command.add_argument("--skip", action="store_true", help="skip puzzles that can't be read")
    command.add_argument(
        "-j", "--jobs", type=whole, metavar="N",
        help="number of worker processes, 0 for none; default: one for each core",
    )  # fmt: skip
    command.add_argument(
        "-o", "--output", metavar="FILE", help="a row for each search; .csv or .parquet"
    )
    command.add_argument(
        "--figure", metavar="FILE", help="figure of the distribution of nodes; .png, .svg or .pdf"
    )
    command.add_argument(
        "--wins", metavar="FILE", help="figure of which strategy wins where; .png, .svg or .pdf"
    )
    add_words(command, "the strategies", font="DejaVu Sans")
    command.add_argument("-y", "--yes", action="store_true", help="replace files that exist")
    command.add_argument(
        "--seed", type=whole, default=0, metavar="N", help="seed of the bootstrap; default: 0"
    )
    command.add_argument("--json", action="store_true", help="print the summary as JSON")
    command.add_argument("-q", "--quiet", action="store_true", help="print only errors")


def add_batch(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "manifest", metavar="MANIFEST", help="a TOML file, or - for stdin; see docs/batch.md"
    )
    command.add_argument(
        "-o", "--output", default="output", metavar="FOLDER",
        help="folder of all films; nothing is written elsewhere; default: output",
    )  # fmt: skip
    command.add_argument(
        "-j", "--jobs", type=whole, metavar="N",
        help="number of workers, each on one core; 0 for none; default: all cores",
    )  # fmt: skip
    command.add_argument(
        "--force", action="store_true",
        help="make all films again; files not made by a batch are kept under another name",
    )  # fmt: skip
    command.add_argument(
        "--fail-fast", action="store_true", help="begin no other film after a failure"
    )
    command.add_argument(
        "--cluster", metavar="ADDRESS", help="run on a Dask scheduler, such as tcp://host:8786"
    )
    command.add_argument(
        "--dry-run", action="store_true", help="print what would be made, and make nothing"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument("-q", "--quiet", action="store_true", help="print only errors")
