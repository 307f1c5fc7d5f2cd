"""The current language of films, and their texts.

A text is declared once, as a constant of `render.texts.wording` that is called with its values:
`STEPS(count=534)` is "534 steps" in English and "534 Schritte" where German is spoken.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from unicodedata import bidirectional

from render.texts.plural_rules import plural_form

__all__ = [
    "ENGLISH",
    "Language",
    "Text",
    "decimal",
    "declared",
    "number",
    "places_in",
    "quantity",
    "speaking",
    "spoken",
]

Value = int | Fraction | str
"""What stands in a text: whole numbers and fractions are written as the language does."""

_RIGHTWARDS = "\u200f"
"""A mark that is not seen and counts as a letter from right to left."""

COUNT = "count"
"""The place whose number decides between the forms of a counted text."""


@dataclass(frozen=True)
class Language:
    """A language: its tag, whether it runs from right to left, what separates thousands and
    decimals, and its wordings by the keys of texts: forms by their names, "other" alone for a text
    that isn't counted. English is said where a wording is missing."""

    tag: str
    right_to_left: bool = False
    thousands: str = ","
    decimals: str = "."
    # A plain dict, so that it can be sent to other processes.
    wordings: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict, hash=False, compare=False
    )
    digest: str = ""
    """What tells a file from others with the same tag."""


ENGLISH = Language("en")

_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def spoken() -> Language:
    """The language that texts are said in."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Within, texts are said in this language. A generator must not yield within."""
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def number(value: int) -> str:
    """A whole number with the language's separators: "17,536", "17.536"."""
    return f"{value:,}".replace(",", _SPOKEN.get().thousands)


def decimal(value: Fraction | float, places: int = 1, *, all_places: bool = False) -> str:
    """A number with at most so many decimals, without zeros at its end: "1.5", "1,5", "2"; with
    `all_places` with just so many, for numbers that are compared: "1.40"."""
    language = _SPOKEN.get()
    whole, _, rest = f"{float(value):,.{places}f}".partition(".")
    rest = rest if all_places else rest.rstrip("0")
    told = whole.replace(",", language.thousands)
    return f"{told}{language.decimals}{rest}" if rest else told


_DECLARED: dict[str, Text] = {}


def declared() -> Mapping[str, Text]:
    """All texts by their keys."""
    return MappingProxyType(_DECLARED)


def places_in(wording: str) -> set[str]:
    """The names of the places in a wording. Raises ValueError where its braces don't match."""
    places = set()
    for _, name, form, conversion in string.Formatter().parse(wording):
        if name is not None:
            if not name.isidentifier() or form or conversion:
                raise ValueError(f"{{{name}}} is not a place")
            places.add(name)
    return places


@dataclass(frozen=True, eq=False)
class Text:
    """A text with its key and its English wording; `{places}` in it are filled when it is said.
    `one` is the form for a `count` of 1, where the text is counted; it may leave out the count.

    Declaring a text enters it in `declared`. Raises ValueError for a key that is taken.
    """

    key: str
    english: str
    one: str = ""

    def __post_init__(self) -> None:
        if self.key in _DECLARED:
            raise ValueError(f"two texts have the key {self.key!r}")
        _DECLARED[self.key] = self

    def __reduce__(self) -> tuple[Callable[[str], Text], tuple[str]]:
        """Another process finds the text by its key: it is the same one there, too."""
        return _text_of, (self.key,)

    @property
    def places(self) -> set[str]:
        """The names of what it is filled with."""
        return places_in(self.english)

    @property
    def counted(self) -> bool:
        return bool(self.one)

    def __call__(self, **values: Value) -> str:
        """The text in the language that is spoken. Raises KeyError for a missing value."""
        language = _SPOKEN.get()
        count = _whole(values.get(COUNT))
        forms = language.wordings.get(self.key)
        if forms is None:
            wording = self.one if self.one and count == 1 else self.english
        elif self.one and isinstance(count, int):
            wording = forms.get(plural_form(language.tag, count), forms["other"])
        else:
            wording = forms["other"]
        told = wording.format_map({name: _written(value) for name, value in values.items()})
        return _led(told) if language.right_to_left else told


def _led(told: str) -> str:
    """A text of a language that runs from right to left, marked as one where it begins with letters
    of another, such as a name."""
    first = next((kind for mark in told if (kind := bidirectional(mark)) in ("L", "R", "AL")), "R")
    return f"{_RIGHTWARDS}{told}" if first == "L" else told


def quantity(value: Fraction) -> str:
    """A positive number as a person writes it: 12, 20.2, 1,209."""
    if value >= 100 or value.denominator == 1:
        return number(round(value))
    return decimal(Fraction(f"{float(value):.3g}"), 9)


def _whole(value: Value | None) -> int | None:
    """The whole number that is written; None for another value."""
    if isinstance(value, Fraction):
        near = round(value)
        return near if quantity(value) == number(near) else None
    return value if isinstance(value, int) else None


def _written(value: Value) -> str:
    if isinstance(value, str):
        return value
    return number(value) if isinstance(value, int) else quantity(value)


def _text_of(key: str) -> Text:
    """The text that was declared with this key. Raises KeyError."""
    return _DECLARED[key]
