"""The options of the `undoku` command. Loads nothing heavy, so that help answers at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from render.cli import batch_options, render_options
from render.cli.command_parser import CommandParser, Commands
from render.cli.search_options import add_inputs, add_search_options

__all__ = ["command_line"]

_EXIT_CODES = """\
exit codes:
  0    done
  1    a bug (please report the traceback), or films of a batch are missing
  2    the request is wrong: an option, a puzzle, a trace
  3    the machine refused: a file can't be read or written, the encoder failed
  129  the terminal was closed (SIGHUP)
  130  interrupted
  143  terminated (SIGTERM)
"""


def command_line() -> argparse.ArgumentParser:
    """The parser of all commands; each sets `run`, which loads its module when it is called."""
    parser = CommandParser(
        prog="undoku",
        description="Films how a backtracking search thinks: strategies side by side on one clock.",
        epilog=_EXIT_CODES,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_solve(commands)
    _add_trace(commands)
    render_options.add_render(lambda name, sentence: _command(commands, name, sentence))
    render_options.add_preview(lambda name, sentence: _command(commands, name, sentence))
    _add_chart(commands)
    _add_stats(commands)
    _add_list(commands)
    _add_info(commands)
    _add_clean(commands)
    _add_cache(commands)
    _add_many(commands)
    return parser


class _Version(argparse.Action):
    """Reads the version only when it is asked for: looking it up takes a while."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"undoku {version('undoku')}")
        parser.exit()


def _command(commands: Commands, name: str, sentence: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=sentence, description=sentence, epilog=_EXIT_CODES)
    command.set_defaults(run=_later(name))
    return command


def _later(name: str) -> Callable[[argparse.Namespace], int]:
    """Loads the command's module when it runs: help and mistakes answer at once."""

    def run(options: argparse.Namespace) -> int:
        from importlib import import_module

        return int(import_module(f"render.cli.commands.{name}").run(options))

    return run


def _add_solve(commands: Commands) -> None:
    command = _command(commands, "solve", "Count what strategies do on a puzzle.")
    command.add_argument("puzzle", metavar="PUZZLE", help="81 cells, a file, or - for stdin")
    command.add_argument(
        "-s",
        "--strategy",
        action="append",
        metavar="S",
        help="may be repeated; see undoku list strategies",
    )
    add_search_options(command)
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_trace(commands: Commands) -> None:
    command = _command(commands, "trace", "Write the search of a strategy as a trace (JSON Lines).")
    command.add_argument("puzzle", metavar="PUZZLE", help="81 cells, a file, or - for stdin")
    command.add_argument("-s", "--strategy", default="row-major", metavar="S")
    add_search_options(command)
    command.add_argument(
        "-o", "--output", default="-", metavar="FILE",
        help=".jsonl, .jsonl.gz, .parquet, or - for stdout",
    )  # fmt: skip
    command.add_argument(
        "--format", choices=("jsonl", "jsonl.gz", "parquet", "posthoc"),
        help="default: by the suffix of the file",
    )  # fmt: skip
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")


def _add_chart(commands: Commands) -> None:
    command = _command(
        commands, "chart", "Draw a figure of searches: steps, depth, nodes, branching, choices."
    )
    add_inputs(command, "+")
    command.add_argument("-o", "--output", required=True, metavar="FILE", help=".png, .svg or .pdf")
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")
    command.add_argument("--theme", default="light", metavar="NAME", help="default: light")
    command.add_argument("--title", default="", metavar="TEXT")
    command.add_argument(
        "--size", metavar="WxH", help="in pixels of a PNG; default: 1440 wide, as high as it needs"
    )


def _add_stats(commands: Commands) -> None:
    command = _command(
        commands, "stats", "Count what searches do, and find the moments worth looking at."
    )
    add_inputs(command, "+")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_list(commands: Commands) -> None:
    command = _command(commands, "list", "List strategies, themes, panels, formats and more.")
    command.add_argument(
        "what",
        choices=("strategies", "themes", "panels", "formats", "presets", "platforms", "texts"),
    )
    command.add_argument(
        "words", nargs="*", metavar="WORD",
        help="list only entries that match: by name, by another common name such as DLX, or by "
        "words of the description or source",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print one JSON array")


def _add_info(commands: Commands) -> None:
    command = _command(commands, "info", "Print the metadata of a file made by undoku.")
    command.add_argument("file", metavar="FILE")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_cache(commands: Commands) -> None:
    command = _command(commands, "cache", "Show, fill or clear the cache of compiled loops.")
    command.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        choices=("show", "list", "clear", "fill"),
        default="show",
        help="show its folder and size (default); list its loops and how long each took to "
        "compile; clear it; or fill it with all loops",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def _add_clean(commands: Commands) -> None:
    command = _command(commands, "clean", "Remove the temporary files of runs that were killed.")
    command.add_argument(
        "folders", nargs="*", metavar="FOLDER",
        help="default: the working folder and the system's folder for temporary files",
    )  # fmt: skip
    command.add_argument("--dry-run", action="store_true", help="only list them")
    command.add_argument("--json", action="store_true", help="print one JSON array")


def _add_many(commands: Commands) -> None:
    """The commands that work on many puzzles or films."""
    for add in (batch_options.add_batch, batch_options.add_study, batch_options.add_generate):
        add(lambda name, sentence: _command(commands, name, sentence))
