"""The end card: one line that says what the viewer saw, and a bar for each search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from render.canvas import Canvas, Rect
from render.layout import TextSizes
from render.lettering import Face, line_height, text_width
from render.panels.contract import Moment, Panel
from render.sprites import Align, SpriteBook
from solver.trace import Outcome, Tally

__all__ = ["CardPanel", "summary"]


def summary(names: Sequence[str], tallies: Sequence[Tally]) -> str:
    """What happened, in one line, as "mrv: 1/33 of the steps of row-major"."""
    if len(tallies) == 1:
        tally = tallies[0]
        done = {Outcome.SOLVED: "solved it in", Outcome.EXHAUSTED: "searched the whole tree in",
                Outcome.CAPPED: "was stopped after"}[tally.outcome]  # fmt: skip
        backtracks = counted(tally.backtracks, "backtrack")
        return f"{names[0]} {done} {counted(tally.steps, 'step')}, {backtracks}"
    # A capped search didn't arrive, so it can't be called the shortest.
    arrived = [n for n, tally in enumerate(tallies) if tally.outcome is not Outcome.CAPPED]
    if not arrived:
        return "no search came to its end: all were capped"
    best = min(arrived, key=lambda n: tallies[n].steps)
    worst = max(range(len(tallies)), key=lambda n: tallies[n].steps)
    took = f"took {counted(tallies[best].steps, 'step')}"
    if tallies[best].steps == tallies[worst].steps:
        if len(arrived) == len(tallies):
            return f"all {took}"
        first = [names[n] for n in arrived if tallies[n].steps == tallies[best].steps]
        capped = [names[n] for n in range(len(tallies)) if n not in arrived]
        were = "was" if len(capped) == 1 else "were"
        return f"{listed(first)} {took}; {listed(capped)} {were} capped"
    if not tallies[best].steps:
        return f"{names[best]} {took}, {names[worst]} {tallies[worst].steps:,}"
    share = f"{ratio(tallies[best].steps, tallies[worst].steps)} of the steps"
    if tallies[worst].outcome is Outcome.CAPPED:
        share = f"less than {share}"
    return f"{names[best]}: {share} of {names[worst]}"


def counted(number: int, thing: str) -> str:
    """ "1 step", "534 steps" """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def listed(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c" """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def ratio(small: int, large: int) -> str:
    """1/33 where that is within a twentieth of the truth, else a percentage."""
    if small:
        parts = round(Fraction(large, small))
        if parts >= 2 and abs(Fraction(parts * small, large) - 1) <= Fraction(1, 20):
            return f"1/{parts:,}"
    share = Fraction(100 * small, large)
    return f"{round(share)} %" if share < 99 else "almost all"


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    number: str
    share: Fraction
    capped: bool


class CardPanel(Panel):
    """Covers the whole picture, once."""

    def __init__(
        self,
        names: Sequence[str],
        tallies: Sequence[Tally],
        title: str,
        sprites: SpriteBook,
        text: TextSizes,
    ) -> None:
        self._title = title
        self._sprites = sprites
        self._text = text
        self._summary = summary(names, tallies)
        longest = max((tally.steps for tally in tallies), default=0) or 1
        self._rows = [
            _Row(
                name,
                counted(tally.steps, "step") + " (capped)" * (tally.outcome is Outcome.CAPPED),
                Fraction(tally.steps, longest),
                tally.outcome is Outcome.CAPPED,
            )
            for name, tally in zip(names, tallies, strict=True)
        ]
        self._drawn = False

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        del moment
        if self._drawn:
            return
        self._drawn = True
        theme, text = self._sprites.theme, self._text
        width = canvas.width
        margin = width // 10
        room = width - 2 * margin
        canvas.fill(Rect(0, 0, width, canvas.height), theme.ground)
        sentence = self._sentence_lines(room)
        line = line_height(Face.BOLD, text.title)
        row = line_height(Face.REGULAR, text.name) + max(6, text.name // 2) + text.name
        head = line_height(Face.REGULAR, text.name) if self._title else 0
        gap = text.title
        whole = head + gap + line * len(sentence) + gap + row * len(self._rows)
        y = max(0, (canvas.height - whole) // 2)
        if self._title:
            self._line(canvas, self._title, Face.REGULAR, text.name, theme.muted, y, margin)
        y += head + gap // 2
        for part in sentence:
            self._line(canvas, part, Face.BOLD, text.title, theme.text, y, margin)
            y += line
        y += gap + gap // 2
        for entry in self._rows:
            self._draw_row(canvas, entry, Rect(margin, y, room, row))
            y += row

    def _sentence_lines(self, room: int) -> list[str]:
        """The sentence on one line or more, broken between words."""
        lines: list[str] = []
        for word in self._summary.split():
            joined = f"{lines[-1]} {word}" if lines else word
            if lines and text_width(joined, Face.BOLD, self._text.title) <= room:
                lines[-1] = joined
            else:
                lines.append(word)
        return lines

    def _line(
        self,
        canvas: Canvas,
        text: str,
        face: Face,
        size: int,
        ink: tuple[int, int, int],
        y: int,
        margin: int,
    ) -> None:
        room = canvas.width - 2 * margin
        sprite = self._sprites.text(text, face, size, ink, room, align=Align.CENTRE)
        if y + sprite.pixels.shape[0] <= canvas.height:
            canvas.blit(sprite, margin, y)

    def _draw_row(self, canvas: Canvas, entry: _Row, box: Rect) -> None:
        theme, size = self._sprites.theme, self._text.name
        height = line_height(Face.REGULAR, size)
        if box.y + height + size > canvas.height:
            return
        number_width = min(text_width(entry.number, Face.REGULAR, size), box.width // 2)
        name_width = box.width - number_width - size
        name = self._sprites.text(entry.name, Face.BOLD, size, theme.text, name_width)
        number = self._sprites.text(
            entry.number, Face.REGULAR, size, theme.text, number_width, align=Align.RIGHT
        )
        canvas.blit(name, box.x, box.y)
        canvas.blit(number, box.right - number_width, box.y)
        bar = Rect(box.x, box.y + height + 2, box.width, max(4, size // 2))
        canvas.fill(bar, theme.track)
        filled = max(2, round(box.width * entry.share))
        colour = theme.undoing if entry.capped else theme.accent
        canvas.fill(Rect(bar.x, bar.y, filled, bar.height), colour)
