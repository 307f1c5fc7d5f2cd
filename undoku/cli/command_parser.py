"""An argument parser that reports a mistake in one sentence, and fails if help can't be printed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import IO, Any, NoReturn

__all__ = ["CommandFormatter", "CommandParser"]

_SEPARATOR = "--"

_FILE, _YES = ".toml", "true"
"""Brackets around the name of an optional value, and the text that represents a missing one."""


class CommandFormatter(argparse.RawDescriptionHelpFormatter):
    """Help in 100 columns, for any terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)


class _Store(argparse.Action):
    """Stores a value, as argparse's own action does, but refuses `--` as one.

    Some versions of argparse convert `--size=--` to an empty list, without calling the type or
    checking choices; others to the text "--".
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if option_string is not None:
            _check_value(self, values)
        setattr(namespace, self.dest, values)


class _Append(_Store):
    """Adds a value to a list."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        _check_value(self, values)
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or ()), values])


class _Extend(_Store):
    """Adds values to a list."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        _check_value(self, values)
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or ()), *(values or ())])


class _Flag(argparse.Action):
    """Stores True; without the option, False."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, dest, **({"nargs": 0, "default": False} | settings))

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, True)


def _check_value(action: argparse.Action, values: str | Sequence[Any] | None) -> None:
    """Raise ArgumentError if `--` is the value of an option."""
    if values in ([], _SEPARATOR, [_SEPARATOR]):
        raise argparse.ArgumentError(action, f"{_SEPARATOR!r} is not a value")


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
        self._options: dict[str, argparse.Action] = {}
        super().__init__(**({"formatter_class": CommandFormatter} | settings))
        self._add_later = add_later
        self._of_command = add_later is not None
        for name, action in (
            (None, _Store),
            ("store", _Store),
            ("append", _Append),
            ("extend", _Extend),
            ("store_true", _Flag),
        ):
            self.register("action", name, partial(self._noted, action))

    def _noted(self, kind: Callable[..., argparse.Action], **settings: Any) -> argparse.Action:
        """An action, which is noted by the spellings of its option."""
        action = kind(**settings)
        self._options |= dict.fromkeys(action.option_strings, action)
        return action

    def parse_known_args(  # type: ignore[override]  # as argparse's own, which has overloads
        self,
        args: Sequence[str] | None = None,
        namespace: argparse.Namespace | None = None,
    ) -> tuple[argparse.Namespace, list[str]]:
        """Like argparse, except that the argument after an option with an optional value is its
        value only if it is valid as one."""
        if self._add_later is not None:
            add, self._add_later = self._add_later, None
            add(self)
        words = list(sys.argv[1:] if args is None else args)
        for at, (word, following) in enumerate(pairwise([*words, ""])):
            name, _, joined = word.partition("=")
            action = self._options.get(name)
            if action is None or action.nargs != "?":
                continue
            if _SEPARATOR in (joined, following):
                self.error(f"argument {name}: {_SEPARATOR!r} is not a value")
            if name == word and not following.lower().endswith(_FILE):
                words[at] = f"{name}={_YES}"
        found, unknown = super().parse_known_args(words, namespace)
        if unknown and self._of_command:  # the parser of all commands can't say whose they are
            self.error(self._unknown_text(unknown))
        return found, unknown

    def _unknown_text(self, unknown: Sequence[str]) -> str:
        """The message about arguments that the command does not have; for an option, with the most
        similar one."""
        first = unknown[0].partition("=")[0]
        if not first.startswith("-"):
            return f"there is no place for {' '.join(unknown)!r}"
        from difflib import get_close_matches

        near = get_close_matches(first, [*self._options, "--help"], 1, 0.75)
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
