"""The types of options with lists: lines of text, and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from undoku.errors import SettingsError
from undoku.render.settings.kinds import OptionType
from undoku.visible_text import is_blank

__all__ = ["NameList", "Texts"]

_MAX_CHARACTERS = 200
"""Characters."""


class _TextList(OptionType):
    """A list of texts, or one text."""

    example: ClassVar[str]
    value_type: ClassVar[str] = "tuple[str, ...]"
    argument_type: ClassVar[str] = "str | Sequence[str]"

    @property
    def called(self) -> str:
        return "a text or a list of texts"

    @property
    def schema(self) -> dict[str, Any]:
        one: dict[str, Any] = {"enum": list(self.choices)} if self.choices else {"type": "string"}
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}

    def takes(self, given: object) -> bool:
        return isinstance(given, str) or (
            isinstance(given, list) and bool(given) and all(isinstance(one, str) for one in given)
        )

    def read(self, name: str, given: object) -> tuple[str, ...]:
        texts = self.split(given) if isinstance(given, str) else given
        if isinstance(texts, Sequence) and all(isinstance(one, str) for one in texts):
            return tuple(texts)
        raise SettingsError(
            f"{name}: {given!r} is not {self.called}", remedy=f"write {self.example}"
        )

    def split(self, text: str) -> Sequence[str]:
        """The entries of a single text."""
        return [text]

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, tuple) or not all(isinstance(one, str) for one in value):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")

    def store(self, value: tuple[str, ...]) -> list[str]:
        return list(value)

    def restore(self, stored: Any) -> tuple[str, ...]:
        return tuple(stored)


class Texts(_TextList):
    """Lines of text, in order: a list, or one text. On the command line the option is repeated."""

    example: ClassVar[str] = '["first", "second"]'

    def check(self, name: str, value: Any) -> None:
        super().check(name, value)
        for text in value:
            if len(text) > _MAX_CHARACTERS:
                raise SettingsError(
                    f"{name}: a text of {len(text):,} characters",
                    remedy=f"write at most {_MAX_CHARACTERS}",
                )
            if is_blank(text):
                raise SettingsError(
                    f"{name}: {text!r} is blank", remedy="write the text that will be shown there"
                )


@dataclass(frozen=True, repr=False)
class NameList(_TextList):
    """One or more names: a list, or one text with commas between them. `known` are all valid names,
    if they are known beforehand."""

    known: tuple[str, ...] = ()
    metavar: ClassVar[str] = "LIST"
    example: ClassVar[str] = '"board,counters,depth"'

    @property
    def choices(self) -> tuple[str, ...]:
        return self.known

    def read(self, name: str, given: object) -> tuple[str, ...]:
        return tuple(one.strip() for one in super().read(name, given) if one.strip())

    def split(self, text: str) -> Sequence[str]:
        return text.split(",")

    def as_argument(self, value: tuple[str, ...]) -> str:
        return ",".join(value)
