"""The options of a film on the command line, made from their table."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from undoku.errors import SettingsError
from undoku.render.settings.kinds import FlagOrFile
from undoku.render.settings.number_kinds import Whole
from undoku.render.settings.option import Context, Group, Option
from undoku.render.settings.table import option as option_named
from undoku.render.settings.table import options_in

OPTIONAL_VALUES = frozenset(
    name
    for option in options_in(Context.COMMAND).values()
    if isinstance(option.kind, FlagOrFile)
    for name in (option.command_line, *option.further_command_lines)
)
"""The options whose value may be missing."""


class Arguments(Protocol):
    """A parser, or a group of its arguments."""

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action: ...


def add_group(arguments: Arguments, group: Group) -> None:
    """Add the options of a group. The value of a missing option is None."""
    for option in options_in(Context.COMMAND).values():
        if option.group is group:
            _add(arguments, option)


def add_named_options(arguments: Arguments, **defaults: str) -> None:
    """Add options of a film by their names to a command that makes something else, with what their
    defaults are there, in words. None stands where an option isn't given."""
    for name, usual in defaults.items():
        _add(arguments, replace(option_named(name, Context.COMMAND), usual=usual, default=None))


def _add(arguments: Arguments, option: Option) -> None:
    arguments.add_argument(
        option.command_line,
        *option.further_command_lines,
        dest=option.name,
        **_settings(option),
    )


def _settings(option: Option) -> dict[str, Any]:
    """The arguments of an option for argparse."""
    default = option.default_text
    help_text = f"{option.sentence}; default: {default}" if default else option.sentence
    found: dict[str, Any] = {"help": help_text}
    if option.flag:
        return found | {"action": "store_true", "default": None}
    choices = f"{{{','.join(option.kind.choices)}}}" if option.kind.choices else ""
    metavar = option.metavar or choices or option.kind.metavar
    if isinstance(option.kind, FlagOrFile):
        found |= {"nargs": "?", "const": True}
    if option.each:
        found |= {"action": "append", "help": f"{help_text}; may be repeated"}
    return found | {"type": _checked(option), "metavar": metavar}


def _checked(option: Option) -> Callable[[str], str | int]:
    """Check a value when it is parsed. Integers are converted; other values stay as they were
    typed, because the recorded command repeats them."""

    def read(text: str) -> str | int:
        try:
            value = option.value(text)
        except SettingsError as error:
            if error.place is not None:  # in a file, whose line the message shows
                raise
            message = error.message.removeprefix(f"{option.name}: ")
            sentence = f"{message}; {error.remedy}" if error.remedy else message
            raise argparse.ArgumentTypeError(sentence) from None
        return value if isinstance(option.kind, Whole) else text

    return read


def _given(options: argparse.Namespace) -> Iterator[tuple[Option, Any]]:
    """The given options of a film, with the typed values."""
    for option in options_in(Context.COMMAND).values():
        value = getattr(options, option.name, None)
        if value is not None and value is not False:
            yield option, value


def asked_settings(options: argparse.Namespace) -> Mapping[str, object]:
    """The given options that are settings, for `undoku.render.settings.settings.settings_of`."""
    return {option.name: value for option, value in _given(options) if option.fields}


def words_of(options: argparse.Namespace) -> Iterator[str]:
    """The given options as words of a command, without output files."""
    for option, value in _given(options):
        if option.metavar != "FILE":
            for one in value if isinstance(value, list) else [value]:
                yield option.command_line
                if one is not True and not (isinstance(option.kind, FlagOrFile) and one == "true"):
                    yield str(one)
