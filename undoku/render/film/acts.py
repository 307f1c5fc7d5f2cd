"""A film in acts, each with its own scene, on one canvas. The acts of a story pass over the
searches twice.

Between two acts there is a transition (undoku.render.film.board_move).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Frame, Pixels, Rect
from undoku.render.draw.freed_memory import return_large_arrays
from undoku.render.draw.look import Look
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.unit_marks import strong_width
from undoku.render.film.board_move import BoardMove, Rewind, Transition, crosses
from undoku.render.film.scene import Scene
from undoku.render.layout.page import Layout
from undoku.render.panels.panel import Script
from undoku.render.playback.player import Player, Snapshot
from undoku.render.timeline.beats import Beat
from undoku.render.timeline.storyboard import MOVING
from undoku.render.timeline.timeline import Phase, Shot
from undoku.solver.trace.trace import Trace

if TYPE_CHECKING:
    from undoku.render.draw.easel import Easel

_FADING = Fraction(1, 4)
"""The seconds of a transition in which boards stay where they are."""

_LARGE = 4_000_000
"""The pixels from which on the memory of pictures matters more than the time to allocate it."""


class Act(NamedTuple):
    """A part of the film with one layout, that of `script`, from frame `start` on; the first
    `moving` frames are the transition from the previous act."""

    script: Script
    start: int = 0
    moving: int = 0

    @classmethod
    def of_beat(cls, script: Script, beat: Beat, before: Script) -> Act:
        """The act that begins with a beat, after an act with the script `before`."""
        stays = script.layout.blocks == before.layout.blocks
        frames = round(script.timeline.fps * (_FADING if stays else MOVING))
        return cls(script, beat.start, max(1, min(beat.frames, frames)))


class Acts:
    """Draws the shots of a film in one or more acts."""

    def __init__(self, acts: Sequence[Act], easel: Easel | None = None) -> None:
        script = acts[-1].script
        layout = script.layout
        if layout.width * layout.height > _LARGE:
            return_large_arrays()
        self.canvas: Canvas = easel or Canvas(layout.width, layout.height)
        sprites = SpriteBook(script.theme)
        self.timeline = script.timeline
        self._acts = acts
        self._scenes = [Scene(act.script, self.canvas, sprites) for act in acts]
        self._whole = Rect(0, 0, layout.width, layout.height)
        self._background = script.theme.background
        self._current: int | None = None
        self._move: Transition | None = None
        self._last_boards: list[Pixels] | None = None
        """The pictures of the boards at the end of the first pass, before the ratio."""
        self._orders: list[NDArray[np.int64]] = []
        """For each search the cells of its board, the last one that was filled first."""

    def answers(self, frame: int) -> bool:
        """Whether a frame belongs to the first pass over the searches of a story."""
        return self._acts[self._number(frame)].script.answers

    def players(self, traces: Sequence[Trace], *, answers: bool) -> list[Player]:
        """The players of the searches in one of the passes, with the recorders of its acts."""
        each = zip(self._acts, self._scenes, strict=True)
        scenes = [scene for act, scene in each if act.script.answers == answers]
        return [
            Player(
                trace,
                [each for scene in scenes for each in scene.recorders(number)],
                explained=any(scene.explains(number) for scene in scenes),
            )
            for number, trace in enumerate(traces)
        ]

    def scene_of(self, frame: int) -> Scene | None:
        """The scene that is on the canvas before and on `frame`; None if that frame begins an act,
        or boards move on it."""
        number = self._number(frame)
        if number != self._current or frame < self._acts[number].start + self._acts[number].moving:
            return None
        return self._scenes[number]

    def until(self, frame: int) -> int:
        """The first frame after the act of `frame`."""
        number = self._number(frame) + 1
        return self._acts[number].start if number < len(self._acts) else self.timeline.frames

    def _number(self, frame: int) -> int:
        """The number of the act of a frame."""
        return max(0, bisect_right(self._acts, frame, key=lambda act: act.start) - 1)

    def play(self, traces: Sequence[Trace], shots: Iterable[Shot]) -> Iterator[Frame]:
        """The frames of `shots`, which must come in the film's order; the first is whole."""
        for answers, own in groupby(shots, lambda shot: self.answers(shot.start)):
            players = self.players(traces, answers=answers)
            for shot in own:
                now = zip(players, shot.steps, strict=True)
                yield self.draw(shot, [player.advance(step) for player, step in now])

    def draw(self, shot: Shot, snapshots: Sequence[Snapshot]) -> Frame:
        """The picture of `shot`; `snapshots` are the states of the searches."""
        number = self._number(shot.start)
        act, scene = self._acts[number], self._scenes[number]
        if act.script.answers and shot.phase is Phase.CARD and self._last_boards is None:
            boards = self._boards(min(number + 1, len(self._acts) - 1))
            self._last_boards = [
                self.canvas.pixels[board.y : board.bottom, board.x : board.right].copy()
                for board in boards
            ]
            self._orders = [np.argsort(-each.arrays.depths.astype(np.int64), kind="stable")
                            for each in snapshots]  # fmt: skip
        moving = shot.start < act.start + act.moving
        if number != self._current:
            self._change(number, shot, snapshots, moving=moving)
        elif not moving:
            self._arrive()
            scene.paint(shot, snapshots)
        if self._move and self._move.draw(self.canvas, shot.start - act.start + 1):
            self._move = None
        return self.canvas.frame(shot.ticks, passing=bool(self._move and self._move.passes))

    def _change(
        self, number: int, shot: Shot, snapshots: Sequence[Snapshot], *, moving: bool
    ) -> None:
        """Draw the first picture of an act, and keep the previous one for the transition."""
        rewinds = number and self._acts[number - 1].script.answers
        before: Pixels | None = None
        if moving and number and not rewinds:
            if self._current != number - 1:
                self._clear()
                self._scenes[number - 1].paint(shot, snapshots)
            else:
                self._arrive()
            before = self.canvas.pixels.copy()
        self._clear()
        self._scenes[number].paint(shot, snapshots)
        self._current, self._move = number, None
        act, new = self._acts[number], self._boards(number)
        if moving and rewinds and self._last_boards:
            cells = self._cells(act.script.layout)
            after = self.canvas.pixels.copy()
            self._move = Rewind(self._last_boards, after, new, cells, act.moving)
            self._last_boards = None
        if before is None:
            return
        after = self.canvas.pixels.copy()
        self.canvas.pixels[:] = before
        old = self._boards(number - 1)
        blocks = [each.script.layout.blocks for each in self._acts[number - 1 : number + 1]]
        if old != new and (act.script.explains or crosses(old, new)):
            old = new = []
        edge = max(strong_width(block.cell) for each in blocks for block in each)
        self._move = BoardMove(before, after, old, new, self._background, act.moving, edge)

    def _boards(self, number: int) -> list[Rect]:
        """The places of the boards in an act."""
        return [block.board for block in self._acts[number].script.layout.blocks]

    def _cells(self, layout: Layout) -> list[list[Rect]]:
        """The places of the cells of all boards, those filled last in the pass before first."""
        found = []
        for block, order, header in zip(
            layout.blocks, self._orders, self._acts[0].script.headers, strict=True
        ):
            look, empty = Look(header.puzzle.problem), set(header.puzzle.empty_cells)
            squares = look.squares(block.board.x, block.board.y, block.cell)
            places: dict[int, list[Rect]] = {cell: [] for cell in order.tolist() if cell in empty}
            for field, square in zip(look.fields, squares, strict=True):
                if field.cell in places:
                    places[field.cell].append(square)
            found.append([square for own in places.values() for square in own])
        return found

    def _clear(self) -> None:
        self.canvas.fill(self._whole, self._background)

    def _arrive(self) -> None:
        """Complete the transition between two acts if its last frame is not drawn."""
        if self._move:
            self._move.arrive(self.canvas)
            self._move = None
