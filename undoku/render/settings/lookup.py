"""The options of the table by their names, contexts and fields."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from undoku.render.settings.option import Context, Option
from undoku.render.settings.table import OPTIONS

__all__ = ["by_field", "option", "options_in", "settings_in"]


@cache
def options_in(context: Context) -> Mapping[str, Option]:
    """The options for a context, by name."""
    return {option.name: option for option in OPTIONS if context in option.contexts}


@cache
def settings_in(context: Context) -> Mapping[str, Option]:
    """The options for a context that are settings of a film."""
    return {name: known for name, known in options_in(context).items() if known.fields}


def option(name: str, context: Context | None = None) -> Option:
    """The option with a name; if several have it, that of the context. Raises KeyError."""
    for known in OPTIONS:
        if known.name == name and (context is None or context in known.contexts):
            return known
    raise KeyError(name)


@cache
def by_field(place: str = "") -> Mapping[str, Option]:
    """The options by the field that holds their value, of FilmSettings or, with "pace.", of its
    Pace; of several, the option whose value is the field's unchanged."""
    found: dict[str, Option] = {}
    for known in OPTIONS:
        for path in known.fields:
            field = path.removeprefix(place)
            here = path == place + field and "." not in field
            if here and (field not in found or known.name == field):
                found[field] = known
    return found
