"""The record of an option of a film; `undoku.render.settings.table` consists of these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, Flag
from typing import Any

from undoku.render.settings import kinds
from undoku.render.settings.kinds import OptionType

PACE = "pace."
"""The prefix of fields in the Pace of the settings."""


class Group(Enum):
    """A group of options: a heading in the help."""

    SEARCH = "search"
    OUTPUT = "output"
    PICTURE = "picture"
    PACE = "pace"


class Context(Flag):
    """Where an option may be given."""

    COMMAND = 1
    """The options of `undoku render`, and those in SEARCH of all commands that search."""
    MANIFEST = 2
    """A job of a manifest, or its defaults."""
    PYTHON = 4
    """Keyword arguments of `undoku.film` and `undoku.frames`."""


EVERYWHERE = Context.COMMAND | Context.MANIFEST | Context.PYTHON


@dataclass(frozen=True)
class Option:
    """An option of a film.

    `name` is that of manifests and Python; the command line has it with hyphens. `sentence`
    describes its effect, beginning with a small letter and without a full stop, as in the help.
    `example` is a value as typed on the command line, "" for a flag. `fields` are the fields of
    FilmSettings that hold its value, with the prefix "pace." for those of its Pace; none if it is
    stored elsewhere.
    """

    name: str
    kind: OptionType
    sentence: str
    group: Group
    example: str = ""
    default: Any = None
    """The default value; None if it depends on other settings."""
    usual: str = ""
    """The default in words, if the value itself is not clear."""
    fields: tuple[str, ...] = ()
    contexts: Context = EVERYWHERE
    metavar: str = ""
    """The name of the value in help, if it is not that of the type."""
    aliases: tuple[str, ...] = ()
    """Further names: former ones, and other spellings."""
    each: str = ""
    """The name on the command line of an option that is repeated for several values."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names, its own first."""
        return (self.name, *self.aliases)

    @property
    def further_command_lines(self) -> tuple[str, ...]:
        """Its further names on the command line."""
        return tuple(f"--{alias.replace('_', '-')}" for alias in self.aliases)

    @property
    def flag(self) -> bool:
        """Whether it has no value."""
        return isinstance(self.kind, kinds.Flag)

    @property
    def sets_pace(self) -> bool:
        """Whether it sets the speed of the race, or selects a part of it."""
        return any(field.startswith(PACE) for field in self.fields)

    @property
    def command_line(self) -> str:
        """Its name on the command line."""
        return "--" + (self.each or self.name).replace("_", "-")

    @property
    def description(self) -> str:
        """The sentence with a capital letter and a full stop."""
        return f"{self.sentence[:1].upper()}{self.sentence[1:]}."

    @property
    def default_text(self) -> str:
        """The default in words; "" if there is none to state."""
        if self.usual or self.default in (None, False, "", ()):
            return self.usual
        return self.kind.as_argument(self.default)

    def by_fields(self, value: Any) -> dict[str, Any]:
        """The value of each of its fields."""
        return dict(zip(self.fields, value if len(self.fields) > 1 else (value,), strict=True))

    def value(self, given: object) -> Any:
        """The value, from what is given. Raises SettingsError."""
        value = self.kind.read(self.name, given)
        self.check(value)
        return value

    def check(self, value: Any) -> None:
        """Raise SettingsError for an invalid value. The default is valid."""
        if value is not self.default and (
            value != self.default or type(value) is not type(self.default)
        ):
            self.kind.check(self.name, value)
