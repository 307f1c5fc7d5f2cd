"""The metadata of a film, and its recipe: everything needed to make the same film again, as one
line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from undoku.errors import SettingsError, UndokuError
from undoku.render.settings.settings import FilmSettings, compatible_pace
from undoku.render.settings.table import by_field, option
from undoku.render.timeline.timeline import Pace
from undoku.render.write.file_info import RECIPE
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.header import header_object, parse_header
from undoku.solver.trace.search_trace import Limits, SearchTrace
from undoku.solver.trace.trace import Header, Tally, Trace
from undoku.texts.text_lines import encodable

_VERSION = 1

_PLACES: Mapping[type, str] = {FilmSettings: "", Pace: "pace."}
"""The prefixes of the names of fields, by the object that has them."""

_FORMER_FIELDS = {"texts": "language", "ground": "background"}
"""Fields that had other names in the recipes of earlier versions."""

_WITHOUT_EFFECT = ("closed", "segmentable", "variable_rate")
"""Fields of recipes of earlier versions that no longer have an effect."""

_PICTURES = {"step": "at_step", "filmstrip": "filmstrip"}
"""The options of single pictures, each with a number: a step, or a number of moments."""


def recipe_of(
    traces: Sequence[Trace], settings: FilmSettings, picture: Mapping[str, int] | None = None
) -> str:
    """The recipe of a film of `traces`, or "" if one of them is a recording: its events are not in
    the film and can't be searched again. `picture` describes a single picture of the film, as
    {"step": 5000} or {"filmstrip": 8}."""
    searches = []
    for trace in traces:
        if not isinstance(trace, SearchTrace):
            return ""
        search: dict[str, Any] = {"header": header_object(trace.header)}
        search["limits"] = {
            field.name: value
            for field in fields(trace.limits)
            if (value := getattr(trace.limits, field.name)) != field.default
        }
        searches.append(search)
    content = {"undoku_film": _VERSION, "searches": searches, "settings": _stored(settings)}
    if picture:
        content["picture"] = dict(picture)
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def picture_in(recipe: str) -> dict[str, int]:
    """The option of the single picture of a valid recipe and its value; {} for a whole film."""
    found = json.loads(recipe).get("picture", {})
    return {
        _PICTURES[name]: number
        for name, number in (found.items() if isinstance(found, dict) else ())
        if name in _PICTURES and option(_PICTURES[name]).kind.takes(number)
    }


def _stored(value: FilmSettings | Pace) -> dict[str, Any]:
    """The fields that differ from their defaults, in the stored form of their options."""
    options = by_field(_PLACES[type(value)])
    found: dict[str, Any] = {}
    for field in fields(value):
        content = getattr(value, field.name)
        if content == field.default:
            continue
        if isinstance(content, Pace):
            found[field.name] = _stored(content)
        else:
            found[field.name] = options[field.name].kind.store(content)
    return found


def traces_and_settings(recipe: str, source: str) -> tuple[list[Trace], FilmSettings]:
    """The searches and settings of a recipe; `source` names its file. Raises SettingsError if this
    version does not understand it.
    """
    try:
        content = json.loads(recipe)
        if not isinstance(content, dict) or content.get("undoku_film") != _VERSION:
            raise ValueError
        traces = [_search(search, source) for search in content["searches"]]
        return traces, _settings(content["settings"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise SettingsError(
            f"{source!r} contains no recipe that this version understands"
        ) from None
    except UndokuError as error:
        raise SettingsError(f"the recipe in {source!r} is damaged: {error.message}") from None


def _search(content: Mapping[str, Any], source: str) -> Trace:
    header = parse_header(json.dumps(content["header"]), source)
    trace = SearchTrace(
        header.puzzle, Strategy.parse(header.strategy), Limits(**content.get("limits", {}))
    )
    trace.header = header
    return trace


def _settings(content: Mapping[str, Any]) -> FilmSettings:
    values = _restored(content, FilmSettings)
    if "pace" in content:  # earlier versions had stories with a choice of panels
        pace = Pace(**_restored(content["pace"], Pace))
        values["pace"] = compatible_pace(pace, values)
    return FilmSettings(**values)


def _restored(content: Mapping[str, Any], kind: type[FilmSettings] | type[Pace]) -> dict[str, Any]:
    """The values of fields from their stored forms. Raises KeyError for an unknown field."""
    options = by_field(_PLACES[kind])
    named = ((_FORMER_FIELDS.get(name, name), stored) for name, stored in content.items())
    return {
        name: options[name].kind.restore(stored)
        for name, stored in named
        if name not in ("pace", *_WITHOUT_EFFECT)
    }


def about_film(
    title: str, headers: Sequence[Header], tallies: Sequence[Tally], command: str, recipe: str
) -> tuple[tuple[str, str], ...]:
    """Title, puzzle, strategies and counts, and, if they exist, the command and the recipe."""
    labels = [header.label for header in headers]
    texts = {
        "title": title or " vs ".join(labels),
        "puzzle": ", ".join(dict.fromkeys(str(header.puzzle) for header in headers)),
        "strategies": ", ".join(header.name for header in headers),
        "counts": "; ".join(map(_counted, labels, tallies)),
    }
    if command:
        texts["command"] = command
    if recipe:
        texts[RECIPE] = recipe
    return tuple((name, encodable(text)) for name, text in texts.items())


def _counted(label: str, tally: Tally) -> str:
    """The counts of one search for the metadata."""
    return (
        f"{label}: {tally.outcome}, {tally.nodes} nodes, {tally.steps} steps, "
        f"{tally.backtracks} backtracks"
    )
