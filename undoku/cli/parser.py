"""The parser of the `undoku` command, which reports a mistake in one sentence, and fails if help
can't be printed. Imports nothing slow, so that help is printed at once."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import IO, Any, NoReturn

_FILE, _YES = ".toml", "true"
"""Brackets around the name of an optional value, and the text that represents a missing one."""

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


_COMMANDS = {
    "play": "Play searches in the terminal, as text; undoku alone plays a built-in puzzle.",
    "solve": "Solve a puzzle by each strategy; count nodes, steps and backtracks.",
    "trace": "Write the search of a strategy as a trace (JSON Lines).",
    "render": "Film searches: a puzzle by several strategies, or recorded traces.",
    "preview": "Show the player in the browser, and update it when files or a trace from - change.",
    "chart": "Draw a figure of searches: steps, depth, nodes, branching, choices.",
    "stats": "Count the events of searches, and list their most interesting moments.",
    "list": "List strategies, themes, panels, formats and more.",
    "info": "Print the metadata of a file made by undoku.",
    "clean": "Remove the temporary files of runs that were killed.",
    "batch": "Make many films from one manifest.",
    "study": "Run every strategy on every puzzle of a collection, and compare them.",
    "generate": "Make puzzles with one solution and given properties.",
    "completion": "Print the script with which a shell completes commands and options.",
}
"""The sentence of each command. undoku.cli.options has its options; the module of its name runs
it."""


class CommandFormatter(argparse.RawDescriptionHelpFormatter):
    """Help in 100 columns, for any terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)


class CommandParser(argparse.ArgumentParser):
    """The parser of a command and its options.

    `add_later` adds the options when the command is first parsed, so that the options of one
    command cost other commands nothing.
    """

    def __init__(
        self,
        *,
        add_later: Callable[[argparse.ArgumentParser], None] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(**({"formatter_class": CommandFormatter} | settings))
        self._add_later = add_later
        self._of_command = add_later is not None

    def parse_known_args(  # type: ignore[override]  # as argparse's own, which has overloads
        self,
        args: Sequence[str] | None = None,
        namespace: argparse.Namespace | None = None,
    ) -> tuple[argparse.Namespace, list[str]]:
        """Like argparse, except that the argument after an option with an optional value is its
        value only if it is valid as one."""
        self._add_options()
        words = list(sys.argv[1:] if args is None else args)
        if self._of_command:
            words = self._completed(words)
        found, unknown = super().parse_known_args(words, namespace)
        if unknown and self._of_command:  # the parser of all commands can't say whose they are
            self.error(self._unknown_text(unknown))
        return found, unknown

    def _add_options(self) -> None:
        if self._add_later is not None:
            add, self._add_later = self._add_later, None
            add(self)

    @property
    def arguments(self) -> Sequence[argparse.Action]:
        """The options and the positional arguments."""
        self._add_options()
        return self._actions

    def _completed(self, words: Sequence[str]) -> list[str]:
        """The words of a command, with a value for each option that may have one. Some versions of
        argparse convert `--size=--` to an empty list, others to the text "--": it is refused."""
        from undoku.cli.film_options import OPTIONAL_VALUES

        completed = []
        for word, following in pairwise([*words, ""]):
            name = word.partition("=")[0]
            optional = word in OPTIONAL_VALUES
            if re.fullmatch(r"(--[\w-]+=|-\w)--", word) or (optional and following == "--"):
                self.error(f"argument {name.removesuffix('--')}: '--' is not a value")
            missing = optional and not following.lower().endswith(_FILE)
            completed.append(f"{word}={_YES}" if missing else word)
        return completed

    def _unknown_text(self, unknown: Sequence[str]) -> str:
        """The message about arguments that the command does not have; for an option, with the most
        similar one."""
        first = unknown[0].partition("=")[0]
        if not first.startswith("-"):
            return f"there is no place for {' '.join(unknown)!r}"
        from difflib import get_close_matches

        near = get_close_matches(first, re.findall(r"--[a-z-]+", self.format_help()), 1, 0.75)
        return f"there is no option {first!r}" + (f"; did you mean {near[0]}?" if near else "")

    def error(self, message: str) -> NoReturn:
        """Report a mistake in one sentence and exit with 2, without the usage, which `--help`
        prints."""
        joint = "" if message.endswith("?") else ";"
        self.exit(2, f"{self.prog}: error: {message}{joint} see {self.prog} --help\n")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            print(message, end="", file=sys.stderr, flush=True)
        sys.exit(status)

    def print_help(self, file: IO[str] | None = None) -> None:  # type: ignore[override]
        """Print help. Raises OSError if it can't be printed, which argparse would ignore."""
        print(self.format_help(), end="", file=file or sys.stdout, flush=True)


def command_line() -> CommandParser:
    """The parser of all commands; each sets `load`, which returns the function that runs it."""
    parser = CommandParser(
        prog="undoku",
        description="Make films of backtracking searches: strategies side by side on one clock.",
        epilog=_EXIT_CODES,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, sentence in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=sentence,
            description=sentence,
            epilog=_EXIT_CODES,
            add_later=partial(_add_options, name),
        )
        command.set_defaults(load=partial(_loaded, name))
    return parser


def _add_options(name: str, command: argparse.ArgumentParser) -> None:
    """Add the options of a command, once they are needed."""
    from undoku.cli.options import OPTIONS

    OPTIONS[name](command)


def _loaded(name: str) -> Callable[[argparse.Namespace], int]:
    """The function that runs a command. Its module is imported when it runs, so that help and
    mistakes are printed at once."""
    run: Callable[[argparse.Namespace], int] = import_module(f"undoku.cli.{name}").run
    return run
