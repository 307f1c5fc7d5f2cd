"""A problem from one TOML or JSON file.

    title = "Three towns"
    variables = ["a", "b", "c"]                   or how many: then they are called 1, 2, …
    values = ["red", "green", "blue"]             or how many: then they are called 1, 2, …
    different = [["a", "b", "c"]]                 sets of variables that must all differ
    pairs = [["a", "b"], ["a", "c", [0, 1]]]      variables that exclude each other: b must not
                                                  equal a; c - a must not be 0 or 1
    domains = { a = ["red", "green"] }            the only values that a may take
    givens = { b = "blue" }
    positions = { a = [0, 0], b = [0, 1.5] }      rows and columns on a picture
    picture = '''                                 in place of variables and positions: areas of
    a a b                                         fields; those that touch must differ, . is empty
    a . b
    c c b
    '''
    rows = 3                                      in place of variables and positions: a board,
    columns = 4                                   whose cells are called r1c1, r1c2, …
    form = "nodes"                                grid, fields, regions, nodes
    variable = "town"                             what a variable and a value are called
    value = "colour"
    texts = ["x", "y", "z"]                       what variables show while they have no value

Only `values` and `variables`, `picture` or `rows` and `columns` are needed. Values are named or
numbered from 1; differences are between their numbers. Units get the name of their kind in place of
"set" or "pair" if `different` or `pairs` is a table of lists: `different = { row = [["a", "b"]] }`.
Where values with shifts must differ, as on the diagonals of a chessboard, a set is a table `{
variables = ["a", "b"], shifts = [0, 1] }`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from math import ceil, isfinite, sqrt
from typing import Any

from undoku.errors import Place, PuzzleError, SettingsError, did_you_mean
from undoku.solver.problem.appearance import Appearance, Form, Variable
from undoku.solver.problem.problem import MAX_UNITS, MAX_VALUES, MAX_VARIABLES, Problem, Unit
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.puzzle_text import one_line, placed_at
from undoku.toml_reading import KeyPath, TomlFile, parse_toml, shown

_KEYS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "title": ((str,), "a text"),
    "variables": ((list, int), "a list of names or a number"),
    "values": ((list, int), "a list of names or a number"),
    "different": ((list, dict), "a list of lists of variables"),
    "pairs": ((list, dict), "a list of pairs of variables"),
    "domains": ((dict,), "a table of lists of values"),
    "givens": ((dict,), "a table of values"),
    "positions": ((dict,), "a table of rows and columns"),
    "picture": ((str,), "a text"),
    "rows": ((int,), "a number"),
    "columns": ((int,), "a number"),
    "form": ((str,), "a text"),
    "variable": ((str,), "a text"),
    "value": ((str,), "a text"),
    "texts": ((list,), "a list of texts"),
}
_NOUNS = {
    Form.GRID: ("cell", "value"),
    Form.FIELDS: ("row", "piece"),
    Form.REGIONS: ("region", "colour"),
    Form.NODES: ("node", "value"),
}
_MAX_NAME = 40
_MAX_POSITION = 1000

Field = tuple[int, int]


def parse_problem(text: str, source: str) -> Puzzle:
    """The puzzle in the text of a TOML or JSON file. Raises PuzzleError."""
    if not text.lstrip().startswith("{"):
        try:
            raw = text.encode(errors="backslashreplace")  # bytes that were not UTF-8
            return _Reader(parse_toml(raw, source)).puzzle()
        except SettingsError as error:
            raise PuzzleError(error.message, place=error.place, remedy=error.remedy) from None
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        place = Place(source, error.lineno, error.colno)
        raise PuzzleError(f"it is not valid JSON: {error.msg}", place=place) from None
    except (ValueError, RecursionError) as error:
        raise PuzzleError(f"it is not valid JSON: {error}", place=Place(source)) from None
    return puzzle_of(content, source)


def puzzle_of(content: Mapping[str, Any], source: str) -> Puzzle:
    """The puzzle that the content of a file describes (see the top of this module); `source` names
    it in errors. Raises PuzzleError with the place of the mistake."""
    return _Reader(TomlFile(content, source)).puzzle()


class _Reader:
    """Reads the content of one file; its errors name the key."""

    def __init__(self, file: TomlFile) -> None:
        self._content, self._place = file.content, file.place
        for key, value in self._content.items():
            if key not in _KEYS:
                remedy = did_you_mean(key, _KEYS, f"choose among {', '.join(_KEYS)}")
                raise self._refused(f"there is no key {key!r}", key, remedy=remedy)
            types, what = _KEYS[key]
            if not isinstance(value, types) or isinstance(value, bool):
                raise self._refused(f"{shown(value)} is not {what}", key)
        if {"rows", "columns"} & self._content.keys():
            self._content = self._with_board()
        self._fields = self._areas(self._content.get("picture", ""))
        self._names = self._listed("variables", MAX_VARIABLES, list(self._fields))
        self._values = self._listed("values", MAX_VALUES)
        self._cells = {name: cell for cell, name in enumerate(self._names)}
        self._numbers = {name: number for number, name in enumerate(self._values, 1)}
        if self._fields and set(self._fields) != set(self._names):
            name = min(set(self._fields) ^ set(self._names))
            raise self._refused(f"{name} is not in both variables and picture", "picture")

    def _with_board(self) -> dict[str, Any]:
        """The content, with the cells of its rows and columns as variables."""
        content = self._content
        rows, columns = content.get("rows", 0), content.get("columns", 0)
        if min(rows, columns) < 1 or rows * columns > MAX_VARIABLES:
            remedy = f"give rows and columns, at most {MAX_VARIABLES:,} cells"
            raise self._refused(f"a board of {rows}×{columns} cells", "rows", remedy=remedy)
        places = list(product(range(rows), range(columns)))
        names = [f"r{row + 1}c{column + 1}" for row, column in places]
        board = {
            "variables": names,
            "positions": dict(zip(names, map(list, places), strict=True)),
        }
        if twice := next((key for key in (*board, "picture") if key in content), ""):
            raise self._refused(f"rows and columns are there in place of {twice}", twice)
        return {"form": "grid", **board, **content}

    def puzzle(self) -> Puzzle:
        content, size = self._content, len(self._values)
        form, variables = self._variables()
        variable, value = _NOUNS[form]
        look = Appearance(
            form,
            one_line(content.get("variable", "")) or variable,
            one_line(content.get("value", "")) or value,
            tuple(self._values),
            "positions" in content or "picture" in content,
            self._texts(),
        )
        units, domains = self._units(), self._domains()
        with placed_at(self._place):
            problem = Problem(size, units, variables=variables, domains=domains, appearance=look)
        givens = [0] * len(self._names)
        for name, given in content.get("givens", {}).items():
            givens[self._cell(name, "givens")] = self._value(given, "givens", name)
        with placed_at(self._place, "givens"):
            return Puzzle(tuple(givens), problem, one_line(content.get("title", "")))

    def _texts(self) -> tuple[str, ...]:
        texts = self._content.get("texts", [])
        for at, text in enumerate(texts):
            if not isinstance(text, str) or len(text) > _MAX_NAME or not text.isprintable():
                raise self._refused(f"{shown(text)} is not a line of text", "texts", at)
        if texts and len(texts) != len(self._names):
            raise self._refused(f"{len(texts)} texts for {len(self._names)} variables", "texts")
        return tuple(texts)

    def _refused(self, message: str, *path: str | int, remedy: str = "") -> PuzzleError:
        return PuzzleError(message, place=self._place(*path), remedy=remedy)

    def _listed(self, key: str, most: int, otherwise: Sequence[str] = ()) -> list[str]:
        """Distinct names, from a list or from their number."""
        given = self._content.get(key, otherwise)
        count = given if isinstance(given, int) else len(given)
        if not 1 <= count <= most:
            what = f"{count:,} {key}" if key in self._content else f"there are no {key}"
            raise self._refused(what, key, remedy=f"give 1 to {most:,} {key}")
        names = list(map(str, range(1, count + 1))) if isinstance(given, int) else list(given)
        seen: set[str] = set()
        for at, name in enumerate(names):
            if not isinstance(name, str) or not name.isprintable() or not name.strip():
                raise self._refused(f"{shown(name)} is not a name", key, at)
            if name in seen or len(name) > _MAX_NAME:
                why = "is there twice" if name in seen else "is too long for a name"
                raise self._refused(f"{shown(name)} {why}", key, at)
            seen.add(name)
        return names

    def _cell(self, name: object, *path: str | int) -> int:
        if isinstance(name, str | int) and str(name) in self._cells:
            return self._cells[str(name)]
        remedy = did_you_mean(str(name)[:_MAX_NAME], self._cells, "use a name of variables")
        raise self._refused(f"there is no variable {shown(name)}", *path, remedy=remedy)

    def _value(self, value: object, *path: str | int) -> int:
        if isinstance(value, str) and value in self._numbers:
            return self._numbers[value]
        if type(value) is int and 1 <= value <= len(self._values):
            return value
        remedy = did_you_mean(str(value)[:_MAX_NAME], self._numbers, "use a name of values")
        raise self._refused(f"there is no value {shown(value)}", *path, remedy=remedy)

    def _domains(self) -> tuple[int, ...]:
        domains = self._content.get("domains", {})
        masks = [(1 << len(self._values)) - 1] * len(self._names)
        for name, values in domains.items():
            if not isinstance(values, list) or not values:
                raise self._refused(f"{shown(values)} is not a list of values", "domains", name)
            numbers = {self._value(value, "domains", name) for value in values}
            masks[self._cell(name, "domains")] = sum(1 << number - 1 for number in numbers)
        return tuple(masks) if domains else ()

    def _areas(self, picture: str) -> dict[str, list[Field]]:
        """The fields of each area of the picture, in reading order of their first ones."""
        areas: dict[str, list[Field]] = {}
        rows = [line.split() for line in picture.splitlines() if line.strip()]
        for row, names in enumerate(rows):
            for column, name in enumerate(names):
                if name != ".":
                    areas.setdefault(name, []).append((row, column))
        return areas

    def _variables(self) -> tuple[Form, tuple[Variable, ...]]:
        """The form, and the variables with their places."""
        content, names = self._content, self._names
        positions: dict[str, Any] = content.get("positions", {})
        for name, position in positions.items():
            self._cell(name, "positions")
            if (
                not isinstance(position, list)
                or len(position) != 2
                or not all(
                    type(number) in (int, float)
                    and isfinite(number)
                    and 0 <= number <= _MAX_POSITION
                    for number in position
                )
            ):
                raise self._refused(
                    f"{shown(position)} is not a row and a column, 0 to {_MAX_POSITION}",
                    "positions",
                    name,
                )
        if positions and len(positions) < len(names):
            missing = next(name for name in names if name not in positions)
            raise self._refused(f"{missing} has no position", "positions")
        side = ceil(sqrt(len(names)))
        places = {name: divmod(cell, side) for cell, name in enumerate(names)}
        places |= {name: tuple(position) for name, position in positions.items()}
        places |= {name: _centre(fields) for name, fields in self._fields.items()}
        if len(set(places.values())) < len(names):
            raise self._refused("two variables have the same position", "positions")
        whole = {place for place in places.values() if all(type(n) is int for n in place)}
        gridded = len(whole) == len(names) and positions and "pairs" not in content
        usual = Form.REGIONS if self._fields else Form.GRID if gridded else Form.NODES
        form = content.get("form", usual)
        if form not in (*Form,):
            raise self._refused(
                f"there is no form {form!r}", "form", remedy="choose grid, fields, regions or nodes"
            )
        if (form == Form.REGIONS) != bool(self._fields):
            raise self._refused("regions and a picture need each other", "form")
        if form in (Form.GRID, Form.FIELDS) and len(whole) < len(names):
            raise self._refused(
                f"the form {form} needs a whole row and column of its own for each variable",
                "positions",
            )
        variables = []
        for name in names:
            row, column = places[name]
            fields = tuple(self._fields.get(name, ()))
            if form == Form.FIELDS:
                fields = tuple((row, column + k) for k in range(len(self._values)))
            variables.append(Variable(name, (row, column), fields))
        return Form(form), tuple(variables)

    def _units(self) -> tuple[Unit, ...]:
        """The units: borders of areas, which a table `different` may name itself, then sets and
        pairs, by kind; those without shifts first. Variables in no unit get one of their own."""
        groups: dict[str, list[Unit]] = {}
        listed = self._content.get("different", {})
        if not isinstance(listed, dict) or "border" not in listed:
            groups["border"] = [Unit("border", 0, pair) for pair in self._borders()]
        for key, kind in (("different", "set"), ("pairs", "pair")):
            entries = self._content.get(key, [])
            tables = entries if isinstance(entries, dict) else {kind: entries}
            for name, listed in tables.items():
                if not isinstance(listed, list) or not name.strip() or not name.isprintable():
                    raise self._refused(f"{shown(listed)} is not {_KEYS[key][1]}", key, name)
                read = self._set if key == "different" else self._pair
                for at, entry in enumerate(listed):
                    path = (key, name, at) if isinstance(entries, dict) else (key, at)
                    groups.setdefault(name, []).extend(read(name, entry, path))
        units = list(chain.from_iterable(groups.values()))
        if len(units) > MAX_UNITS:
            raise self._refused(f"{len(units):,} sets and pairs; at most {MAX_UNITS:,} are allowed")
        alone = set(range(len(self._names))).difference(*(unit.cells for unit in units))
        units += [Unit("alone", 1, (cell,)) for cell in sorted(alone)]
        units.sort(key=lambda unit: (bool(unit.shifts), unit.kind))
        counts, totals = Counter[str](), Counter(unit.kind for unit in units)
        numbered = []
        for unit in units:
            counts[unit.kind] += 1
            index = counts[unit.kind] if totals[unit.kind] > 1 else 0
            numbered.append(replace(unit, index=index))
        return tuple(numbered)

    def _borders(self) -> list[tuple[int, int]]:
        """The pairs of areas that touch, ascending."""
        area = {field: self._cells[name] for name, of in self._fields.items() for field in of}
        pairs = set()
        for (row, column), cell in area.items():
            for beside in ((row, column + 1), (row + 1, column)):
                other = area.get(beside, cell)
                if other != cell:
                    pairs.add((min(cell, other), max(cell, other)))
        return sorted(pairs)

    def _set(self, kind: str, entry: object, path: KeyPath) -> Iterator[Unit]:
        cells, shifts = entry, []
        if isinstance(entry, dict) and entry.keys() == {"variables", "shifts"}:
            cells, shifts = entry["variables"], entry["shifts"]
        if not isinstance(cells, list) or not cells or not isinstance(shifts, list):
            raise self._refused(f"{shown(entry)} is not a list of variables", *path)
        if any(type(shift) is not int for shift in shifts):
            raise self._refused(f"{shown(shifts)} are not whole numbers", *path)
        yield self._unit(kind, [self._cell(name, *path) for name in cells], shifts, path)

    def _pair(self, kind: str, entry: object, path: KeyPath) -> Iterator[Unit]:
        if not isinstance(entry, list) or len(entry) not in (2, 3):
            raise self._refused(f"{shown(entry)} is not a pair of variables", *path)
        differences = entry[2] if len(entry) == 3 else [0]
        size = len(self._values)
        if not isinstance(differences, list) or not all(
            type(number) is int and abs(number) < size for number in differences
        ):
            raise self._refused(
                f"{shown(differences)} is not a list of differences",
                *path,
                remedy=f"{size} values differ by {1 - size} to {size - 1}",
            )
        cells = [self._cell(name, *path) for name in entry[:2]]
        for number in differences:
            shifts = [max(number, 0), max(-number, 0)] if number else []
            yield self._unit(kind, cells, shifts, path)

    def _unit(self, kind: str, cells: list[int], shifts: list[int], path: KeyPath) -> Unit:
        """A unit; the same checks as those of a problem, with the place of the mistake."""
        unit = Unit(kind, 0, tuple(cells), tuple(shifts))
        with placed_at(self._place, *path):
            unit.check(len(self._values))
        return unit


def _centre(fields: Sequence[Field]) -> Field:
    """The field of an area that is nearest to the centre of gravity, the first of several."""
    row, column = (sum(numbers) / len(fields) for numbers in zip(*fields, strict=True))
    return min(fields, key=lambda field: (field[0] - row) ** 2 + (field[1] - column) ** 2)
