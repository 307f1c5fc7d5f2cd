"""The position of each key and value of a TOML text, so that a mistake can be reported with its
place.

tomllib must have parsed the text before: this module only finds positions; the values of strings
and numbers do not matter.
"""

from __future__ import annotations

import re
import tomllib

__all__ = ["KeyPath", "Positions", "positions_of"]

KeyPath = tuple[str | int, ...]
"""Keys, and indexes (from 0) into arrays: ("jobs", 0, "strategies", 1)."""

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRINGS = (
    re.compile(r'"""(?:\\.|[^\\])*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:\\.|[^"\\])*"'),
    re.compile(r"'[^']*'"),
)
_PLAIN = re.compile(r"[^,\]}\n#]+")


class Positions:
    """Offsets of keys and values by path. A missing path has the offset of the nearest enclosing
    one."""

    def __init__(self) -> None:
        self.keys: dict[KeyPath, int] = {}
        self.values: dict[KeyPath, int] = {}

    def key(self, path: KeyPath) -> int:
        return self._nearest(self.keys, path)

    def value(self, path: KeyPath) -> int:
        return self._nearest(self.values, path)

    def _nearest(self, known: dict[KeyPath, int], path: KeyPath) -> int:
        while path:
            found = known.get(path, self.keys.get(path, self.values.get(path)))
            if found is not None:
                return found
            path = path[:-1]
        return 0


def positions_of(text: str) -> Positions:
    """The positions in a text that is valid TOML."""
    scanner = _Scanner(text)
    scanner.run()
    return scanner.found


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._tables: dict[KeyPath, int] = {}  # the number of tables in each array of tables
        self.found = Positions()

    def run(self) -> None:
        table: KeyPath = ()
        self._skip()
        while self._at < len(self._text):
            if self._text.startswith("[", self._at):
                start = self._at
                several = self._text.startswith("[[", self._at)
                self._at += 2 if several else 1
                table = self._resolved(self._key(), several)
                self.found.keys.setdefault(table, start)
                self._at += 2 if several else 1
            else:
                self._assign(table)
            self._skip()

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        assert found is not None
        self._at = found.end()

    def _key(self) -> list[tuple[str, int]]:
        """The parts of a dotted key and their positions."""
        parts = []
        while True:
            self._skip()
            start = self._at
            if self._text[start] in "\"'":
                self._string()
                quoted = self._text[start : self._at]
                parts.append((next(iter(tomllib.loads(f"{quoted} = 0"))), start))
            else:
                found = _BARE.match(self._text, start)
                assert found is not None
                self._at = found.end()
                parts.append((found[0], start))
            self._skip()
            if self._text[self._at] != ".":
                return parts
            self._at += 1

    def _resolved(self, parts: list[tuple[str, int]], several: bool) -> KeyPath:
        """The path of a table's header; within arrays of tables it refers to the last table so
        far."""
        path: KeyPath = ()
        for number, (name, _) in enumerate(parts):
            path += (name,)
            last = number == len(parts) - 1
            if last and several:
                self._tables[path] = self._tables.get(path, 0) + 1
            if path in self._tables:
                path += (self._tables[path] - 1,)
        return path

    def _assign(self, table: KeyPath) -> None:
        path = table
        for name, start in self._key():
            path += (name,)
            self.found.keys.setdefault(path, start)
        self._at += 1  # the equals sign
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        self._skip()
        self.found.values[path] = self._at
        mark = self._text[self._at]
        if mark in "\"'":
            self._string()
        elif mark == "[":
            self._at += 1
            self._skip()
            number = 0
            while self._text[self._at] != "]":
                self._value((*path, number))
                number += 1
                self._separator()
            self._at += 1
        elif mark == "{":
            self._at += 1
            self._skip()
            while self._text[self._at] != "}":
                self._assign(path)
                self._separator()
            self._at += 1
        else:
            found = _PLAIN.match(self._text, self._at)
            assert found is not None
            self._at = found.end()

    def _separator(self) -> None:
        self._skip()
        if self._text[self._at] == ",":
            self._at += 1
            self._skip()

    def _string(self) -> None:
        for pattern in _STRINGS:
            if found := pattern.match(self._text, self._at):
                self._at = found.end()
                return
        raise AssertionError("a string without an end in valid TOML")
