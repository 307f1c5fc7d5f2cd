"""The searches of a film as plain objects for a page: boards, names, outcomes, reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from undoku.errors import SettingsError
from undoku.player.packed_searches import MAX_STEPS, PackedSearch, pack_searches, read_events
from undoku.render.draw.look import Look
from undoku.render.film.film import Film
from undoku.render.panels.verdict import status_texts, verdict_of
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_UNDO
from undoku.solver.trace.trace import Events, Outcome, Tally, Trace

__all__ = ["boards_content", "searches_content", "verdict_content"]


def searches_content(film: Film) -> tuple[list[dict[str, Any]], bytes]:
    """The searches, and their events packed by `undoku.player.packed_searches`. Raises
    SettingsError if there are too many for a page."""
    timeline = film.timeline
    shown = timeline.steps_at(timeline.race)
    if sum(shown) > MAX_STEPS:
        raise SettingsError(
            f"the searches have {sum(shown):,} steps, and a page holds {MAX_STEPS:,}",
            remedy="make a film of them (-o film.mp4), show a part of them "
            f"(--to-step {MAX_STEPS // len(shown)}), or stop them earlier with --max-nodes",
        )
    with film.typesetting.within():
        statuses = [
            status_texts(_Ended(tally, trace.cut))[0]
            for tally, trace in zip(film.tallies, film.traces, strict=True)
        ]
    events = [read_events(trace, steps) for trace, steps in zip(film.traces, shown, strict=True)]
    cells = [header.puzzle.geometry.cells for header in film.headers]
    packed, block = pack_searches(events, cells)
    puzzles = _puzzles(film)
    found = []
    for number, header in enumerate(film.headers):
        tally = film.tallies[number]
        found.append(
            {
                "label": header.label,
                "spec": header.strategy if header.strategy != header.label else "",
                "board": puzzles.index(header.puzzle),
                "steps": tally.steps,
                "undos": tally.undos,
                "dead_ends": tally.dead_ends,
                "nodes": tally.nodes,
                "deepest": tally.max_depth,
                "outcome": tally.outcome.value,
                "exhaustive": header.exhaustive,
                "status": statuses[number],
                "reasons": _reasons(film.traces[number], events[number]),
                **_unpacking(packed[number]),
            }
        )
    return found, block


@dataclass(frozen=True, slots=True)
class _Ended:
    """A finished search (`undoku.render.panels.verdict.SearchStatus`)."""

    tally: Tally
    cut: bool

    @property
    def outcome(self) -> Outcome:
        return self.tally.outcome

    @property
    def total(self) -> int:
        return self.tally.steps

    @property
    def solutions(self) -> int:
        return self.tally.solutions


def _unpacking(packed: PackedSearch) -> dict[str, Any]:
    return {
        "events": packed.events,
        "undoCells": packed.undo_cells,
        "restoreCells": packed.restore_cells,
    }


def _reasons(trace: Trace, events: Events) -> dict[str, Any] | None:
    """The reasons in a trace: the different ones, and for each step with a reason the number of the
    step, as the difference from the previous one, and the number of the reason."""
    if not len(trace.reasons):
        return None
    step_of = np.cumsum(events["op"] <= OP_UNDO)
    kinds: dict[tuple[str, str], int] = {}
    steps, numbers, before = [], [], 0
    for event, reason in trace.reasons.between(0, len(events)):
        if events["op"][event] > OP_UNDO:
            continue
        steps.append(int(step_of[event]) - before)
        before = int(step_of[event])
        numbers.append(kinds.setdefault((reason.rule, reason.unit), len(kinds)))
    return {"kinds": [list(kind) for kind in kinds], "steps": steps, "numbers": numbers}


def _puzzles(film: Film) -> list[Puzzle]:
    return list(dict.fromkeys(header.puzzle for header in film.headers))


def boards_content(film: Film) -> list[dict[str, Any]]:
    """The puzzles of the searches, each once."""
    return [_board(puzzle) for puzzle in _puzzles(film)]


def _board(puzzle: Puzzle) -> dict[str, Any]:
    return Look(puzzle.geometry).content(str(puzzle))


def verdict_content(labels: Sequence[str], film: Film) -> dict[str, str]:
    """The result of the searches, in words."""
    verdict = verdict_of(labels, film.tallies, [header.strategy for header in film.headers])
    return asdict(verdict)
