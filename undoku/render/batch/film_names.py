"""Names of films and of their sidecars: suffixes, templates with fields in braces, and the check of
relative names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from undoku.errors import SettingsError, did_you_mean
from undoku.render.settings.option import Context
from undoku.render.settings.table import option
from undoku.render.write.formats import format_of

_CAPTIONS = tuple(f".{name}" for name in option("captions", Context.MANIFEST).kind.choices)

HIGHLIGHTS = ".highlights.json"
"""The suffix of a list of highlights."""

MARKS = tuple(f".{name}" for name in option("marks", Context.MANIFEST).kind.choices)
"""The suffixes of files of marks."""

_SIDECARS = (HIGHLIGHTS, *MARKS, *_CAPTIONS)


def is_sidecar(name: str) -> bool:
    """Whether this is the name of a sidecar of a film."""
    return name.lower().endswith(_SIDECARS)


def suffix_of(name: str) -> str:
    """The suffix of the name of a film or a sidecar, according to its format."""
    sidecar = next((one for one in _SIDECARS if name.lower().endswith(one)), "")
    return sidecar or format_of(Path(name)).suffix


def stem_of(name: str) -> str:
    """The common part of the names of a film and its sidecars."""
    return name[: -len(suffix_of(name))] if is_sidecar(name) else name.rpartition(".")[0]


def film_beside(name: str, names: Sequence[str]) -> str:
    """The film among `names` to which the file `name` belongs; `name` itself if it is a film."""
    if not is_sidecar(name):
        return name
    films = (film for film in names if not is_sidecar(film) and stem_of(film) == stem_of(name))
    return next(films, name)


FIELDS: Mapping[str, str] = {
    "puzzle": "the puzzle's file, or its collection and number",
    "collection": "the collection's name",
    "number": "the puzzle's number in its collection",
    "strategies": "the strategies, joined by _",
    "aspect": "the aspect, such as 16-9",
    "size": "the size, such as 1280x720",
    "theme": "the theme",
    "format": "the format",
    "job": "the number of the job's table in the manifest",
}
"""The fields of templates, and their meaning."""

_FIELD = re.compile(r"\{(\w+)(?::0(\d))?\}")
_FOREIGN = set('\\:*?"<>|%{}')
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\..*)?")
_MAX_BYTES = 150  # bytes of one part, which leaves room for a suffix and for temporary names
_MAX_DEPTH = 8
_RESERVED = ("report", "report.html")


def slug(text: str) -> str:
    """A text as part of a name: everything except letters, digits and `.+-_` becomes a hyphen."""
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.") or "x"


def check_template(template: str) -> None:
    """Raise SettingsError for an unknown field or a stray brace."""
    for match in _FIELD.finditer(template):
        if match[1] not in FIELDS:
            fields = [f"{{{name}}}" for name in FIELDS]
            raise SettingsError(
                f"there is no field {{{match[1]}}}",
                remedy=did_you_mean(f"{{{match[1]}}}", fields, f"known: {', '.join(fields)}"),
            )
        if match[2] and match[1] not in ("number", "job"):
            raise SettingsError(f"{match[0]} is not a number, so it can't be padded")
    if set(_FIELD.sub("", template)) & set("{}"):
        raise SettingsError(
            f"{template!r} has a brace without a field", remedy="write fields such as {puzzle}"
        )


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with its fields filled in; `{number:04}` pads with zeros."""
    return _FIELD.sub(lambda match: values[match[1]].zfill(int(match[2] or 0)), template)


def check_name(name: str) -> None:
    """Refuse a name that could lead out of the folder of films, or has another meaning on some
    system.

    `name` is relative, with / between its parts. Raises SettingsError.
    """
    parts = name.split("/")
    problems = (_problem(name, parts), *map(_part_problem, parts))
    if problem := next(filter(None, problems), None):
        raise SettingsError(
            f"a film can't be called {name[:200]!r}: {problem}",
            remedy="use letters, digits and . _ + - with / between folders",
        )


class FilmNames:
    """The names of a batch's films so far, without distinction of case, as on some systems."""

    def __init__(self) -> None:
        self._films: set[str] = set()
        self._folders: set[str] = set()

    def __len__(self) -> int:
        return len(self._films)

    def add(self, name: str) -> None:
        """Add a name, with / between its parts. Raises SettingsError if another film has it, or if
        a film and a folder would have the same name."""
        parts = name.casefold().split("/")
        folders = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        film = "/".join(parts)
        if film in self._films:
            raise SettingsError(
                f"two films would be called {name!r}",
                remedy="give name a field that tells them apart, such as {aspect}",
            )
        if film in self._folders or folders & self._films:
            raise SettingsError(
                f"with {name!r} a film and a folder would have the same name",
                remedy="give one of them another name",
            )
        self._films.add(film)
        self._folders |= folders


def _problem(name: str, parts: Sequence[str]) -> str | None:
    if not name or not parts[0]:
        return "it is empty" if not name else "it starts at the root of the disk"
    if len(parts) > _MAX_DEPTH:
        return f"it is {len(parts)} folders deep"
    if parts[0].casefold() in _RESERVED:
        return f"{parts[0]!r} is the folder of the report"
    return None


def _part_problem(part: str) -> str | None:
    if not part:
        return "a part of it is empty"
    if part in (".", ".."):
        return f"{part!r} leads elsewhere"
    if part[0] in "-.":
        return f"{part!r} starts with {part[0]!r}"
    if part[-1] in ". " or part[0] == " ":
        return f"{part!r} starts or ends with a blank or a dot"
    if foreign := next((mark for mark in part if mark in _FOREIGN or not mark.isprintable()), ""):
        return f"{foreign!r} has another meaning in names"
    if _DEVICES.fullmatch(part):
        return f"{part!r} is a device on some systems"
    if len(part.encode("utf-8", "replace")) > _MAX_BYTES:
        return f"a part of it is longer than {_MAX_BYTES} bytes"
    return None
