"""A pass over the searches whose pictures change: acts, each with its own scene, on one canvas.

Between two acts there is a transition (undoku.render.film.board_move).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Frame, Pixels, Rect
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
from undoku.solver.trace.steps import Observer
from undoku.solver.trace.trace import Trace

if TYPE_CHECKING:
    from undoku.render.draw.easel import Easel

_FADING = Fraction(1, 4)
"""The seconds of a transition in which boards stay where they are."""


@dataclass(frozen=True, slots=True)
class Act:
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
    """Draws the shots of a pass over the searches in one or more acts, on the canvas of the pass
    `before`, if there is one."""

    def __init__(
        self, acts: Sequence[Act], easel: Easel | None = None, before: Acts | None = None
    ) -> None:
        script = acts[0].script
        layout = script.layout
        self.canvas: Canvas = easel or (
            before.canvas if before else Canvas(layout.width, layout.height)
        )
        self.sprites: SpriteBook = before.sprites if before else SpriteBook(script.theme)
        self.timeline = script.timeline
        self._acts = acts
        # A single picture belongs to the first act.
        shown = acts[:1] if easel else acts
        self._scenes = [Scene(act.script, self.canvas, self.sprites) for act in shown]
        self._whole = Rect(0, 0, layout.width, layout.height)
        self._background = script.theme.background
        self._current: int | None = None
        self._move: Transition | None = None
        self._before = before
        self.last_boards: Pixels | None = None
        """The picture with the boards at the end of the pass, before the card."""
        self.orders: list[NDArray[np.int64]] = []
        """For each search the cells of this picture, the last one that was filled first."""

    def players(self, traces: Sequence[Trace]) -> list[Player]:
        """The players of the searches, with the recorders of all acts."""
        return [
            Player(
                trace,
                self._recorders(number),
                explained=any(scene.explains(number) for scene in self._scenes),
            )
            for number, trace in enumerate(traces)
        ]

    def _recorders(self, number: int) -> list[Observer]:
        return [each for scene in self._scenes for each in scene.recorders(number)]

    def scene_of(self, frame: int) -> Scene | None:
        """The scene that is on the canvas before and on `frame`; None if that frame begins an act,
        or boards move on it."""
        number = self._number(frame)
        if number != self._current or frame < self._acts[number].start + self._acts[number].moving:
            return None
        return self._scenes[number]

    def later_recorders(self, scene: Scene, number: int) -> list[Observer]:
        """The recorders of later acts, which must see the events of a search while `scene` is
        drawn."""
        own = {id(each) for each in scene.recorders(number)}
        return [each for each in self._recorders(number) if id(each) not in own]

    def until(self, frame: int) -> int:
        """The first frame after the act of `frame`."""
        number = self._number(frame) + 1
        return self._acts[number].start if number < len(self._scenes) else self.timeline.frames

    def _number(self, frame: int) -> int:
        """The number of the act of a frame."""
        starts = [act.start for act in self._acts[: len(self._scenes)]]
        return max(0, bisect_right(starts, frame) - 1)

    def play(self, traces: Sequence[Trace], shots: Iterable[Shot]) -> Iterator[Frame]:
        """The frames of `shots`, which must come in the film's order; the first is whole."""
        players = self.players(traces)
        for shot in shots:
            now = zip(players, shot.steps, strict=True)
            yield self.draw(shot, [player.advance(step) for player, step in now])

    def draw(self, shot: Shot, snapshots: Sequence[Snapshot]) -> Frame:
        """The picture of `shot`; `snapshots` are the states of the searches."""
        still = shot.phase is Phase.STILL
        if shot.phase is Phase.CARD and self.last_boards is None:
            self.last_boards = self.canvas.pixels.copy()
            self.orders = [np.argsort(-each.depths.astype(np.int64), kind="stable")
                            for each in snapshots]  # fmt: skip
        number = 0 if still else self._number(shot.start)
        act, scene = self._acts[number], self._scenes[number]
        moving = not still and shot.start < act.start + act.moving
        if number != self._current:
            self._change(number, shot, snapshots, moving=moving)
        elif not moving:
            self._arrive()
            scene.paint(shot, snapshots)
        if self._move and self._move.draw(self.canvas, shot.start - act.start + 1):
            self._move = None
        return self.canvas.frame(shot.ticks)

    def _change(
        self, number: int, shot: Shot, snapshots: Sequence[Snapshot], *, moving: bool
    ) -> None:
        """Draw the first picture of an act, and keep the previous one for the transition."""
        before = self._before.last_boards if self._before and not number else None
        if moving and number:
            if self._current != number - 1:
                self._clear()
                self._scenes[number - 1].paint(shot, snapshots)
            else:
                self._arrive()
            before = self.canvas.pixels.copy()
        self._clear()
        self._scenes[number].paint(shot, snapshots)
        self._current, self._move = number, None
        if before is None or not moving:
            return
        after, act = self.canvas.pixels.copy(), self._acts[number]
        if not number:
            boards = [block.board for block in act.script.layout.blocks]
            cells = self._cells(act.script.layout)
            self._move = Rewind(before, after, boards, cells, act.moving)
            return
        blocks = [each.script.layout.blocks for each in self._acts[number - 1 : number + 1]]
        old, new = ([block.board for block in each] for each in blocks)
        if old != new and (act.script.explains or crosses(old, new)):
            old = new = []
        edge = max(strong_width(block.cell) for each in blocks for block in each)
        self._move = BoardMove(
            before,
            after,
            old,
            new,
            self._background,
            act.moving,
            edge,
        )

    def _cells(self, layout: Layout) -> list[list[Rect]]:
        """The places of the cells of all boards, those filled last in the pass before first."""
        assert self._before
        found = []
        for block, order, header in zip(
            layout.blocks, self._before.orders, self._acts[0].script.headers, strict=True
        ):
            look, empty = Look(header.puzzle.geometry), set(header.puzzle.empty_cells)
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
