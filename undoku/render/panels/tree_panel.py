"""What all search trees have: a caption with the number of nodes so far, and marks at solutions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from undoku.render.draw.canvas import Canvas, DrawnShapes, Pixels, Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.panels.counters import NODES, Number, number_width
from undoku.render.panels.panel import Moment, Panel, PanelContext, chart_box
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.solution_recorder import parts_by_solution
from undoku.solver.trace.state import State
from undoku.solver.trace.steps import Observer, Steps
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.language import spoken

Place = TypeVar("Place", bound=Hashable)


class TreePanel(Panel, Generic[Place]):
    """A search tree, and above it the number of its nodes. The leaves of solutions are marked in
    searches that continue after them."""

    changes = ()

    def __init__(
        self, context: PanelContext, tree: Observer, where: Callable[[], Place], most: int
    ) -> None:
        """`tree` records the nodes, `most` at most in the film, and `where` returns the place of
        the current one."""
        super().__init__(context)
        self._chart = chart_box(context.box, context.text)
        self._recorder, self._where = tree, where
        self._state = State(context.puzzle) if context.script.goes_on(context.number) else None
        self._solved: dict[Place, None] = {}
        """The places of solutions, each once, in order."""
        self._is_solved = False
        """Whether the path to the solution is shown, at the end of a search for one."""
        self.recorders = self.played = (self,)
        self._caption, self._nodes = self._captioned(most)
        self.most_rows = self._nodes.most_rows

    def _captioned(self, most: int) -> tuple[str, Number]:
        """The fullest caption that has room for `most` nodes, otherwise the shortest; and the
        number after it."""
        box, size = self._box, self._text.label
        captions = say.NODES_OF_TREE(), say.NODES_BRIEFLY(), say.TREE()
        rooms = [box.width - text_width(f"{caption}  ", Face.REGULAR, size) for caption in captions]
        need = number_width(len(str(most)), size)
        form = next((form for form, room in enumerate(rooms) if room >= need), -1)
        left = box.x if spoken().right_to_left else box.right - rooms[form]
        place = Rect(left, box.y, max(0, rooms[form]), self._chart.y - box.y)
        ink = self._theme.muted
        return captions[form], Number(self._sprites, NODES, most, place, size, ink)

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Observe a search: see `undoku.solver.trace.steps.Observer`."""
        if not self._state:
            self._recorder.record(steps, start, stop)
            return
        for first, end, solved in parts_by_solution(self._state, steps, start, stop):
            self._recorder.record(steps, first, end)
            if solved:
                self._solved[self._where()] = None

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._chart, self._theme.cell)
        self._draw_caption(canvas, [self._caption, ""])

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if snapshot.finished and snapshot.outcome is Outcome.SOLVED and not self._is_solved:
            self._is_solved = True
            self._show_path()

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if not (frames.present or frames.moves(self._number)):
            return
        steps, begun, ends, registers = frames.events(self._number)
        self._nodes.put(registers, draft)
        draft.figure = self._figure
        for frame, end in enumerate(ends.tolist()):
            if end > begun:
                self.record(steps, begun, end)
            if end > begun or frames.present:
                begun = end
                if dirty := self._followed(frames):
                    x, y = self._chart.x + dirty.x, self._chart.y + dirty.y
                    draft.add_new(frame, self._painted(dirty), x, y)

    def _show_path(self) -> None:
        """Let the path to the solution stand out from now on."""
        raise NotImplementedError

    @property
    def _figure(self) -> DrawnShapes | None:
        """The shapes of the tree in documents; None if they show its pixels."""
        return None

    def _followed(self, frames: NextFrames) -> Rect | None:
        """Follow the recorded tree; returns the rectangle of the chart that has changed."""
        raise NotImplementedError

    def _painted(self, dirty: Rect) -> Pixels:
        """The pixels of a rectangle of the chart."""
        raise NotImplementedError
