"""The marks with which a board shows the rule of its search."""

from __future__ import annotations

from collections.abc import Mapping

from undoku.render.draw.colour_space import Colour, mix
from undoku.render.panels.mark_painting import STRENGTHS, CellMark, Sign, strength_of
from undoku.render.panels.panel import Rule

__all__ = ["RuleMarks"]


class RuleMarks:
    """The marks of a rule, in the `colour` of its search; numbers that are not among the best have
    the colour `muted`."""

    def __init__(self, rule: Rule, colour: Colour, muted: Colour) -> None:
        self._rule, self._colour, self._muted = rule, colour, muted
        self._stage: tuple[int, ...] = ()
        self._last: Mapping[int, CellMark] = {}

    def after(self, at: int, frames: int) -> Mapping[int, CellMark]:
        """The marks by cell, after `at` of the `frames` frames of a beat: a sweep through the fixed
        order, or the numbers of options. As long as nothing changes, the same object."""
        order = self._rule.order
        if order:
            # The sweep takes four fifths of the beat; its trail remains visible for the rest.
            stage: tuple[int, ...] = (len(order) * at * 5 // (4 * frames),)
        else:
            stage = strength_of(4 * at / frames), strength_of(4 * at / frames - 1.5)
        if stage != self._stage:
            self._stage = stage
            self._last = self._swept(*stage) if order else self._options(*stage)
        return self._last

    def _swept(self, reached: int) -> Mapping[int, CellMark]:
        """The marks of a sweep that has reached the `reached`th cell of the order."""
        order = self._rule.order
        marks = {cell: CellMark(Sign.DOT, STRENGTHS // 2, self._colour) for cell in order[:reached]}
        if reached < len(order):
            marks[order[reached]] = CellMark(Sign.HEAD, STRENGTHS, self._colour)
        return marks

    def _options(self, shown: int, glow: int) -> Mapping[int, CellMark]:
        """The marks of the numbers of options, or of the digits that inference writes, with the
        strength of all numbers and the glow of the best ones."""
        best_ink = mix(self._muted, self._colour, glow / STRENGTHS)
        marks, forced = {}, dict(self._rule.forced)
        for cell, count in self._rule.options:
            if cell in forced:
                # Its number of options would look as if its digit were not forced.
                number = forced[cell] | glow << 8
                marks[cell] = CellMark(Sign.FORCED, shown, self._colour, number)
                continue
            best = cell in self._rule.best and glow > 0
            ink = best_ink if best else self._muted
            marks[cell] = CellMark(Sign.NUMBER, shown, ink, count | (glow << 8 if best else 0))
        return marks
