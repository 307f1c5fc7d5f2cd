"""The options of the `undoku` command. Loads nothing heavy, so that help answers at once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from render import options_batch

__all__ = ["command_line"]

_EXIT_CODES = """\
exit codes:
  0    done
  1    a bug (please report the traceback), or films of a batch are missing
  2    the request is wrong: an option, a puzzle, a trace
  3    the machine refused: a file can't be read or written, the encoder failed
  130  interrupted
"""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)


def command_line() -> argparse.ArgumentParser:
    """The parser of all commands; each sets `run`, which loads its room when it is called."""
    parser = _Parser(
        prog="undoku",
        description="Films how a backtracking search thinks: strategies side by side on one clock.",
        epilog=_EXIT_CODES,
        formatter_class=_Formatter,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_solve(commands)
    _add_trace(commands)
    _add_render(commands)
    _add_chart(commands)
    _add_stats(commands)
    _add_list(commands)
    _add_info(commands)
    _add_many(commands)
    return parser


class _Parser(argparse.ArgumentParser):
    """Doesn't swallow it when help can't be printed."""

    def _print_message(self, message: str, file: Any = None) -> None:
        print(message, end="", file=file or sys.stderr, flush=True)


class _Version(argparse.Action):
    """Reads the version only when it is asked for: looking it up takes a while."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"undoku {version('undoku')}")
        parser.exit()


# The type of what add_subparsers gives; it has no public name.
_Commands = argparse._SubParsersAction


def _command(commands: _Commands[_Parser], name: str, sentence: str) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name, help=sentence, description=sentence, epilog=_EXIT_CODES, formatter_class=_Formatter
    )
    command.set_defaults(run=_later(name))
    return command


def _later(name: str) -> Callable[[argparse.Namespace], int]:
    """Loads the command's room when it runs: help and mistakes answer at once."""

    def run(options: argparse.Namespace) -> int:
        from importlib import import_module

        return int(import_module(f"render.commands.{name}").run(options))

    return run


def _add_search_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--exhaustive",
        action="store_true",
        help="search the whole tree instead of stopping at the first solution",
    )
    command.add_argument(
        "--max-nodes", type=_whole, metavar="N", help="stop after N nodes; the outcome is capped"
    )
    command.add_argument(
        "--max-seconds", type=_seconds, metavar="T", help="stop after T seconds of searching"
    )


def _add_solve(commands: _Commands[_Parser]) -> None:
    command = _command(commands, "solve", "Count what strategies do on a puzzle.")
    command.add_argument("puzzle", metavar="PUZZLE", help="81 cells, a file, or - for stdin")
    command.add_argument(
        "-s",
        "--strategy",
        action="append",
        metavar="S",
        help="may be repeated; see undoku list strategies",
    )
    _add_search_options(command)
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_trace(commands: _Commands[_Parser]) -> None:
    command = _command(commands, "trace", "Write what a strategy does as a trace (JSON Lines).")
    command.add_argument("puzzle", metavar="PUZZLE", help="81 cells, a file, or - for stdin")
    command.add_argument("-s", "--strategy", default="row-major", metavar="S")
    _add_search_options(command)
    command.add_argument(
        "-o", "--output", default="-", metavar="FILE",
        help=".jsonl, .jsonl.gz, .parquet, or - for stdout",
    )  # fmt: skip
    command.add_argument(
        "--format", choices=("jsonl", "jsonl.gz", "parquet", "posthoc"),
        help="default: by the file's suffix",
    )  # fmt: skip
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")


def _add_inputs(command: argparse.ArgumentParser, count: str) -> None:
    command.add_argument(
        "inputs",
        nargs=count,
        metavar="PUZZLE|TRACE",
        help="81 cells, a puzzle file, a trace file, or - for stdin",
    )
    command.add_argument(
        "-s", "--strategy", action="append", metavar="S", help="may be repeated; row-major and mrv"
    )
    _add_search_options(command)


