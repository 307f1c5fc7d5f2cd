"""The language and the font of the texts of a film."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from undoku.render.draw.fonts import Typeface
from undoku.render.draw.lettering import set_in
from undoku.render.draw.text_runs import unjoined, unshown
from undoku.texts.language import Language, speaking

__all__ = ["Typesetting"]

T = TypeVar("T")


@dataclass(frozen=True)
class Typesetting:
    """A language and a font. They are context variables, like the precision of `decimal`: all code
    that words, measures or draws a text runs within those of its film."""

    language: Language
    typeface: Typeface

    @contextmanager
    def within(self) -> Iterator[None]:
        """A context in which texts use this language and this font. A generator must not yield
        within it, because its caller would continue in the context (see `each`)."""
        with speaking(self.language), set_in(self.typeface):
            yield

    def unshown(self, texts: Iterable[str]) -> str:
        """The characters of the language's texts, and of `texts`, that no installed font has; an
        empty box is drawn for each."""
        return unshown([*texts, *self._wordings()], self.typeface)

    def unjoined(self, texts: Iterable[str]) -> bool:
        """Whether letters of the language's texts, or of `texts`, must be joined, stacked or
        written from right to left, and Pillow was built without the library that does so."""
        return unjoined([*texts, *self._wordings()])

    def _wordings(self) -> list[str]:
        return [form for forms in self.language.wordings.values() for form in forms.values()]

    def each(self, parts: Iterator[T]) -> Iterator[T]:
        """`parts`, each of which is computed within the context."""
        done = object()
        while True:
            with self.within():
                part = next(parts, done)
            if part is done:
                return
            yield part  # type: ignore[misc]  # what is not the end is one of them
