"""The sentences about a search, one at a time, below its board."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import pi, sin

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.line_breaks import balanced
from undoku.render.draw.sprites import SpriteBook
from undoku.render.panels.panel import Callout, Moment, Panel
from undoku.render.panels.script import PanelContext
from undoku.render.timeline.timeline import Phase

__all__ = ["CalloutPanel", "callout_panel", "lines_of"]


_PULSE = Fraction(2, 5)
"""Seconds in which a result grows and shrinks again."""

_GROWTH = 0.15


class CalloutPanel(Panel):
    """The sentence of the callout of the frame, on one or two lines; letters are made smaller, down
    to those of a label. Of several sentences that do not fit even then, the first ones that fit are
    shown; a single one is not."""

    def __init__(
        self,
        box: Rect,
        callouts: Sequence[Callout],
        sprites: SpriteBook,
        sizes: tuple[int, int],
        fps: Fraction,
    ) -> None:
        """`sizes` are the usual pixels per em and the least."""
        self._box = box
        self._callouts = callouts
        self._sprites = sprites
        self._size, self._least = sizes
        self._pulse = max(1, round(_PULSE * fps))
        self._shown: tuple[Callout, int] | None = None
        turns = {frame for each in callouts for frame in (each.start, each.end)}
        for each in callouts:
            if each.result:
                turns.update(range(each.start, each.start + self._pulse + 1))
        self.changes = sorted(turns)

    def _callout(self, moment: Moment) -> tuple[Callout, int] | None:
        """The current callout and the pixels per em by which it has grown."""
        frame = moment.shot.start
        if moment.shot.phase is Phase.STILL:
            return None
        at = bisect_right(self._callouts, frame, key=lambda each: each.start) - 1
        found = self._callouts[at] if at >= 0 else None
        if found is None or frame >= found.end:
            return None
        share = (frame - found.start) / self._pulse
        grown = sin(pi * share) if found.result and share < 1 else 0.0
        return found, round(self._size * _GROWTH * grown)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        shown = self._callout(moment)
        if shown == self._shown:
            return
        self._shown = shown
        canvas.fill(self._box, self._sprites.theme.ground)
        if shown:
            self._write(canvas, *shown)

    def _ink(self, callout: Callout) -> Colour:
        theme = self._sprites.theme
        return theme.undoing if callout.wrong else theme.accent

    def _write(self, canvas: Canvas, callout: Callout, grown: int) -> None:
        """Write the sentence, in letters that have grown by a number of pixels per em."""
        box, ink = self._box, self._ink(callout)
        size, lines = self._set(callout.sentence, grown)
        high = line_height(Face.BOLD, size)
        for number, line in enumerate(lines):
            sprite = self._sprites.text(line, Face.BOLD, size, ink, box.width)
            canvas.blit(sprite, box.x, box.y + number * high)

    def _set(self, text: str, grown: int) -> tuple[int, list[str]]:
        """The size of the letters, larger by `grown` if there is room, and the lines of a text; no
        lines if it does not fit."""
        sentences = _sentences(text)
        for count in range(len(sentences), 0, -1):
            shown = " ".join(sentences[:count])
            if shown.endswith(";"):
                shown = shown[:-1] + "."
            size, lines = self._set_whole(shown, grown)
            if lines:
                return size, lines
        return self._least, []

    def _set_whole(self, text: str, grown: int) -> tuple[int, list[str]]:
        """The same, without leaving out sentences."""
        return self._largest(lambda size: lines_of(text, size, self._box.width), grown)

    def _largest(self, lines_at: Callable[[int], list[str]], grown: int) -> tuple[int, list[str]]:
        """The largest size of letters at which the lines for that size fit, and these lines; no
        lines if they fit at none."""
        box = self._box
        for size in range(self._size + grown, self._least - 1, -1):
            lines = lines_at(size)
            if len(lines) <= box.height // line_height(Face.BOLD, size) and all(
                text_width(line, Face.BOLD, size) <= box.width for line in lines
            ):
                return size, lines
        return self._least, []


def _sentences(text: str) -> list[str]:
    """The sentences of a text; what a semicolon separates could be one, too."""
    return re.split(r"(?<=[.!?;]) +", text)


def lines_of(text: str, size: int, width: int) -> list[str]:
    """The lines of a text: one, or one for each sentence, or as few as possible of about equal
    length, so that the last does not consist of a single word."""
    if text_width(text, Face.BOLD, size) <= width:
        return [text]
    sentences = _sentences(text)
    if all(text_width(each, Face.BOLD, size) <= width for each in sentences):
        return sentences
    return balanced(text, Face.BOLD, size, width)


def callout_panel(context: PanelContext) -> CalloutPanel:
    """The sentences about one search."""
    script, text = context.script, context.text
    callouts = [each for each in script.callouts if each.search == context.number]
    sizes = max(text.name, text.sentence), text.label
    return CalloutPanel(context.box, callouts, context.sprites, sizes, script.timeline.fps)