def _add_render(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands, "render", "Film searches: a puzzle by several strategies, or recorded traces."
    )
    _add_inputs(command, "*")
    output = command.add_argument_group("output")
    output.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help="may be repeated; the suffix is the format (undoku list formats); - for stdout",
    )
    output.add_argument(
        "--format", choices=("mp4", "webm", "gif", "webp", "apng", "png", "svg", "pdf"),
        help="of what goes to -; default: mp4",
    )  # fmt: skip
    output.add_argument("-y", "--yes", action="store_true", help="replace files that exist")
    output.add_argument(
        "--at-step", type=_whole, metavar="N", help="one picture: the state after N steps"
    )
    output.add_argument(
        "--filmstrip", type=_whole, metavar="N", help="one picture: N moments of the search"
    )
    output.add_argument(
        "--again", metavar="FILE", help="the film that FILE, made by undoku, holds; options differ"
    )
    output.add_argument(
        "--loop",
        type=_whole,
        metavar="N",
        help="play a GIF, WebP or APNG N times (0: for ever)",
    )
    output.add_argument(
        "--embed",
        choices=("html", "markdown"),
        help="print a snippet to paste; writes a still picture beside the film",
    )
    output.add_argument(
        "--max-size",
        metavar="SIZE",
        help="5MB: give up frame rate, length, size, then colours to keep it",
    )
    output.add_argument(
        "--for", dest="platform", metavar="PLATFORM",
        help="keep its limits: github, x, mastodon, discord, youtube, shorts, blog",
    )  # fmt: skip
    output.add_argument(
        "--flash-safe", action="store_true", help="fade what would flash too often (WCAG 2.3.1)"
    )
    output.add_argument(
        "--captions", metavar="FILE", help=".srt or .vtt: what the searches do, in words"
    )
    output.add_argument(
        "--encoder",
        choices=("x264", "direct", "auto"),
        help="direct: MP4 without an encoder, for one step a frame; default: x264",
    )
    output.add_argument("--quality", metavar="NAME", help="of films; see undoku list presets")
    output.add_argument(
        "--key-interval",
        metavar="TIME",
        help="at most so long between an MP4's key frames, to which players jump",
    )
    output.add_argument(
        "-j", "--jobs", type=_whole, metavar="N",
        help="draw one long MP4 in segments, N at once; they are joined",
    )  # fmt: skip
    picture = command.add_argument_group("picture")
    picture.add_argument("--size", metavar="WxH", help="default: 1280x720")
    picture.add_argument("--theme", metavar="NAME", help="see undoku list themes; default: dark")
    picture.add_argument(
        "--colours", "--colors", type=_whole, metavar="N",
        help="at most N, 2 to 255, in pixels (not in SVG and PDF); default: all",
    )  # fmt: skip
    picture.add_argument("--title", metavar="TEXT", help='"" for none')
    picture.add_argument(
        "--panels",
        metavar="LIST",
        help="board,counters,depth,tree,why,heat; default: the first four, as far as there is room",
    )
    picture.add_argument(
        "--heat",
        choices=("beside", "overlay"),
        help="how often each cell was tried: on a map beside the board, or on the board itself",
    )
    picture.add_argument(
        "--highlights",
        action="store_true",
        default=None,
        help="slow down where the search turns and say so; lists the moments in a .json beside",
    )
    picture.add_argument(
        "--last-state",
        action="store_true",
        default=None,
        help="show a frame of many steps as its last board, not as how long each digit stood",
    )
    pace = command.add_argument_group("pace")
    pace.add_argument("--fps", metavar="RATE", help="60 or 30000/1001; default: 60")
    pace.add_argument("--steps-per-frame", metavar="N", help="12 or 1/4; default: 1")
    pace.add_argument(
        "--every", type=_whole, metavar="N", help="show every Nth step, for one frame each"
    )
    pace.add_argument("--steps-per-second", metavar="N", help="the same at any frame rate")
    pace.add_argument("--duration", metavar="TIME", help="fit the whole film: 20s, 1m30s, 1:30")
    pace.add_argument(
        "--ramp", action="store_true", help="start and end at a speed the eye can follow"
    )
    pace.add_argument("--from-step", type=_whole, metavar="N", help="begin the race after N steps")
    pace.add_argument("--to-step", type=_whole, metavar="N", help="end the race after N steps")
    pace.add_argument(
        "--clock", choices=("steps", "finish", "time"),
        help="steps: the same steps per frame for all (default); finish: all finish together; "
        "time: each as fast as its search was",
    )  # fmt: skip
    for name, sentence, default in (
        ("title-card", "puzzle and strategies before the givens", "2s, in GIFs and the like none"),
        ("intro", "the givens before the race", "1.5s"),
        ("hold", "the boards after the race", "1.5s"),
        ("card", "the end card", "2.5s"),
    ):
        pace.add_argument(f"--{name}", metavar="TIME", help=f"{sentence}; default: {default}")
    messages = command.add_argument_group("messages")
    messages.add_argument("--json", action="store_true", help="print one JSON object")
    messages.add_argument(
        "--dry-run", action="store_true", help="say what would be written, and write nothing"
    )
    loudness = messages.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    loudness.add_argument("-v", "--verbose", action="store_true", help="say how time was spent")


def _add_chart(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands, "chart", "Draw a figure of searches: depth, nodes, branching, choices, totals."
    )
    _add_inputs(command, "+")
    command.add_argument("-o", "--output", required=True, metavar="FILE", help=".png, .svg or .pdf")
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")
    command.add_argument("--theme", default="light", metavar="NAME", help="default: light")
    command.add_argument("--title", default="", metavar="TEXT")
    command.add_argument(
        "--size", default="1440x1080", metavar="WxH", help="in pixels of a PNG; default: 1440x1080"
    )


def _add_stats(commands: _Commands[_Parser]) -> None:
    command = _command(
        commands, "stats", "Count what searches do, and find the moments worth looking at."
    )
    _add_inputs(command, "+")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_list(commands: _Commands[_Parser]) -> None:
    command = _command(commands, "list", "List what there is.")
    command.add_argument(
        "what", choices=("strategies", "themes", "formats", "presets", "platforms")
    )
    command.add_argument("--json", action="store_true", help="print one JSON array")


def _add_info(commands: _Commands[_Parser]) -> None:
    command = _command(commands, "info", "Print what a file made by undoku says about itself.")
    command.add_argument("file", metavar="FILE")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_many(commands: _Commands[_Parser]) -> None:
    """The commands that work on many puzzles or films."""
    for add in (options_batch.add_batch, options_batch.add_study, options_batch.add_generate):
        add(lambda name, sentence: _command(commands, name, sentence))


def _whole(text: str) -> int:
    """A whole number of 0 or more."""
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 0 or more")


def _seconds(text: str) -> float:
    """A number of seconds; whether it is a good one is for the search to say."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds") from None
