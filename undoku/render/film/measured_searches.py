"""Measurements of searches, shared by all films that show them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from undoku.render.playback.survey import Survey, survey
from undoku.render.story.claims import Claim
from undoku.render.story.first_moves import first_moves, only_solution
from undoku.render.story.highlights import find_highlights
from undoku.render.story.narration import Narration
from undoku.solver.trace.trace import Tally, Trace


class MeasuredSearches:
    """Traces and their measurements, each made on first use."""

    def __init__(self, traces: Sequence[Trace]) -> None:
        self.traces = tuple(traces)

    @cached_property
    def surveys(self) -> tuple[Survey, ...]:
        """The surveys of the whole searches: each runs once, without being stored."""
        return tuple(survey(trace) for trace in self.traces)

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """The searches' counts."""
        return tuple(trace.tally() for trace in self.traces)

    @cached_property
    def highlights(self) -> tuple[Claim, ...]:
        """The turning points of the searches."""
        return tuple(find_highlights(self.traces))

    @cached_property
    def narration(self) -> Narration:
        """The narration of a story about the searches."""
        solutions = {
            puzzle: only_solution(puzzle)
            for puzzle in {trace.header.puzzle: None for trace in self.traces}
        }
        moves = [first_moves(trace, solutions[trace.header.puzzle]) for trace in self.traces]
        return Narration(self.traces, moves, self.tallies)
