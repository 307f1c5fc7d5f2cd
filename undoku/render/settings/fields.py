"""The fields of FilmSettings and the keyword arguments of films, made from the table of options.

Type checkers read `fields.pyi` instead, which `make docs` writes.
"""

from __future__ import annotations

from dataclasses import field, make_dataclass
from typing import TypedDict

from undoku.render.settings.option import Context
from undoku.render.settings.table import by_field, settings_in
from undoku.render.timeline.timeline import Pace

FIELD_TYPES = {}
"""The type of each field, as Python writes it, in the order of the table; the pace follows the
frame rate."""

_defaults = {}
for name, option in by_field().items():
    _defaults[name] = option.by_fields(option.default)[name]
    FIELD_TYPES[name] = option.kind.value_type + " | None" * (_defaults[name] is None)
    if name == "fps":
        FIELD_TYPES["pace"], _defaults["pace"] = "Pace", Pace()

ARGUMENT_TYPES = {
    name: f"{option.kind.argument_type} | None"
    for name, option in settings_in(Context.PYTHON).items()
}
"""The type of each keyword argument."""

SettingFields = make_dataclass(
    "SettingFields",
    [(name, kind, field(default=_defaults[name])) for name, kind in FIELD_TYPES.items()],
    namespace={"__module__": __name__},
    frozen=True,
    slots=True,
)

FilmOptions = TypedDict("FilmOptions", ARGUMENT_TYPES, total=False)
