"""Reads TOML, for manifests, themes and built-in tables, with limits on bytes and depth.

tomllib's time and memory grow with the square of the number of parts of a dotted key: 40 kB of
`a.a.a…` cost 1.6 GB and 12 s. The depth of a text is therefore checked before tomllib parses it.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from undoku.errors import Place, SettingsError
from undoku.file_reading import opened, read_errors, standard_input

_MAX_DEPTH = 8
"""The maximum number of parts of a dotted key, and of lists and inline tables around a value.
undoku's own files need 5."""

_MAX_TABLES = 100_000
"""The maximum number of lists, tables and parts of dotted keys together. Each takes a kilobyte."""

_MAX_CHARACTERS = 100
"""The maximum number of characters of a value or a key in a message."""

_MAX_INTEGER = 1 << 64
"""Integers from this size on are reported without their digits, of which there may be millions."""

T = TypeVar("T")

SENT: dict[tuple[type, str], Any] = {}
"""What a name denotes in this process, by its type: a theme, a language or a mix whose file is on
another machine."""

# One line of a key, quoted or not; three quotes open a text of several lines.
_PART = r"""(?:[A-Za-z0-9_-]++|(?!\"\"\"|''')(?:"(?:\\.|[^"\\\n])*+"|'[^'\n]*+'))"""
_DOT = r"[ \t]*+\.[ \t]*+"
_TOKEN = re.compile(
    rf"""(?P<deep>{_PART}(?:{_DOT}{_PART}){{{_MAX_DEPTH}}}) | (?P<key>{_PART}(?:{_DOT}{_PART})*+)
    | (?P<open>[\[{{]) | (?P<close>[\]}}])
    | \#[^\n]*+ | [^\#"'\[\]{{}}A-Za-z0-9_-]++
    | \"{{3}}(?:\\.|[^\\])*?\"{{3,5}} | '{{3}}.*?'{{3,5}}""",
    re.DOTALL | re.VERBOSE,
)
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]{1,100}")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


KeyPath = tuple[str | int, ...]
"""Keys, and indexes (from 0) into lists: ("jobs", 0, "strategies", 1)."""


_MAX_SEARCHED = 1 << 17
"""The maximum number of characters of a text in which the line of a key is looked for: it is parsed
about ten times."""


@dataclass(frozen=True)
class TomlFile:
    """A parsed text: its tables. `source` is its name in messages; `text` is "" if unknown."""

    content: Mapping[str, Any]
    source: str
    text: str = ""

    def place(self, *path: str | int) -> Place:
        """The place of the key or value at `path`: "films.toml, jobs[2].formats[0]", with the line
        and column of its last key if the text is known."""
        parts = (f"[{part}]" if isinstance(part, int) else f".{_key(part)}" for part in path)
        source = f"{self.source}, {''.join(parts).lstrip('.')}" if path else self.source
        there = path
        while there and not _holds(self.content, there):
            there = there[:-1]  # what is missing is missing there
        name = next((part for part in reversed(there) if isinstance(part, str)), "")
        key = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        found = list(key.finditer(self.text)) if name and len(self.text) <= _MAX_SEARCHED else []

        def without(number: int) -> bool:
            """Whether the content lacks the key if it is renamed from this occurrence on."""
            start = found[number].start()
            renamed = key.sub(lambda one: f"{one[0]}-", self.text[start:])
            return not _holds(tomllib.loads(self.text[:start] + renamed), there)

        try:
            number = bisect_left(range(len(found)), True, key=lambda at: not without(at)) - 1
        except ValueError:  # an occurrence that is no key, such as a number
            return Place(source)
        return _place(source, self.text, found[number].start()) if number >= 0 else Place(source)


def _holds(content: Any, path: KeyPath) -> bool:
    """Whether tables hold something at `path`."""
    try:
        for part in path:
            content = content[part]
    except (LookupError, TypeError):
        return False
    return True


def _key(name: str) -> str:
    """A key as TOML writes it: plain, or in quotes; cut if it is long."""
    return name if _PLAIN_KEY.fullmatch(name) else shown(name)


