"""The options of the `undoku` command. Imports nothing slow, so that help is printed at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from undoku.cli.command_parser import CommandParser

__all__ = ["command_line"]

_EXIT_CODES = """\
exit codes:
  0    success
  1    a bug (please report the traceback), or films missing from a batch
  2    a mistake in the request: an option, a puzzle, a trace
  3    a failure of the machine: a file can't be read or written, the encoder failed
  129  the terminal was closed (SIGHUP)
  130  interrupted
  143  terminated (SIGTERM)
"""


def command_line() -> argparse.ArgumentParser:
    """The parser of all commands; each sets `load`, which returns the function that runs it."""
    parser = CommandParser(
        prog="undoku",
        description="Make films of backtracking searches: strategies side by side on one clock.",
        epilog=_EXIT_CODES,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (sentence, add) in _COMMANDS.items():
        command = commands.add_parser(
            name, help=sentence, description=sentence, epilog=_EXIT_CODES, add_later=add
        )
        command.set_defaults(load=_loader(name))
    return parser


class _Version(argparse.Action):
    """Reads the version only on demand, because this takes a while."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"undoku {version('undoku')}")
        parser.exit()


def _loader(name: str) -> Callable[[], Callable[[argparse.Namespace], int]]:
    """Imports the module of a command when it runs, so that help and mistakes are printed at
    once."""

    def load() -> Callable[[argparse.Namespace], int]:
        from importlib import import_module

        run: Callable[[argparse.Namespace], int] = import_module(f"undoku.cli.{name}").run
        return run

    return load


def _add_quiet(command: argparse.ArgumentParser) -> None:
    command.add_argument("-q", "--quiet", action="store_true", help="print only results and errors")


def _add_solve(command: argparse.ArgumentParser) -> None:
    from undoku.cli.search_options import add_search_options, add_words

    command.add_argument("puzzle", metavar="PUZZLE", help="81 cells, a file, or - for stdin")
    command.add_argument(
        "-s",
        "--strategy",
        action="append",
        metavar="S",
        help="may be repeated; see undoku list strategies",
    )
    add_search_options(command)
    add_words(command, "their strategies")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    _add_quiet(command)


def _add_trace(command: argparse.ArgumentParser) -> None:
    from undoku.cli.film_arguments import add_named_options
    from undoku.cli.search_options import add_search_options

    command.add_argument("puzzle", metavar="PUZZLE", help="81 cells, a file, or - for stdin")
    command.add_argument("-s", "--strategy", default="row-major", metavar="S")
    add_search_options(command)
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
    from undoku.cli.search_options import add_inputs, add_words

    add_inputs(command, "+")
    command.add_argument("-o", "--output", required=True, metavar="FILE", help=".png, .svg or .pdf")
    command.add_argument("-y", "--yes", action="store_true", help="replace a file that exists")
    add_words(
        command, "their strategies in plain words", font="DejaVu Sans", title="none",
        theme="light", size="1440 wide, as high as it needs",
    )  # fmt: skip
    _add_quiet(command)


def _add_stats(command: argparse.ArgumentParser) -> None:
    from undoku.cli.search_options import add_inputs, add_words

    add_inputs(command, "+")
    add_words(command, "their strategies")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    _add_quiet(command)


def _add_list(command: argparse.ArgumentParser) -> None:
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


def _add_info(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_cache(command: argparse.ArgumentParser) -> None:
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


def _add_clean(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "folders", nargs="*", metavar="FOLDER",
        help="default: the working folder and the system's folder for temporary files",
    )  # fmt: skip
    command.add_argument("--dry-run", action="store_true", help="only list them")
    command.add_argument("--json", action="store_true", help="print one JSON array")


def _add_render(command: argparse.ArgumentParser) -> None:
    from undoku.cli.render_options import add_render

    add_render(command)


def _add_preview(command: argparse.ArgumentParser) -> None:
    from undoku.cli.render_options import add_preview

    add_preview(command)


def _add_batch(command: argparse.ArgumentParser) -> None:
    from undoku.cli.batch_options import add_batch

    add_batch(command)


def _add_study(command: argparse.ArgumentParser) -> None:
    from undoku.cli.batch_options import add_study

    add_study(command)


def _add_generate(command: argparse.ArgumentParser) -> None:
    from undoku.cli.batch_options import add_generate

    add_generate(command)


_COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "solve": (
        "Solve a puzzle by each strategy; count nodes, steps and backtracks.",
        _add_solve,
    ),
    "trace": ("Write the search of a strategy as a trace (JSON Lines).", _add_trace),
    "render": ("Film searches: a puzzle by several strategies, or recorded traces.", _add_render),
    "preview": (
        "Show the player in the browser, and update it when files or a trace from - change.",
        _add_preview,
    ),
    "chart": ("Draw a figure of searches: steps, depth, nodes, branching, choices.", _add_chart),
    "stats": ("Count the events of searches, and list their most interesting moments.", _add_stats),
    "list": ("List strategies, themes, panels, formats and more.", _add_list),
    "info": ("Print the metadata of a file made by undoku.", _add_info),
    "clean": ("Remove the temporary files of runs that were killed.", _add_clean),
    "cache": ("Show, fill or clear the cache of compiled loops.", _add_cache),
    "batch": ("Make many films from one manifest.", _add_batch),
    "study": ("Run every strategy on every puzzle of a collection, and compare them.", _add_study),
    "generate": ("Make puzzles with one solution and given properties.", _add_generate),
}
"""The sentence of each command, and the function that adds its options."""
