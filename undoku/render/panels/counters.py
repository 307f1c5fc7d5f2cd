"""The counters of a search: numbers below their labels, like columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undoku.h264.loops import I64, I64_2D
from undoku.render.draw.canvas import Canvas, Rect, Sprite, bounding
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box, line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.panels.panel import Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.solver.trace.state import (
    BACKTRACKS,
    DEAD_ENDS,
    DECISIONS,
    DEPTH,
    GUESSED,
    LAST,
    NOGOODS,
    PLACES,
    PROBES,
    RESTARTS,
    SOLUTIONS,
    STEPS,
    UNDO,
)
from undoku.solver.trace.trace import Tally
from undoku.texts.language import spoken

NODES = "nodes"
"""The name of the number of nodes, which no counter shows."""

_BRANCHING, _MAX_BRANCHING = "branching", 999
"""The name of the only number that is in hundredths, and its largest value."""

_REGISTERS = {
    "steps": STEPS,
    "guessed": GUESSED,
    "solutions": SOLUTIONS,
    "depth": DEPTH,
    "dead-ends": DEAD_ENDS,
    "backtracks": BACKTRACKS,
    "restarts": RESTARTS,
    "nogoods": NOGOODS,
    "probes": PROBES,
}

_BLANK, _UNITS = 10, ("", "k", "M", "G", "T")
"""The mark after those of the digits, and the letters of thousands, millions and so on."""

_MACROBLOCK = 16
"""The width and height of a macroblock in pixels."""


def counts(name: str, registers: I64_2D) -> I64:
    """(n,): the number of this name (see `undoku.texts.counter_kinds`) of a search after which the
    registers are these (n, COUNTS); branching is in hundredths."""
    if name in _REGISTERS:
        return registers[:, _REGISTERS[name]]
    if name == "taken-back":
        return registers[:, STEPS] - registers[:, PLACES]
    if name == "forced":
        return registers[:, PLACES] - registers[:, GUESSED]
    nodes = registers[:, DECISIONS] + 1
    if name == NODES:
        return nodes
    # Children per node that has any: a decision is the child of one that is not a leaf, and the
    # node that the search has just reached is one, too.
    reached = (registers[:, STEPS] == 0) | (registers[:, LAST] & 0xFF != UNDO)
    parents = np.maximum(1, nodes - registers[:, DEAD_ENDS] - reached)
    branching: I64 = np.minimum(_MAX_BRANCHING, (200 * (nodes - 1) + parents) // (2 * parents))
    return branching


def _most(name: str, tally: Tally) -> int:
    """A bound of a number of a search."""
    bounds = {"depth": tally.max_depth, _BRANCHING: _MAX_BRANCHING, "probes": tally.events}
    return bounds.get(name, tally.steps)


def _pitch(marks: Sequence[str], size: int) -> int:
    """The width of characters of `size` pixels per em that are one of `marks`: rounded up to a
    multiple of 4 if that is hardly visible. At such positions equal characters are equal blocks for
    encoders, whatever is beside them."""
    width = max(text_width(mark, Face.REGULAR, size) for mark in marks)
    wide = -(-width // 4) * 4
    return wide if wide - width <= max(2, width // 8) else width


def _pitches(size: int) -> tuple[int, int]:
    """The widths of a digit and of a separator."""
    return _pitch("0123456789", size), _pitch((spoken().thousands, spoken().decimals), size)


def number_width(digits: int, size: int) -> int:
    """The width of a number of so many digits with its separators."""
    digit, separator = _pitches(size)
    return digits * digit + (digits - 1) // 3 * separator


class Number:
    """The number `name`, which is at most `most`, in letters of `size` pixels per em in a box. Each
    of its digits has a place, and only those that change are drawn. Where the largest number has no
    room, thousands are left out, which a letter states: 17k for 17,536."""

    def __init__(
        self, sprites: SpriteBook, name: str, most: int, box: Rect, size: int, ink: Colour
    ) -> None:
        self._sprites, self._name, self._size, self._ink = sprites, name, size, ink
        digits, unit = len(str(most)), 0
        if number_width(digits, size) > box.width:
            unit = max(text_width(letter, Face.REGULAR, size) for letter in _UNITS)
            fitting = [n for n in range(1, digits) if number_width(n, size) + unit <= box.width]
            digits = max(fitting, default=1)
        limits = [10 ** min(18, digits + 3 * number) for number in range(len(_UNITS) - 1)]
        self._limits = np.array(limits if unit else [], np.int64)
        """The numbers from which on each letter is necessary."""
        digit, separator = _pitches(size)
        left, top, _, bottom = glyph_box("0", Face.REGULAR, size)
        beyond = (box.y + top) % _MACROBLOCK
        down = _MACROBLOCK - beyond
        spare = box.height - line_height(Face.REGULAR, size)
        # Digits that touch one macroblock more than their height needs are moved down.
        fits = beyond + (bottom - top - 1) % _MACROBLOCK < _MACROBLOCK
        self._y = box.y if fits or down > spare else box.y + down
        self.right = box.right
        if not spoken().right_to_left:
            # The last digit, which changes most often, is in as few macroblocks as possible.
            last = box.x + number_width(digits, size) - digit + left
            aligned = -(-last // _MACROBLOCK) * _MACROBLOCK - left
            self.right = min(box.right, aligned + digit + unit)
        decimals = 2 if name == _BRANCHING else 0
        separators = dict.fromkeys(range(decimals + 3, digits, 3), spoken().thousands)
        if decimals:
            separators[decimals] = spoken().decimals
        places = np.arange(digits, dtype=np.int64)
        least = np.where(places <= decimals, 0, 10**places)
        widths = [digit + separator * (at in separators) for at in range(digits)]
        marks = [[f"{one}{separators.get(at, '')}" for one in range(10)] for at in range(digits)]
        if unit:
            widths.insert(0, unit)
            marks.insert(0, list(_UNITS))
            places, least = np.insert(places, 0, 0), np.insert(least, 0, 0)
        self._powers, self._least = 10**places, least
        """The unit of each digit, and the least number with which it is shown."""
        self._x = self.right - np.cumsum(widths)
        self._kinds = np.array(list(map(self._kind, marks, widths)), np.int64)
        self._shown = np.full((1, len(widths)), _BLANK, np.int64)
        self.most_rows = len(widths)

    def _kind(self, marks: Sequence[str], width: int) -> int:
        """The kind of the sprites of these marks, by their numbers; the one after the last is
        blank."""

        def drawn(number: int) -> Sprite:
            mark = marks[number] if number < len(marks) else ""
            return self._sprites.text(mark, Face.REGULAR, self._size, self._ink, width)

        name = "number", self._size, self._ink, tuple(marks), width
        return self._sprites.index.kind(name, drawn)

    def put(self, registers: I64_2D, draft: Draft) -> None:
        """Draw what differs on frames after which a search has these registers (frames,
        COUNTS)."""
        numbers = counts(self._name, registers)[:, None]
        if len(self._limits):
            units = np.searchsorted(self._limits, numbers, "right")
            numbers = numbers // 1000**units
        marks = numbers // self._powers % 10
        marks[numbers < self._least] = _BLANK
        if len(self._limits):
            marks[:, :1] = units
        frames, at = (marks != np.concatenate((self._shown, marks[:-1]))).nonzero()
        self._shown = marks[-1:]
        draft.look_up(frames, marks[frames, at], self._kinds[at], self._x[at], self._y)


class CounterPanel(Panel):
    """The counters of the film's layout."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        block, text, kinds = context.block, context.text, context.script.layout.counters
        tally, boxes = context.script.tallies[context.number], block.counters[: len(kinds)]
        around = bounding(boxes)
        if around and spoken().right_to_left:
            boxes = tuple(box._replace(x=around.x + around.right - box.right) for box in boxes)
        self._labelled = list(zip(kinds, boxes, strict=False))
        above = line_height(Face.REGULAR, text.label)
        self.numbers = []
        for kind, box in self._labelled:
            below = box._replace(y=box.y + above, height=box.height - above)
            most, ink = _most(kind.name, tally), self._theme.text
            self.numbers.append(Number(context.sprites, kind.name, most, below, text.number, ink))
        self.most_rows = sum(number.most_rows for number in self.numbers)

    def start(self, canvas: Canvas) -> None:
        size, ink = self._text.label, self._theme.muted
        for kind, (x, y, width, _) in self._labelled:
            self._sprites.write(canvas, (x, y), kind.label(), Face.REGULAR, size, ink, width)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if frames.present or frames.moves(self._number):
            for number in self.numbers:
                number.put(frames.events(self._number).registers, draft)
