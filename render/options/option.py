"""What an option of a film is: the record that `render.options.table` is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, Flag
from typing import Any

from render.options import kinds
from render.options.kinds import OptionType

__all__ = ["EVERYWHERE", "PACE", "Context", "Group", "Option"]

PACE = "pace."
"""What begins the name of a field that is one of the settings' Pace."""


class Group(Enum):
    """What an option is about: a heading of the help."""

    SEARCH = "search"
    OUTPUT = "output"
    PICTURE = "picture"
    PACE = "pace"


class Context(Flag):
    """Where an option may be given."""

    COMMAND = 1
    """The options of `undoku render`; those of SEARCH, of all commands that search."""
    MANIFEST = 2
    """A job of a manifest, or its defaults."""
    PYTHON = 4
    """Keyword arguments of `render.frames` and `render.compare`."""


EVERYWHERE = Context.COMMAND | Context.MANIFEST | Context.PYTHON


@dataclass(frozen=True)
class Option:
    """An option of a film.

    `name` is that of manifests and Python; the command line has it with hyphens. `sentence` says
    in one sentence what it does, small and without a full stop, as help has it. `example` is a
    value as a person types it, "" for a flag. `fields` are those of FilmSettings that hold its
    value, "pace." before those of its Pace; none where something else does.
    """

    name: str
    kind: OptionType
    sentence: str
    group: Group
    example: str = ""
    default: Any = None
    """The value where nothing is given; None where that depends on something else."""
    usual: str = ""
    """The default in words, where the value itself doesn't tell."""
    fields: tuple[str, ...] = ()
    contexts: Context = EVERYWHERE
    metavar: str = ""
    """What help calls the value, where the kind doesn't tell."""
    spellings: tuple[str, ...] = ()
    """Further names on the command line."""
    each: str = ""
    """The name on the command line where the option is given once for each of several values."""

    @property
    def flag(self) -> bool:
        """Whether it takes no value."""
        return isinstance(self.kind, kinds.Flag)

    @property
    def sets_pace(self) -> bool:
        """Whether it tells how fast the race runs, or which part of it."""
        return any(field.startswith(PACE) for field in self.fields)

    @property
    def command_line(self) -> str:
        """Its name on the command line."""
        return "--" + (self.each or self.name).replace("_", "-")

    @property
    def description(self) -> str:
        """The sentence as one of its own."""
        return f"{self.sentence[:1].upper()}{self.sentence[1:]}."

    @property
    def usually(self) -> str:
        """The default for people; "" where there is nothing to say."""
        if self.usual or self.default in (None, False, "", ()):
            return self.usual
        return self.kind.told(self.default)

    def by_fields(self, value: Any) -> dict[str, Any]:
        """What each of its fields holds where it has this value."""
        return dict(zip(self.fields, value if len(self.fields) > 1 else (value,), strict=True))

    def value(self, given: object) -> Any:
        """The value, from what is given. Raises SettingsError."""
        value = self.kind.read(self.name, given)
        self.check(value)
        return value

    def check(self, value: Any) -> None:
        """Raises SettingsError for an impossible value. The default is possible."""
        if value is not self.default and (
            value != self.default or type(value) is not type(self.default)
        ):
            self.kind.check(self.name, value)
