"""The language and the font of the texts of a film, and the direction in which it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar

from undoku.render.draw.canvas import Canvas, DrawnShapes, Pixels, Rect, Sprite
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Typeface
from undoku.render.draw.lettering import set_in
from undoku.render.draw.text_runs import named_characters, unjoined, unshown
from undoku.render.draw.typefaces import load_typeface
from undoku.solver.problem.problem import Problem
from undoku.texts.language import Language, speaking, spoken
from undoku.texts.language_files import load_language
from undoku.visible_text import visible

T = TypeVar("T")


@dataclass(frozen=True)
class Typesetting:
    """A language and a font. They are context variables, like the precision of `decimal`: all code
    that words, measures or draws a text runs within those of its film."""

    language: Language
    typeface: Typeface

    @classmethod
    def of(cls, language: str, font: str) -> Typesetting:
        """The language and the font as settings name them. Raises SettingsError or ReadError."""
        return cls(load_language(language), load_typeface(font))

    def about(self, problem: Problem) -> Typesetting:
        """The same for texts about a problem, with its nouns."""
        return replace(self, language=self.language.about(problem))

    @contextmanager
    def within(self) -> Iterator[None]:
        """A context in which texts use this language and this font. A generator must not yield
        within it, because its caller would continue in the context (see `each`)."""
        with speaking(self.language), set_in(self.typeface):
            yield

    def warnings(self, texts: Iterable[str]) -> Iterator[str]:
        """What to say about letters of the language's texts, and of the names and titles `texts`
        in them, that can't be drawn correctly: those that no installed font has, and those that
        must be joined, stacked or written from right to left by a library that Pillow lacks."""
        texts = [*texts, *chain(*(forms.values() for forms in self.language.wordings.values()))]
        if missing := unshown(texts, self.typeface):
            yield (f"warning: no font has {visible(named_characters(missing))}; install one that "
                   "does, or give one with --font")  # fmt: skip
        if unjoined(texts):
            yield ("warning: letters are neither joined, stacked nor written from right to left "
                   "here: Pillow was built without raqm; install a Pillow that has it")  # fmt: skip

    def each(self, parts: Iterator[T]) -> Iterator[T]:
        """`parts`, each of which is computed within the context."""
        done = object()
        while True:
            with self.within():
                part = next(parts, done)
            if part is done:
                return
            yield part  # type: ignore[misc]  # what is not the end is one of them


class _Mirrored(Canvas):
    """Draws on another canvas, with positions in a rectangle mirrored between left and right.
    Pictures themselves are not mirrored."""

    def __init__(self, canvas: Canvas, rect: Rect) -> None:
        self._canvas = canvas
        self._sum = rect.x + rect.right
        self.width, self.height, self.pixels = canvas.width, canvas.height, canvas.pixels

    def fill(self, rect: Rect, colour: Colour) -> None:
        self._canvas.fill(rect._replace(x=self._sum - rect.right), colour)

    def blit(self, sprite: Sprite, x: int, y: int) -> None:
        self._canvas.blit(sprite, self._sum - x - sprite.pixels.shape[1], y)

    def put(self, pixels: Pixels, x: int, y: int, figure: DrawnShapes | None = None) -> None:
        assert figure is None
        self._canvas.put(pixels, self._sum - x - pixels.shape[1], y)


def in_reading_direction(canvas: Canvas, rect: Rect) -> Canvas:
    """The canvas on which to draw in `rect` with `fill`, `blit` and `put`: `canvas` itself, or, for
    a language written from right to left, one with mirrored positions."""
    return _Mirrored(canvas, rect) if spoken().right_to_left else canvas
