"""The code of a search, with the running line and the count of each line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import fitted, line_height, text_width
from undoku.render.draw.line_breaks import wrapped
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import Align
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.panels.panel import Moment, Panel, PanelContext, chart_box
from undoku.render.playback.code_lines import (
    CodeLine,
    LineRole,
    code_of,
    parsed_code,
    running,
    runs_of,
)
from undoku.render.playback.next_frames import NextFrames
from undoku.render.timeline.speed import SpeedClasses
from undoku.render.timeline.timeline import Phase
from undoku.solver.trace.state import DEAD_ENDS, STEPS
from undoku.texts import wording as say
from undoku.texts.language import number as written

_FASTEST = 12
"""The highest steps per second at which the running line can be followed."""

_MIN_SIZE = 9
"""Pixels per em."""

_MIN_WHOLE = 0.8
"""The share of the usual size of letters down to which lines are made smaller instead of broken."""

_INDENT = 1.2
"""The indentation of a level in ems."""

_MAX_COUNT = 8_888_888


class CodePanel(Panel):
    """The code panel, which is hidden while the clock runs too fast to follow it."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, number, text = context.script, context.number, context.text
        code = script.settings.code
        self._own = bool(code)
        """Whether the lines are the user's own code, which is written from left to right in any
        language of the film."""
        self._lines = parsed_code(code) if code else code_of(script.headers[number].strategy)
        self.area = chart_box(context.box, text)
        self._size, self._texts = self._fitted(text.status)
        """The size of letters, and the rows of text of each line."""
        rows = [0, *accumulate(map(len, self._texts))]
        self._row = min(self.area.height // max(1, rows[-1]), 2 * self._size)
        self.tops = [self.area.y + row * self._row for row in rows[:-1]]
        self._speed = SpeedClasses(script.timeline, number, (_FASTEST,))
        self._roles = {line.role for line in self._lines}
        self._shown: list[tuple[bool, int | None] | None] = [None] * len(self._lines)
        self._hidden = True
        self._dead_ends = 0
        self._steps = -1
        self._lit = LineRole.NODE

    def _fitted(self, most: int) -> tuple[int, list[list[str]]]:
        """The largest size of letters at which all lines fit, otherwise the smallest size; and the
        rows of each line. Lines are wrapped only if their letters would be much smaller."""
        for wraps, sizes in (
            (False, range(most, round(_MIN_WHOLE * most), -1)),
            (True, range(most, _MIN_SIZE, -1)),
        ):
            for size in sizes:
                texts = [self._rows(line, size) if wraps else [line.text] for line in self._lines]
                if self._fits(texts, size):
                    return size, texts
        return _MIN_SIZE, [self._rows(line, _MIN_SIZE) for line in self._lines]

    def _fits(self, texts: Sequence[Sequence[str]], size: int) -> bool:
        """Whether there is room for these rows of each line."""
        high = sum(map(len, texts)) * line_height(Face.BOLD, size)
        return high <= self.area.height and all(
            text_width(text, Face.BOLD, size) <= self._room(line, size)
            for line, rows in zip(self._lines, texts, strict=True)
            for text in rows
        )

    def _rows(self, line: CodeLine, size: int) -> list[str]:
        """The rows of a line; the user's own code is not wrapped."""
        room = self._room(line, size)
        if self._own or text_width(line.text, Face.BOLD, size) <= room:
            return [line.text]
        return wrapped(line.text, Face.BOLD, size, room - size)

    def _room(self, line: CodeLine, size: int) -> int:
        """The width of a line in pixels."""
        return self.area.width - self._left(line, size) - self._count_width(size) - size // 2

    def _left(self, line: CodeLine, size: int) -> int:
        return round((0.5 + _INDENT * line.indent) * size)

    def _count_width(self, size: int) -> int:
        return text_width(written(_MAX_COUNT), Face.REGULAR, size)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot, shot = moment.snapshots[self._number], moment.shot
        if snapshot.steps != self._steps:
            # On a frame of several steps only counts are shown, not the line of the last step.
            before = self._dead_ends if snapshot.span == 1 else snapshot.dead_ends
            self._lit = self._shown_role(running(snapshot, before))
            self._steps, self._dead_ends = snapshot.steps, snapshot.dead_ends
        hides = bool(shot.phase is not Phase.STILL and self._speed.of_frame(shot.start))
        if hides and not self._hidden:
            self._shown = [None] * len(self._lines)
            canvas.fill(self._box, self._theme.background)
        elif self._hidden and not hides:
            self._draw_caption(canvas, [say.CODE()])
        self._hidden = hides
        if hides:
            return
        apart = LineRole.INFER in self._roles
        for at, line in enumerate(self._lines):
            looks = (
                line.role is self._lit and line.role is not LineRole.OTHER,
                runs_of(line.role, snapshot, forced_apart=apart),
            )
            if looks != self._shown[at]:
                self._shown[at] = looks
                self._draw_line(canvas, at, *looks)

    def reach(self, frames: NextFrames) -> int:
        """All frames but the last on which the panel is hidden: the highlighted line depends on the
        steps of a frame that is drawn."""
        if self._hidden != bool(self._speed.of_frame(frames.start)):
            return 0
        most = len(frames) if self._hidden else frames.before_step(self._number)
        alike = self._speed.until(frames.start, frames.start + most) - frames.start
        return alike - 1 if self._hidden else alike

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if self._hidden and frames.moves(self._number):
            registers = frames.events(self._number).registers[-1]
            self._steps, self._dead_ends = int(registers[STEPS]), int(registers[DEAD_ENDS])

    def _shown_role(self, role: LineRole) -> LineRole:
        """The role of the highlighted line; the nearest one if the code does not distinguish all
        roles."""
        nearest = {LineRole.DEAD_END: LineRole.UNDO, LineRole.INFER: LineRole.PLACE}
        return role if role in self._roles else nearest.get(role, role)

    def _draw_line(self, canvas: Canvas, at: int, lit: bool, runs: int | None) -> None:
        theme, size, area, high = self._theme, self._size, self.area, self._row
        line, texts, top = self._lines[at], self._texts[at], self.tops[at]
        if top + len(texts) * high > area.bottom:
            return
        background = theme.trying_cell if lit else theme.background
        ink, face = (theme.trying, Face.BOLD) if lit else (theme.text, Face.REGULAR)
        canvas.fill(Rect(area.x, top, area.width, len(texts) * high), background)
        left_align, right_align = Align.LEFT, Align.RIGHT
        if self._own:
            left_align, right_align = left_align.as_read, right_align.as_read
        else:
            canvas = in_reading_direction(canvas, area)
        room = self._room(line, size)
        for row, text in enumerate(texts):
            further = size if row else 0
            place = area.x + self._left(line, size) + further, top + row * high
            if fitted(text, face, size, room - further):
                self._sprites.write(
                    canvas, place, text, face, size, ink, room - further, height=high,
                    align=left_align, background=background,
                )  # fmt: skip
        if runs is not None:
            wide, ink = self._count_width(size), ink if lit else theme.muted
            self._sprites.write(
                canvas, (area.right - wide - size // 4, top), written(runs), Face.REGULAR, size,
                ink, wide, height=high, align=right_align, background=background,
            )  # fmt: skip