def read_bytes(path: Path, most: int, what: str) -> tuple[bytes, str]:
    """The bytes of a file, or of standard input for `-`, and its name in messages. Reads at most
    `most` bytes. `what` describes the file in messages. Raises ReadError; SettingsError for a
    longer file.
    """
    source = str(path)
    if source == "-":
        source = "standard input"
        with read_errors(source):
            raw = standard_input().read(most + 1)
    else:
        with opened(source) as file:
            raw = file.read(most + 1)
    if len(raw) > most:
        size = f"{most >> 20} MiB" if most >= 1 << 20 else f"{most >> 10} KiB"
        raise SettingsError(f"it is longer than {size}, too long for {what}", place=Place(source))
    return raw, source


def sent(kind: type[T], name: str) -> T | None:
    """The value of SENT for a name; None if its file is on this machine."""
    found: T | None = SENT.get((kind, name))
    return found


def names_in(folder: Path) -> list[str]:
    """The names of the TOML files in a folder."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def named_file(name: str, folder: Path, kind: str) -> Path:
    """The path `name` if it ends in .toml, otherwise that of the file of this name in `folder`,
    which has files of a `kind`. Raises SettingsError for an unknown name."""
    path = Path(name)
    if path.suffix == ".toml":
        return path
    known = names_in(folder)
    if name in known:
        return folder / f"{name}.toml"
    raise SettingsError(
        f"there is no {kind} {shown(name)}",
        remedy=f"known: {', '.join(known)}, or the path of a .toml file",
    )


def parse_toml(raw: bytes, source: str) -> TomlFile:
    """The tables of a TOML text in UTF-8. Raises SettingsError, with the place, if it is invalid or
    nested too deeply."""
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"byte {raw[error.start]:#04x} at offset {error.start} is not UTF-8",
            place=Place(source),
            remedy="save it as UTF-8",
        ) from None
    _check_tables(text, source)
    try:
        return TomlFile(tomllib.loads(text), source, text)
    except tomllib.TOMLDecodeError as error:
        raise _invalid(str(error), source, text) from None
    except ValueError:  # Python's own limit
        raise SettingsError(
            "a whole number in it has thousands of digits", place=Place(source)
        ) from None


def shown(value: object) -> str:
    """A key or a value for a message: as Python writes it, and cut if it is long."""
    if (
        isinstance(value, int) and abs(value) >= _MAX_INTEGER
    ):  # Python refuses to write millions of digits
        return "a whole number beyond 64 bits"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        entries = ", ".join(map(shown, value[:3])) + ", …" * (len(value) > 3)
        text = f"[{entries}]"
    elif isinstance(value, str):
        text = repr(value[: _MAX_CHARACTERS + 1])
    elif isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, int | float):
        text = repr(value)
    else:
        text = str(value)  # a date or a time
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…"


def _check_tables(text: str, source: str) -> None:
    """Raise SettingsError for a text with too many or too deeply nested tables. An invalid text is
    checked up to its first mistake, like tomllib."""
    at = depth = tables = 0
    while found := _TOKEN.match(text, at):
        depth += bool(found["open"]) - bool(found["close"])
        tables += bool(found["open"]) + text.count(".", at, found.end()) * bool(found["key"])
        if found["deep"] or depth > _MAX_DEPTH:
            raise SettingsError(
                f"its tables and lists are nested more than {_MAX_DEPTH} deep",
                place=_place(source, text, at),
                remedy="shorten the dotted key, or nest fewer tables and lists",
            )
        if tables > _MAX_TABLES:
            raise SettingsError(
                f"it has more than {_MAX_TABLES:,} tables, lists and dots in keys",
                place=_place(source, text, at),
                remedy="split it into several files",
            )
        at = found.end()


def _invalid(message: str, source: str, text: str) -> SettingsError:
    """tomllib's error with its place."""
    found = _AT.search(message)
    message = _AT.sub("", message)
    place = Place(source)
    if found and found[1]:
        line, column = int(found[1]), int(found[2])
        lines = text.split("\n")
        place = Place(source, line, column, lines[line - 1] if line <= len(lines) else "")
    elif found:
        place = _place(source, text, max(0, len(text.rstrip()) - 1))
    return SettingsError(f"it is not valid TOML: {message[:1].lower()}{message[1:]}", place=place)


def _place(source: str, text: str, offset: int) -> Place:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    return Place(source, text.count("\n", 0, offset) + 1, offset - start + 1, line)
