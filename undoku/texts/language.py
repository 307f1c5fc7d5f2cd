"""The language of texts: its numbers, their plural forms (after Unicode CLDR's plural rules for
whole numbers), its direction, and the wordings that it has."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING
from unicodedata import bidirectional

if TYPE_CHECKING:
    from undoku.solver.problem.problem import Problem

FORMS = ("zero", "one", "two", "few", "many", "other")
"""The plural forms that a language may have; every language has "other"."""


def _germanic(count: int) -> str:
    return "one" if count == 1 else "other"


def _french(count: int) -> str:
    return "one" if count in (0, 1) else "other"


def _single(count: int) -> str:
    return "other"


def _hebrew(count: int) -> str:
    return {1: "one", 2: "two"}.get(count, "other")


def _arabic(count: int) -> str:
    if count < 3:
        return ("zero", "one", "two")[count]
    last = count % 100
    if 3 <= last <= 10:
        return "few"
    return "many" if last > 10 else "other"


def _russian(count: int) -> str:
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14):
        return "few"
    return "many"


def _polish(count: int) -> str:
    if count == 1:
        return "one"
    return "few" if _russian(count) == "few" else "many"


def _czech(count: int) -> str:
    if count == 1:
        return "one"
    return "few" if count in (2, 3, 4) else "other"


_Rule = Callable[[int], str]
_TWO = ("one", "other")
_SLAVIC = ("one", "few", "many", "other")
_RULES: dict[str, tuple[_Rule, tuple[str, ...]]] = {
    "ar": (_arabic, FORMS),
    "he": (_hebrew, ("one", "two", "other")),
    **dict.fromkeys(("fr", "pt", "hi", "fa", "bn"), (_french, _TWO)),
    **dict.fromkeys(("ja", "ko", "zh", "vi", "th", "id", "ms"), (_single, ("other",))),
    **dict.fromkeys(("ru", "uk", "be"), (_russian, _SLAVIC)),
    "pl": (_polish, _SLAVIC),
    **dict.fromkeys(("cs", "sk"), (_czech, ("one", "few", "other"))),
}


def forms_of(language: str) -> tuple[str, ...]:
    """The plural forms of a language by its tag ("de", "pt-BR"); "one" and "other" if its rule is
    not known."""
    return _RULES.get(language.split("-", maxsplit=1)[0].lower(), (_germanic, _TWO))[1]


def plural_form(language: str, count: int) -> str:
    """The form for `count` >= 0."""
    return _RULES.get(language.split("-", maxsplit=1)[0].lower(), (_germanic, _TWO))[0](count)


LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""Invisible characters with the direction of left-to-right letters (U+200E), and of right-to-left
ones (U+200F). At the start of a text they determine its direction."""


@dataclass(frozen=True)
class Language:
    """A language: its tag, whether it is written from right to left, its separators of
    thousands and decimals, and its wordings by the keys of texts: each has plural forms by name,
    or only "other" for a text that is not counted. A missing wording is replaced by English."""

    tag: str
    right_to_left: bool = False
    thousands: str = ","
    decimals: str = "."
    # A plain dict, so that it can be sent to other processes.
    wordings: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict, hash=False, compare=False
    )
    text: str = ""
    """The text of its file, which distinguishes files with the same tag."""
    variable: str = "cell"
    value: str = "digit"
    """What texts call a variable and a value of the problem: nouns in the singular, "row" and
    "queen"."""

    def about(self, problem: Problem) -> Language:
        """The same for texts about a problem, with its nouns; digits that are also letters are
        values."""
        said, mixed = problem.appearance, problem.size > 9 and problem.appearance.value == "digit"
        return replace(self, variable=said.variable, value="value" if mixed else said.value)


ENGLISH = Language("en")

_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def spoken() -> Language:
    """The current language of texts."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """A context with this current language. A generator must not yield within it."""
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def number(value: int) -> str:
    """A whole number with the language's separators: "17,536", "17.536"."""
    return f"{value:,}".replace(",", _SPOKEN.get().thousands)


def decimal(value: Fraction | float, places: int = 1, *, all_places: bool = False) -> str:
    """A number with at most `places` decimals, without trailing zeros: "1.5", "1,5", "2"; with
    `all_places` with exactly as many, for numbers that are compared: "1.40"."""
    language = _SPOKEN.get()
    whole, _, rest = f"{float(value):,.{places}f}".partition(".")
    rest = rest if all_places else rest.rstrip("0")
    text = whole.replace(",", language.thousands)
    return f"{text}{language.decimals}{rest}" if rest else text


def places_in(wording: str) -> set[str]:
    """The names of the placeholders in a wording. Raises ValueError if its braces do not match."""
    places = set()
    for _, name, form, conversion in string.Formatter().parse(wording):
        if name is not None:
            if not name.isidentifier() or form or conversion:
                raise ValueError(f"{{{name}}} is not a place")
            places.add(name)
    return places


def directed(text: str, *, right_to_left: bool) -> str:
    """A text with a mark of its language's direction in front if it begins with letters of the
    other direction, such as a name, but also has letters of its own."""
    if not right_to_left and text.isascii():
        return text
    letters = [kind == "L" for mark in text if (kind := bidirectional(mark)) in ("L", "R", "AL")]
    if not letters or letters[0] != right_to_left:
        return text
    if right_to_left:
        return f"{RIGHT_TO_LEFT}{text}"
    return f"{LEFT_TO_RIGHT}{text}" if any(letters) else text


def quantity(value: Fraction) -> str:
    """A positive number in a readable form: 12, 20.2, 1,209."""
    if value >= 100 or value.denominator == 1:
        return number(round(value))
    return decimal(Fraction(f"{float(value):.3g}"), 9)
