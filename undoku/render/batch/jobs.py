"""Expands the jobs of a manifest into films, and groups films that can be drawn together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path, PurePosixPath
from typing import Any

from undoku.errors import SettingsError
from undoku.render.batch.film_names import (
    HIGHLIGHTS,
    FilmNames,
    check_name,
    check_template,
    filled,
    is_sidecar,
    slug,
)
from undoku.render.batch.manifest import Manifest, Spot, manifest_of, read_manifest
from undoku.render.batch.output_options import (
    check_output_options,
    limits_of,
    output_options_of,
)
from undoku.render.batch.puzzle_sources import NamedPuzzle, Sources
from undoku.render.batch.tasks import FilmGroup
from undoku.render.delivery.outputs import check_paths, with_rate
from undoku.render.draw.look import Look
from undoku.render.draw.theme import load_theme
from undoku.render.draw.typefaces import load_typeface
from undoku.render.film.film import MAX_PANELS
from undoku.render.film.search_labels import check_label_count
from undoku.render.layout.page import arrange
from undoku.render.settings.option import Context
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.settings.table import ASPECTS, options_in, settings_in
from undoku.render.sound.mix import load_mix
from undoku.solver.search.strategy import COMPARED, Strategy
from undoku.texts.language_files import load_language

MAX_FILMS = 100_000
"""The maximum number of films of one batch; more are a mistake in a matrix."""

_FORMATS = ["mp4"]
_PICTURES = ["png"]
# If a job sets one of these, the defaults for all options of its group are dropped.
_EXCLUSIVE = (
    {"size", "aspect"},
    {"duration", "steps_per_frame", "steps_per_second", "every"},
    {"ramp", "highlights"},
    {"at_step", "filmstrip"},
)


def films_of(manifest: str | Path | Mapping[str, Any]) -> list[FilmGroup]:
    """The films of a manifest, in its order, grouped by what they show. The manifest is a TOML
    file, or the same tables as a mapping, whose file names are relative to the working folder.

    Raises SettingsError, StrategyError, PuzzleError, each with its place in the manifest;
    ReadError for a file that can't be read.
    """
    if isinstance(manifest, Mapping):
        checked = manifest_of(manifest)
    else:
        checked = read_manifest(Path(manifest))
    sources = Sources(checked.spot(), MAX_FILMS)
    # Puzzles with different titles are equal.
    names_by_content: dict[tuple[FilmGroup, str], list[str]] = {}
    all_names = FilmNames()
    for number in range(len(checked.content["jobs"])):
        job = _Job(checked, number, sources)
        if len(all_names) + job.films > MAX_FILMS:
            raise SettingsError(
                f"the manifest describes more than {MAX_FILMS:,} films",
                place=job.spot.place(),
                remedy="shorten a list of the matrix, or give a collection a range",
            )
        for group, names in job.nameless_groups():
            with (job.spot / "name").located():
                for name in names:
                    all_names.add(name)
            names_by_content.setdefault((group, group.puzzle.title), []).extend(names)
    return [_named(group, names) for (group, _), names in names_by_content.items()]


def _named(group: FilmGroup, names: Sequence[str]) -> FilmGroup:
    """The group with its names, and the settings that their formats require."""
    films = [Path(name) for name in names if not is_sidecar(name)]
    settings = replace(with_rate(group.settings, films), encoder_threads=1)
    return replace(group, names=tuple(names), settings=settings)


class _Job:
    """One [[jobs]] table with the defaults below it."""

    def __init__(self, manifest: Manifest, number: int, sources: Sources) -> None:
        self.spot = manifest.spot("jobs", number)
        self._defaults_spot = manifest.spot("defaults")
        self._own = manifest.content["jobs"][number]
        defaults = dict(manifest.content.get("defaults", {}))
        self._matrix = self._own.get("matrix", {})
        own_keys = {name for name, value in self._own.items() if value is not False}
        own_keys |= {name.removesuffix("s") for name in self._matrix}
        for group in _EXCLUSIVE:
            if group & own_keys:
                defaults = {name: value for name, value in defaults.items() if name not in group}
        self._table: dict[str, Any] = defaults | self._own
        self._number = number + 1
        self._puzzles = self._read_puzzles(sources)
        self._strategies = self._read_strategies()
        self._options = output_options_of(self._table, self._where)
        self._limits = limits_of(self._table, self._where)
        self._formats = self._read_formats()
        self._sizes = [("aspect", one) for one, _ in self._listed("aspects", [])]
        self._sizes += [("size", one) for one, _ in self._listed("sizes", [])]
        self._themes = [self._found("theme", one) for one, _ in self._listed("themes", [])]
        for name in settings_in(Context.MANIFEST).keys() & self._table.keys():
            self._table[name] = self._found(name, self._table[name])
        for name in ("code", "cues"):  # films store the contents of the file
            if name in self._table:
                with self._where(name).located():
                    path = self._path(self._table[name])
                    self._table[name] = options_in(Context.MANIFEST)[name].value(path)
        self._name = self._read_name()
        self._check_settings()

    @property
    def films(self) -> int:
        """The number of films, without their sidecars."""
        varied = (self._puzzles, self._strategies, self._formats)
        looks = max(1, len(self._sizes)) * max(1, len(self._themes))
        return prod(len(one) for one in varied) * looks

    def _where(self, name: str) -> Spot:
        """The place of a value of the job."""
        if name in self._matrix:
            return self.spot / "matrix" / name
        return (self.spot if name in self._own else self._defaults_spot) / name

    def _listed(self, name: str, default: Sequence[Any]) -> list[tuple[Any, Spot]]:
        """The entries of a list, from the matrix or the job, each with its place."""
        where = self._where(name)
        value = self._matrix.get(name, self._table.get(name, default))
        if isinstance(value, str):
            return [(value, where)]
        return [(one, where / number) for number, one in enumerate(value)]

    def _found(self, name: str, value: Any) -> Any:
        """The value of an option; the path of a file that it names, from the working folder."""
        option = settings_in(Context.MANIFEST)[name]
        named = isinstance(value, str) and option.kind.path_in(value)
        return self._path(value) if named else value

    def _path(self, name: str) -> str:
        """A file that the manifest names, from the working folder."""
        return str(self.spot.manifest.folder / name)

    def _read_puzzles(self, sources: Sources) -> list[NamedPuzzle]:
        listed = self._listed("puzzles", [])
        if not listed:
            raise SettingsError(
                "the job has no puzzles",
                place=self.spot.place(),
                remedy='add puzzles = ["puzzle.txt"]',
            )
        return [puzzle for one, spot in listed for puzzle in sources.puzzles(one, spot)]

    def _read_strategies(self) -> list[tuple[str, ...]]:
        """The strategies of each film: in a matrix every entry is a film, otherwise all are one
        film."""
        listed = self._listed("strategies", list(COMPARED))
        groups = [listed]
        if "strategies" in self._matrix:
            groups = [
                [(one, spot / at) for at, one in enumerate(group)]
                if isinstance(group, list)
                else [(group, spot)]
                for group, spot in listed
            ]
        films = []
        for group in groups:
            names = []
            for one, spot in group:
                with spot.located():
                    names.append(str(Strategy.parse(one)))
            if len(names) > MAX_PANELS:
                raise SettingsError(
                    f"a film can't show {len(names)} strategies",
                    place=group[MAX_PANELS][1].place(),
                    remedy=f"take 1 to {MAX_PANELS}",
                )
            films.append(tuple(names))
        return films

    def _read_formats(self) -> list[str]:
        suffixes = []
        usual = _PICTURES if self._options.single else _FORMATS
        for text, spot in self._listed("formats", usual):
            suffix = "." + text.lower().removeprefix(".")
            with spot.located():
                if "/" in text or "%" in text:
                    raise SettingsError(f"there is no format {text!r}")
                check_paths([Path(f"film{suffix}")], still=self._options.single)
            suffixes.append(suffix)
        return suffixes

    def _read_name(self) -> str:
        """The template; by default the fields that distinguish the films of this job."""
        if "name" in self._table:
            with self._where("name").located():
                check_template(self._table["name"])
            return str(self._table["name"])
        parts = ["{puzzle}", "{strategies}"]
        if {"aspects", "sizes"} & self._matrix.keys():
            parts.append("{aspect}")
        if "themes" in self._matrix:
            parts.append("{theme}")
        return "_".join(parts)

    def _check_settings(self) -> None:
        """Raise SettingsError with its place for each invalid setting, before any film is begun."""
        for name, value in self._table.items():
            if name in settings_in(Context.MANIFEST):
                with self._where(name).located():
                    self._checked({name: value})
        if {"size", "aspect"} <= self._table.keys():
            raise SettingsError(
                "aspect and size can't be combined",
                place=self._where("aspect").place(),
                remedy="keep one of the two",
            )
        check_output_options(self._options, self._formats, self._where)
        if "title" in self._table:
            with self._where("title").located():
                check_template(self._table["title"])
        for plural in ("sizes", "themes"):
            for one, spot in self._listed(plural, []):
                with spot.located():
                    meant = self._found("theme", one) if plural == "themes" else one
                    self._checked({plural.removesuffix("s"): meant})

    def _checked(self, values: dict[str, Any]) -> None:
        settings = settings_of(values, context=Context.MANIFEST)
        load_theme(settings.theme)
        load_typeface(settings.font)
        load_language(settings.language)
        if settings.sound:
            load_mix(settings.sound)
        if "quality" in values:
            from undoku.render.write.quality import quality

            quality(settings.quality)
        if "size" in values:
            largest = max(Look(one.puzzle.problem).side for one in self._puzzles)
            _check_layout(settings.width, settings.height, 1, largest)

    def nameless_groups(self) -> Iterator[tuple[FilmGroup, list[str]]]:
        """Groups of films without names, and the names of the files of each."""
        plain = {
            name: value
            for name, value in self._table.items()
            if name in settings_in(Context.MANIFEST)
        }
        aspect = str(self._table.get("aspect", ""))
        if aspect:
            plain["size"] = ASPECTS[aspect]
        for named, strategies, size, theme in product(
            self._puzzles, self._strategies, self._sizes or [("", "")], self._themes or [""]
        ):
            values = dict(plain)
            if size[1]:
                values["size"] = ASPECTS.get(size[1], size[1])
            if theme:
                values["theme"] = theme
            shown = str(values.get("size", "1280x720"))
            fields = {
                "puzzle": named.name,
                "collection": named.collection or "single",
                "number": str(named.number),
                "strategies": "_".join(map(slug, strategies)),
                "aspect": slug(size[1] or aspect or shown),
                "size": slug(shown),
                "theme": slug(Path(str(values.get("theme", "dark"))).stem),
                "format": "",
                "job": str(self._number),
            }
            if "title" in values:
                values["title"] = filled(values["title"], fields)
            with self.spot.located():
                settings = settings_of(values, context=Context.MANIFEST)
                with self._where("labels").located():
                    check_label_count(settings.labels, len(strategies))
                _check_layout(
                    settings.width,
                    settings.height,
                    len(strategies),
                    Look(named.puzzle.problem).side,
                )
            names = []
            for suffix in self._formats:
                stem = filled(self._name, fields | {"format": suffix[1:]})
                with (self.spot / "name").located():
                    check_name(stem)
                names.append(stem + suffix)
            names += self._sidecars(names, settings)
            puzzle, options = named.puzzle, self._options
            yield FilmGroup(puzzle, strategies, self._limits, settings, (), options), names

    def _sidecars(self, names: Sequence[str], settings: FilmSettings) -> list[str]:
        """The names of the sidecars of films of these names."""
        stems = dict.fromkeys(str(PurePosixPath(name).with_suffix("")) for name in names)
        endings = [f".{self._options.captions}"] if self._options.captions else []
        endings += [f".{one}" for one in self._options.marks]
        if settings.highlights and not self._options.single:
            endings.append(HIGHLIGHTS)
        return [stem + ending for stem in stems for ending in endings]


@lru_cache(maxsize=256)
def _check_layout(width: int, height: int, panels: int, size: int) -> None:
    """Raise SettingsError if this number of boards does not fit into the picture."""
    arrange(width, height, panels, size, title=True)
