"""The options of all commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from undoku.cli.film_options import Arguments, add_group, add_named_options
from undoku.render.settings.option import Group


def _add_words(command: argparse.ArgumentParser, labels: str, **more: str) -> None:
    """Add the options for the names of searches and for the language, and further options of films
    by name. `labels` describes the default names, `more` the defaults of the other options."""
    add_named_options(command, labels=labels, language="English", **more)


def _add_inputs(command: argparse.ArgumentParser, count: str) -> None:
    """Add the arguments for puzzles or traces, `count` of them (argparse's nargs), and for
    strategies."""
    command.add_argument(
        "inputs",
        nargs=count,
        metavar="PUZZLE|TRACE",
        help="81 cells, a puzzle file, a trace file, or - for stdin",
    )
    command.add_argument(
        "-s",
        "--strategy",
        action="append",
        metavar="S",
        help="a strategy (see undoku list strategies); default: row-major and mrv; may be repeated",
    )
    add_group(command, Group.SEARCH)


def _whole(text: str) -> int:
    """A whole number of 0 or more."""
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")


def _add_quiet(command: Arguments, shown: str = "results and errors") -> None:
    command.add_argument("-q", "--quiet", action="store_true", help=f"print only {shown}")


def _add_counted(command: argparse.ArgumentParser) -> None:
    """Add the options of the commands that print counts."""
    _add_inputs(command, "+")
    _add_words(command, "their strategies")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    _add_quiet(command)


def _add_play(command: argparse.ArgumentParser) -> None:
    _add_inputs(command, "*")
    _add_words(command, "their strategies in plain words")
    _add_quiet(command, "the race")


def _add_trace(command: argparse.ArgumentParser) -> None:
    command.add_argument("puzzle", metavar="PUZZLE|TRACE", help="81 cells, a file, or - for stdin")
    command.add_argument("-s", "--strategy", default="", metavar="S", help="default: row-major")
    add_group(command, Group.SEARCH)
    add_named_options(command, labels="the strategy in plain words, in films")
    command.add_argument(
        "-o", "--output", default="-", metavar="FILE",
        help=".jsonl, .jsonl.gz, .parquet, or - for stdout",
    )  # fmt: skip
    command.add_argument(
        "--format", choices=("jsonl", "jsonl.gz", "parquet", "posthoc"),
        help="default: by the suffix of the file",
    )  # fmt: skip
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")
    _add_quiet(command)


def _add_chart(command: argparse.ArgumentParser) -> None:
    _add_inputs(command, "+")
    command.add_argument("-o", "--output", required=True, metavar="FILE", help=".png, .svg or .pdf")
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")
    _add_words(
        command, "their strategies in plain words", font="DejaVu Sans", title="none",
        theme="light", size="1440 wide, as high as it needs",
    )  # fmt: skip
    _add_quiet(command)


def _add_list(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "what",
        choices=(
            "strategies",
            "problems",
            "themes",
            "panels",
            "formats",
            "presets",
            "platforms",
            "texts",
        ),
    )
    command.add_argument(
        "words", nargs="*", metavar="WORD",
        help="list only entries that match: by name, by another common name such as DLX, or by "
        "words of the description or source",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print one JSON array")


def _add_info(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_clean(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "folders", nargs="*", metavar="FOLDER",
        help="default: the working folder and the system's folder for temporary files",
    )  # fmt: skip
    command.add_argument("--dry-run", action="store_true", help="only list them")
    command.add_argument("--json", action="store_true", help="print one JSON array")


def _add_completion(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "shell",
        choices=("bash", "zsh", "fish", "words"),
        help="the shell; or words, by which the scripts complete the words on stdin",
    )


def _add_render(added: argparse.ArgumentParser) -> None:
    _add_inputs(added, "*")
    output = added.add_argument_group("output")
    _add_output(output)
    add_group(output, Group.OUTPUT)
    add_group(added.add_argument_group("picture"), Group.PICTURE)
    add_group(added.add_argument_group("pace"), Group.PACE)
    _add_messages(added)


def _add_preview(added: argparse.ArgumentParser) -> None:
    _add_inputs(added, "*")
    add_group(added.add_argument_group("picture"), Group.PICTURE)
    add_group(added.add_argument_group("pace"), Group.PACE)
    served = added.add_argument_group("server")
    served.add_argument("--port", type=_whole, metavar="N", help="port; default: any free one")
    served.add_argument("--no-browser", action="store_true", help="only print the address")
    served.add_argument("-q", "--quiet", action="store_true", help="print the address and errors")


def _add_output(output: Arguments) -> None:
    output.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help="may be repeated; the suffix is the format (undoku list formats); - for stdout",
    )
    output.add_argument(
        "--format", metavar="FORMAT",
        help="format of the output -, such as gif; default: mp4",
    )  # fmt: skip
    output.add_argument("-y", "--yes", action="store_true", help="replace files that exist")
    output.add_argument(
        "--again",
        metavar="FILE",
        help="re-render the film recorded in FILE; other options override it",
    )
    output.add_argument(
        "--embed",
        choices=("html", "markdown"),
        help="print a snippet to paste; writes a still picture beside the film",
    )


def _add_messages(command: argparse.ArgumentParser) -> None:
    messages = command.add_argument_group("messages")
    messages.add_argument("--json", action="store_true", help="print one JSON object")
    messages.add_argument(
        "--dry-run", action="store_true", help="print what would be written, and write nothing"
    )
    loudness = messages.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    loudness.add_argument(
        "-v", "--verbose", action="store_true", help="print the time of each part"
    )


_SYMMETRIES = "none, half-turn, quarter-turn, left-right, top-bottom, diagonal, both-mirrors, full"


def _add_generate(command: argparse.ArgumentParser) -> None:
    command.add_argument("-n", "--count", type=_whole, default=1, metavar="N", help="default: 1")
    command.add_argument("--seed", type=_whole, default=0, metavar="N", help="default: 0")
    command.add_argument("--size", type=_whole, default=9, metavar="N", help="4 to 25; default: 9")
    command.add_argument(
        "--extra", action="append", metavar="NAME", help="extra units: diagonals, windows, groups"
    )
    command.add_argument(
        "--givens",
        metavar="N|A-B",
        help="number of givens; default: those left when none can be removed",
    )
    command.add_argument("--symmetry", default="none", metavar="NAME", help=_SYMMETRIES)
    command.add_argument(
        "--target",
        action="append",
        metavar="S>=N",
        help='nodes that a strategy must need, such as "row-major>=50000"; may be repeated',
    )
    command.add_argument(
        "--attempts", type=_whole, default=2000, metavar="N",
        help="boards to try for each puzzle before giving up; default: 2000",
    )  # fmt: skip
    command.add_argument("-o", "--output", metavar="FILE", help="the suffix chooses the format")
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")
    command.add_argument("--format", metavar="NAME", help="text format; default: sdm, else grid")
    command.add_argument("--json", action="store_true", help="print one JSON array")
    _add_quiet(command)


def _add_study(command: argparse.ArgumentParser) -> None:
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
        "--solver", action="append", metavar="COMMAND",
        help="a program that reads a puzzle, one line, and prints the trace of its search: it is "
        "compared like a strategy, and ended at --max-nodes and --max-time; may be repeated",
    )  # fmt: skip
    command.add_argument(
        "--times", action="store_true",
        help="measure the seconds of each search, for the table and the figure",
    )  # fmt: skip
    command.add_argument(
        "--max-nodes", type=_whole, default=1_000_000, metavar="N",
        help="limit of nodes for each search, 0 for none; default: 1,000,000",
    )  # fmt: skip
    add_named_options(command, max_seconds="")
    command.add_argument("--exhaustive", action="store_true", help="search whole trees")
    command.add_argument(
        "--seeds", type=_whole, default=1, metavar="N",
        help="search each puzzle N times: 0, 1, … is added to the seeds of random:SEED and others",
    )  # fmt: skip
    command.add_argument("--skip", action="store_true", help="skip puzzles that can't be read")
    command.add_argument(
        "-j", "--jobs", type=_whole, metavar="N",
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
    _add_words(command, "the strategies", font="DejaVu Sans")
    command.add_argument("-y", "--yes", action="store_true", help="replace files that exist")
    command.add_argument(
        "--seed", type=_whole, default=0, metavar="N", help="seed of the bootstrap; default: 0"
    )
    command.add_argument("--json", action="store_true", help="print the summary as JSON")
    _add_quiet(command, "errors")


def _add_batch(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "manifest", metavar="MANIFEST", help="a TOML file, or - for stdin; see docs/batch.md"
    )
    command.add_argument(
        "-o", "--output", default="output", metavar="FOLDER",
        help="folder of all films; nothing is written elsewhere; default: output",
    )  # fmt: skip
    command.add_argument(
        "-j", "--jobs", type=_whole, metavar="N",
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
    _add_quiet(command, "errors")


OPTIONS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "play": _add_play,
    "solve": _add_counted,
    "trace": _add_trace,
    "render": _add_render,
    "preview": _add_preview,
    "chart": _add_chart,
    "stats": _add_counted,
    "list": _add_list,
    "info": _add_info,
    "clean": _add_clean,
    "batch": _add_batch,
    "study": _add_study,
    "generate": _add_generate,
    "completion": _add_completion,
}
"""For each command, the function that adds its options."""
