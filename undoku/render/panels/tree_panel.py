"""The search tree as it grows: its branches, from the top down and from left to right in the order
in which nodes were created, on the same scale for all searches of a film."""

from __future__ import annotations

from math import ceil

import numpy as np

from undoku.render.draw.canvas import Canvas, DrawnShapes, Rect, bounding
from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Point, Stroke
from undoku.render.draw.theme import Theme
from undoku.render.panels.counters import NODES, Number, number_width
from undoku.render.panels.drawn_branches import PATH, SOLUTION, DrawnBranches
from undoku.render.panels.panel import Moment, Panel, PanelContext, chart_box
from undoku.render.playback.branches import RIGHT, Branches
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.solution_recorder import parts_by_solution
from undoku.solver.trace.state import DEPTH, State
from undoku.solver.trace.steps import Steps
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.language import spoken

_DEAD = 0.65
"""The strength of failed branches relative to the colour of small letters."""

_LINE, _MARK = 1 / 10, 1 / 4
"""The thickness of a branch and the side of the mark at a solution, relative to small letters."""


def tree_colours(theme: Theme) -> tuple[Colour, Colour, Colour, Colour]:
    """The colours of a chart: empty, failed branches, the path, solutions."""
    return theme.cell, mix(theme.cell, theme.muted, _DEAD), theme.text, theme.accent


class TreePanel(Panel):
    """A search tree, and above it the number of its nodes. The path to the current node stands out,
    and at the end that to the solution. Solutions are marked in searches that continue after
    them."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, theme = context.script, self._theme
        self._chart = chart = chart_box(context.box, context.text)
        self._line = line = max(1, round(context.text.label * _LINE))
        self._mark = max(2, round(context.text.label * _MARK))
        nodes = script.most_nodes
        per_row = ceil(nodes / max(1, chart.width // line))
        rows = ceil(nodes / per_row)
        self._tree = Branches(context.puzzle, rows, per_row)
        # Rows of the branches are columns of the panel.
        pitch = (chart.width - line) / max(1, rows - 1)
        self._drawn = DrawnBranches(
            self._tree, chart.height, chart.width, script.deepest, pitch, line
        )
        self._colours = tree_colours(theme)
        self._state = State(context.puzzle) if script.goes_on(context.number) else None
        self._solved: dict[tuple[int, int], None] = {}
        """The depths and rows of solutions, each once, in order."""
        self._marked = self._depth = 0
        """The number of solutions that are marked, and the depth of the path that is shown."""
        self._is_solved = False
        """Whether the path to the solution is shown, at the end of a search for one."""
        self.recorders = self.played = (self,)
        most = max(tally.nodes for tally in script.tallies)
        self._caption, self._nodes = self._captioned(most)
        self.most_rows = self._nodes.most_rows + 1
        self.new_bytes = 3 * chart.width * chart.height // 8

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
            self._tree.record(steps, start, stop)
            return
        for first, end, solved in parts_by_solution(self._state, steps, start, stop):
            self._tree.record(steps, first, end)
            if solved:
                depth = int(self._state.depth)
                self._solved[depth, int(self._tree.arrays.last[depth])] = None

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._chart, self._theme.cell)
        self._draw_caption(canvas, [self._caption, ""])

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if snapshot.finished and snapshot.outcome is Outcome.SOLVED and not self._is_solved:
            self._is_solved = True
            empty, failed, _, solution = self._colours
            self._colours = empty, failed, solution, solution
            self._drawn.draw()

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if not (frames.present or frames.moves(self._number)):
            return
        steps, begun, ends, registers = frames.events(self._number)
        self._nodes.put(registers, draft)
        draft.figure = DrawnShapes(self._chart, self._shapes)
        inks = np.array(self._colours, np.uint8).repeat((RIGHT, PATH - RIGHT, PATH, SOLUTION), 0)
        for frame, end in enumerate(ends.tolist()):
            if end > begun:
                self.record(steps, begun, end)
            if end > begun or frames.present:
                begun = end
                marks = [
                    self._drawn.mark(*node, self._mark) for node in [*self._solved][self._marked :]
                ]
                self._marked, self._depth = len(self._solved), int(registers[frame, DEPTH])
                if dirty := bounding(filter(None, [*marks, self._drawn.draw(self._depth)])):
                    pixels = inks[self._drawn.kinds_in(dirty).T]
                    draft.add_new(frame, pixels, self._chart.x + dirty.y, self._chart.y + dirty.x)

    def _shapes(self) -> list[Stroke]:
        """Failed branches, those of the path, and solutions, from the lowest to the uppermost."""
        same, falling, origins, last, _ = self._tree.arrays
        failed = [(depth, row, row) for depth, row in np.argwhere(same).tolist()]
        for depth, row in np.argwhere(falling).tolist():
            failed.append((depth, row, origins[depth, row]))
        path = [(depth, last[depth], last[depth - 1]) for depth in range(1, self._depth + 1)]
        left, top = (each + self._line / 2 for each in self._chart[:2])

        def place(depth: int, row: int) -> Point:
            return float(left + row * self._drawn.pitch), float(top + depth * self._drawn.level)

        lines = [
            tuple((place(depth - 1, origin), place(depth, row)) for depth, row, origin in branches)
            for branches in (failed, path)
        ]
        marks = tuple((place(*node),) for node in self._solved)
        strokes = (
            Stroke(lines[0], self._line, self._colours[1]),
            Stroke(lines[1], self._line, self._colours[2]),
            Stroke(marks, self._mark, self._colours[3]),
        )
        return [stroke for stroke in strokes if stroke.lines]
