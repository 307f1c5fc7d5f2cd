"""The options of a job that are not settings of its films, and the limits of its searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from undoku.errors import SettingsError
from undoku.render.batch.manifest import Spot
from undoku.render.delivery.fit import limits_for
from undoku.render.delivery.marks import marks_sidecar
from undoku.render.delivery.request import OutputRequest
from undoku.render.settings.option import Context, Group
from undoku.render.settings.table import named_options
from undoku.render.write.formats import format_of
from undoku.solver.trace.search_trace import Limits

_OPTIONS = named_options(Context.MANIFEST)

Where = Callable[[str], Spot]
"""The place of a key's value in the manifest."""


@dataclass(frozen=True, slots=True)
class OutputOptions(OutputRequest):
    """The options of films that are not settings. `captions` is "srt", "vtt", or "" for none;
    `marks` are the suffixes of files of marks, without their dot.
    """

    captions: str = ""
    marks: tuple[str, ...] = ()


def limits_of(table: Mapping[str, Any], where: Where) -> Limits:
    """The limits of the searches of a job. Raises SettingsError with the place."""
    limits: dict[str, Any] = {}
    for name, option in _OPTIONS.items():
        if option.group is Group.SEARCH and name in table:
            with where(name).located():
                value = option.value(table[name])
                limits[option.name] = float(value) if isinstance(value, Fraction) else value
                Limits(**limits)
    return Limits(**limits)


def output_options_of(table: Mapping[str, Any], where: Where) -> OutputOptions:
    """The output options of a job. Raises SettingsError with the place, also for marks whose
    library is missing."""
    max_bytes = None
    if "max_size" in table:
        with where("max_size").located():
            max_bytes = _OPTIONS["max_size"].value(table["max_size"])
    marks: tuple[str, ...] = ()
    if "marks" in table:
        with where("marks").located():
            marks = tuple(dict.fromkeys(_OPTIONS["marks"].value(table["marks"])))
            for suffix in marks:
                marks_sidecar(Path(f"film.{suffix}"), Path("film.mp4"))
    with where("filmstrip" if "filmstrip" in table else "at_step").located():
        return OutputOptions(
            at_step=table.get("at_step"),
            filmstrip=table.get("filmstrip"),
            max_bytes=max_bytes,
            platform=table.get("for"),
            any_size=not {"size", "aspect"} & table.keys(),
            beside=tuple(name for name in ("captions", "marks", "flash_safe") if table.get(name)),
            captions=table.get("captions", ""),
            marks=marks,
        )


def check_output_options(options: OutputOptions, suffixes: Sequence[str], where: Where) -> None:
    """Raise SettingsError, with the place, for limits that contradict other options or the formats
    with these `suffixes`."""
    limit = "for" if options.platform is not None else "max_size"
    if options.fitted:
        for name in options.beside:
            raise SettingsError(
                f"{name} need a film whose frames are known",
                place=where(name).place(),
                remedy=f"leave out {limit}",
            )
        for suffix in suffixes:
            with where(limit).located():
                if format_of(Path(f"film{suffix}")).still:
                    raise SettingsError(
                        f"a {suffix[1:]} is a still picture, so it can't be fitted",
                        remedy="take formats such as mp4 and gif",
                    )
                limits_for(Path(f"film{suffix}"), options.max_bytes, options.platform)
