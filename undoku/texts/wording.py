"""Every text of films, pages, figures and tables: `wording.HEAD_FEWER` is the one with the key
"head-fewer". The English wordings are in `languages/en.toml`; those of the parts of strategies are
the parts' own.

A text is a whole sentence or a whole label. Other languages order and inflect words differently, so
sentences can't be put together from parts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING

from undoku.solver.problem.appearance import Form
from undoku.solver.search.part_registry import REPERTOIRE
from undoku.solver.search.strategy_part import Part
from undoku.texts.language import ENGLISH, decimal, directed, number, plural_form, quantity, spoken
from undoku.visible_text import columns

if TYPE_CHECKING:
    from undoku.solver.problem.problem import Problem, Unit

LANGUAGES = Path(__file__).parent / "languages"
"""The folder of the built-in languages."""

COUNT = "count"
"""The placeholder whose number determines the form of a counted text."""

Value = int | Fraction | str
"""A value in a text. Integers and fractions are written with the separators of the language."""


@dataclass(frozen=True, slots=True)
class Text:
    """The text with this key. When it is called, its `{placeholders}` are filled."""

    key: str

    def __call__(self, **values: Value) -> str:
        """The text in the current language. Raises KeyError for a missing value."""
        forms, tag = self.forms()
        count = _whole(values.get(COUNT))
        form = "other" if count is None else plural_form(tag, count)
        wording = forms.get(form, forms["other"])
        filled = nouns() | {name: _written(value) for name, value in values.items()}
        text = wording.format_map(filled)
        return directed(text, right_to_left=spoken().right_to_left)

    def forms(self) -> tuple[Mapping[str, str], str]:
        """The wordings of the text about the current problem, and their language."""
        language = spoken()
        about = [language.value, *(["other"] if language.variable != "cell" else [])]
        keys = [*(f"{self.key}{ABOUT}{value}" for value in about), self.key]
        for wordings, tag in ((language.wordings, language.tag), (english(), ENGLISH.tag)):
            for key in keys:
                if key in wordings:
                    return wordings[key], tag
        raise KeyError(self.key)


ABOUT = "@"
"""Separates the key of a text from the value about which it is: "options@queen" replaces "options"
where values are queens, "cells-row-major@other" where variables are not cells and values have no
such text."""

NOUNS = ("field", "fields", "digit", "digits")
"""The placeholders for what the problem calls its variables and values, which any text may have."""


def nouns() -> dict[str, str]:
    """The words for NOUNS in the current language, about the current problem. A noun that the
    language does not know is used as it is."""
    found = []
    for noun in (spoken().variable, spoken().value):
        text = Text(f"noun-{noun}")
        if text.key in english():
            forms, _ = text.forms()
            found += [forms.get("one", forms["other"]), forms["other"]]
        else:
            found += [noun, f"{noun}s"]
    return dict(zip(NOUNS, found, strict=True))


def __getattr__(name: str) -> Text:
    if not name.isupper():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Text(name.lower().replace("_", "-"))


@cache
def english() -> Mapping[str, Mapping[str, str]]:
    """The English wordings of all texts by their keys, each with the form "other"; those that are
    counted also have the form "one", for a count of 1."""
    texts = tomllib.loads((LANGUAGES / "en.toml").read_text("utf-8"))["texts"]
    for part in REPERTOIRE:
        texts[part_key(part)] = _with_nouns(_escaped(part.plain_name))
    return {key: forms_in(wording) for key, wording in texts.items()}


def forms_in(wording: str | dict[str, str]) -> Mapping[str, str]:
    """The forms of a text as a file has it: "other" alone if it is not a table."""
    return {"other": wording} if isinstance(wording, str) else wording


def part_key(part: Part) -> str:
    """The key of the plain name of a part of strategies: "cells-mrv"."""
    return f"{part.kind.name.lower()}-{part.name}"


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _with_nouns(sentence: str) -> str:
    """What a part says about cells and digits, for all problems."""
    return re.sub(r"\b(cell|digit)(s?)\b", r"{\1\2}", sentence).replace("{cell", "{field")


def _whole(value: Value | None) -> int | None:
    """The integer that a value represents; None for other values."""
    if isinstance(value, Fraction):
        near = round(value)
        return near if quantity(value) == number(near) else None
    return value if isinstance(value, int) else None


def _written(value: Value) -> str:
    if isinstance(value, str):
        return value
    return number(value) if isinstance(value, int) else quantity(value)


def listed(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c" """
    if len(names) == 1:
        return names[0]
    return Text("list-end")(first=values_text(names[:-1]), last=names[-1])


