"""The searches of a film as plain objects for a page, and their events packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from undoku.errors import SettingsError
from undoku.render.draw.look import Look
from undoku.render.film.film import Film
from undoku.render.playback.search_texts import status_texts
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.packing import pack_searches
from undoku.solver.trace.steps import StepReader, steps_of
from undoku.solver.trace.trace import EVENT, Events, Trace


def searches_content(film: Film) -> tuple[list[dict[str, Any]], bytes]:
    """The searches, and their events packed by `undoku.solver.trace.packing`. Raises
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
            status_texts(tally.outcome, tally.steps, tally.solutions, cut=trace.cut)[0]
            for tally, trace in zip(film.tallies, film.traces, strict=True)
        ]
    events = [read_events(trace, steps) for trace, steps in zip(film.traces, shown, strict=True)]
    cells = [header.puzzle.problem.cells for header in film.headers]
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
                **packed[number],
            }
        )
    return found, block


def _reasons(trace: Trace, events: Events) -> dict[str, Any] | None:
    """The reasons in a trace: the different ones, and for each step with a reason the number of the
    step, as the difference from the previous one, and the number of the reason."""
    if not len(trace.reasons):
        return None
    starts = StepReader(trace.header.puzzle).read(events).starts[:-1].tolist()
    step_of = {event: step for step, event in enumerate(starts, 1)}
    kinds: dict[tuple[str, str], int] = {}
    steps, numbers, before = [], [], 0
    for event, reason in trace.reasons.between(0, len(events)):
        if event not in step_of:
            continue
        steps.append(step_of[event] - before)
        before = step_of[event]
        numbers.append(kinds.setdefault((reason.rule, reason.unit), len(kinds)))
    return {"kinds": [list(kind) for kind in kinds], "steps": steps, "numbers": numbers}


def _puzzles(film: Film) -> list[Puzzle]:
    return list(dict.fromkeys(header.puzzle for header in film.headers))


def boards_content(film: Film) -> list[dict[str, Any]]:
    """The puzzles of the searches, each once."""
    return [Look(puzzle.problem).content(puzzle.givens) for puzzle in _puzzles(film)]


MAX_STEPS = 1_000_000
"""The maximum number of steps of all searches of a page."""

MAX_EVENTS = 16_000_000
"""The maximum number of events of all searches of a page, also eliminations and restorations."""


def read_events(trace: Trace, steps: int) -> Events:
    """The events of a search up to step `steps`, and the inference after it. Raises SettingsError
    if there are more than MAX_EVENTS."""
    kept: list[Events] = []
    held = 0
    for rows in steps_of(trace):
        left = min(steps - rows.first, len(rows.cells))
        part = rows.events[: rows.starts[left]].view(EVENT)
        held += len(part)
        if held > MAX_EVENTS:
            raise SettingsError(
                f"the searches have more than {MAX_EVENTS:,} events, too many for a page",
                remedy="make a film of them, or stop them earlier with --max-nodes",
            )
        kept.append(part.copy())
        if len(part) < len(rows.events):
            break
    return np.concatenate(kept) if kept else np.empty(0, EVENT)
