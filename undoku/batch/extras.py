"""The options of a job that are not settings of its films, and the limits of its searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from undoku.batch.manifest import Spot
from undoku.batch.passes import Extras
from undoku.errors import SettingsError
from undoku.render.delivery.fit import limits_for
from undoku.render.delivery.marks_sidecar import marks_sidecar
from undoku.render.settings.lookup import options_in
from undoku.render.settings.option import Context, Group
from undoku.render.write.formats import format_of
from undoku.solver.trace.search_trace import Limits

__all__ = ["check_extras", "extras_of", "limits_of"]

_LIMITS = tuple(
    name for name, one in options_in(Context.MANIFEST).items() if one.group is Group.SEARCH
)
"""The keys for the limits of searches."""

Where = Callable[[str], Spot]
"""The place of a key's value in the manifest."""


def limits_of(table: Mapping[str, Any], where: Where) -> Limits:
    """The limits of the searches of a job. Raises SettingsError with the place."""
    found: dict[str, Any] = {}
    for name in _LIMITS:
        if name not in table:
            continue
        with where(name).located():
            value = options_in(Context.MANIFEST)[name].value(table[name])
            found[name] = float(value) if isinstance(value, Fraction) else value
            Limits(**found)
    return Limits(**found)


def extras_of(table: Mapping[str, Any], where: Where) -> Extras:
    """The extras of the films of a job. Raises SettingsError with the place."""
    most = None
    if "max_size" in table:
        with where("max_size").located():
            most = options_in(Context.MANIFEST)["max_size"].value(table["max_size"])
    return Extras(
        at_step=table.get("at_step"),
        filmstrip=table.get("filmstrip"),
        most_bytes=most,
        platform=table.get("for"),
        any_size=not {"size", "aspect"} & table.keys(),
        captions=table.get("captions", ""),
        marks=_marks(table, where),
    )


def _marks(table: Mapping[str, Any], where: Where) -> tuple[str, ...]:
    """The formats of marks. Raises SettingsError for one whose library is missing."""
    if "marks" not in table:
        return ()
    with where("marks").located():
        found: tuple[str, ...] = options_in(Context.MANIFEST)["marks"].value(table["marks"])
        for ending in found:
            marks_sidecar(Path(f"film.{ending}"), Path("film.mp4"))
    return tuple(dict.fromkeys(found))


def check_extras(
    extras: Extras, table: Mapping[str, Any], formats: Sequence[str], where: Where
) -> None:
    """Raise SettingsError, with the place, for extras that contradict each other or the formats.
    `formats` are suffixes."""

    def refuse(name: str, sentence: str, remedy: str) -> None:
        raise SettingsError(sentence, place=where(name).place(key=True), remedy=remedy)

    picture = "at_step" if extras.at_step is not None else "filmstrip"
    limit = "for" if extras.platform is not None else "max_size"
    if extras.at_step is not None and extras.filmstrip is not None:
        refuse(
            "filmstrip", "a picture shows one step or a filmstrip, not both", "keep one of the two"
        )
    if extras.single and extras.fitted:
        refuse(
            limit,
            f"{limit} chooses settings of films, not of single pictures",
            f"leave out {picture}",
        )
    flash_safe = bool(table.get("flash_safe"))
    for name, asked in (
        ("flash_safe", flash_safe),
        ("captions", bool(extras.captions)),
        ("marks", bool(extras.marks)),
    ):
        if asked and extras.fitted:
            refuse(name, f"{name} needs a film whose frames are known", f"leave out {limit}")
        if asked and extras.single:
            refuse(name, f"{name} is about films, not single pictures", f"leave out {picture}")
    if table.get("segments") and (extras.single or extras.fitted or flash_safe):
        name = picture if extras.single else limit if extras.fitted else "flash_safe"
        refuse("segments", f"a film can't be cut into segments with {name}", "keep one of the two")
    measured = 'clock = "time"' if table.get("clock") == "time" else ""
    measured = "max_seconds" if "max_seconds" in table else measured
    if table.get("segments") and measured:
        problem = f"the worker of each segment would measure different times for {measured}"
        refuse("segments", problem, "keep one of the two")
    if extras.fitted:
        for suffix in formats:
            with where(limit).located():
                if format_of(Path(f"film{suffix}")).still:
                    raise SettingsError(
                        f"a {suffix[1:]} is a still picture, so it can't be fitted",
                        remedy="take formats such as mp4 and gif",
                    )
                limits_for(Path(f"film{suffix}"), extras.most_bytes, extras.platform)