def values_text(values: Sequence[str]) -> str:
    """ "3, 5, 9" """
    return reduce(lambda found, value: Text("list-middle")(first=found, rest=value), values)


def versus(names: Sequence[str]) -> str:
    """ "a vs b vs c" """
    return reduce(lambda found, name: Text("versus")(first=found, last=name), names)


_THOUSANDS, _MILLIONS, _BILLIONS = Text("thousands"), Text("millions"), Text("billions")


def short_number(value: int) -> str:
    """A count in few letters: 9,400 below ten thousand, then 12k, 3.4M, 1.2G, rounded down."""
    if value < 10_000:
        return number(value)
    for text, size in ((_BILLIONS, 10**9), (_MILLIONS, 10**6), (_THOUSANDS, 10**3)):
        if value >= size:
            tenths = value * 10 // size
            whole = tenths >= 100 or tenths % 10 == 0
            return text(number=number(tenths // 10) if whole else decimal(tenths / 10))
    raise AssertionError


_WORDS = ("two", "three", "four", "five", "six")


def number_word(value: int) -> str:
    """A number from 2 to 6 as a word, others in figures."""
    return Text(_WORDS[value - 2])() if 2 <= value <= 6 else number(value)


def capitalised(text: str) -> str:
    """A text with a large first letter."""
    return text[:1].upper() + text[1:]


_UNITS_OF_TIME = (("seconds", 1), ("milliseconds", 1000), ("microseconds", 10**6))


def time_text(seconds: Fraction) -> str:
    """A time below a second or above, in the unit that suits it: 3.2 µs, 15 ms, 2 s."""
    for unit, parts in _UNITS_OF_TIME:
        if seconds * parts >= 1:
            return Text(unit)(number=seconds * parts)
    return Text("nanoseconds")(number=seconds * 10**9)


def cell_name(problem: Problem, cell: int) -> str:
    """The name of a cell: "row 2, column 5", both from 1; "row 4" of queens; in other problems its
    own name."""
    appearance = problem.appearance
    row, column = map(int, problem.position(cell))
    if appearance.variable == "row":
        return Text("unit-row")(number=row + 1)
    if appearance.form is not Form.GRID:
        return problem.cell_name(cell)
    return Text("cell")(row=row + 1, column=column + 1)


def solution_text(problem: Problem, values: Sequence[int]) -> str:
    """A solution on one line: the digits of a board, or the name and the value of each cell; of a
    board without rules, of which some cells may be empty, its rows, which begin on a new line."""
    look = problem.appearance
    if look.form is Form.GRID and problem.is_free:
        shown = [look.value_name(value) if value else "." for value in values]
        width = max(map(columns, shown))
        return "".join(
            "\n" * (cell % problem.extent[1] == 0)
            + " " * (width + (width > 1) - columns(text))
            + text
            for cell, text in enumerate(shown)
        )
    if look.form is Form.GRID and all(n.isdecimal() and len(n) == 1 for n in look.names):
        return "".join(look.value_name(value) if value else "." for value in values)
    named = cell_name if look.variable == "row" else type(problem).cell_name
    return ", ".join(
        f"{named(problem, cell)} {look.value_name(value)}"
        for cell, value in enumerate(values)
        if value
    )


_UNITS = ("row", "column", "box", "region")


def unit_text(unit: Unit) -> str:
    """ "row 4"; a unit of another kind has its own name."""
    lined = unit.kind in _UNITS and unit.index
    return Text(f"unit-{unit.kind}")(number=unit.index) if lined else unit.name


_FINDS = {"pairs": "pair", "triples": "triple"}
"""The rules whose single deductions have another name."""


def find_text(rule: str) -> str:
    """The name of a single deduction of a rule: "X-wing"; "" if it has none."""
    key = f"found-{_FINDS.get(rule, rule)}"
    return Text(key)() if key in english() else ""
