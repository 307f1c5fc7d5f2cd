"""The searches of a film as plain objects for a page, and their events packed.

The block is the events of the searches one after the other; of each search first the `op` of every
event (uint8), then the cells, in the order of the events (uint8, or uint16 little-endian on boards
of more than 256 cells), then the values (uint8). Only events that need them have a cell and a
value: an undo of the latest place has neither, nor has a restoration of the latest elimination. If
an undo (or restoration) of a search concerns another event, all undos (or restorations) of the
search have their cells, and restorations their values. The block is deflated with a checksum (RFC
1950), which browsers call "deflate".
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.render.draw.look import Look
from undoku.render.film.film import Film
from undoku.render.playback.search_texts import status_texts
from undoku.render.playback.verdict import verdict_of
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED, OP_GUESS, OP_RESTORE, OP_UNDO
from undoku.solver.trace.steps import StepReader, steps_of
from undoku.solver.trace.trace import EVENT, Events, Trace


def searches_content(film: Film) -> tuple[list[dict[str, Any]], bytes]:
    """The searches, and their events packed by `undoku.player.search_content`. Raises
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
    return [Look(puzzle.geometry).content(str(puzzle)) for puzzle in _puzzles(film)]


def verdict_content(film: Film) -> dict[str, str]:
    """The result of the searches, in words."""
    verdict = verdict_of(film.headers, film.tallies)
    return {
        "headline": verdict.headline,
        "sentence": verdict.sentence,
        "reason": " ".join(filter(None, (verdict.reason, verdict.proof))),
    }


MAX_STEPS = 1_000_000
"""The maximum number of steps of all searches of a page."""

MAX_EVENTS = 16_000_000
"""The maximum number of events of all searches of a page, also eliminations and restorations."""

_BYTE = 256


def read_events(trace: Trace, steps: int, room: int = MAX_EVENTS) -> Events:
    """The events of a search up to step `steps`, and the inference after it. Raises SettingsError
    if there are more than `room`."""
    kept: list[Events] = []
    held = 0
    for rows in steps_of(trace):
        left = min(steps - rows.first, len(rows.cells))
        part = rows.events[: rows.starts[left]].view(EVENT)
        held += len(part)
        if held > room:
            raise SettingsError(
                f"the searches have more than {MAX_EVENTS:,} events, too many for a page",
                remedy="make a film of them, or stop them earlier with --max-nodes",
            )
        kept.append(part.copy())
        if len(part) < len(rows.events):
            break
    return np.concatenate(kept) if kept else np.empty(0, EVENT)


def pack_searches(
    searches: Sequence[Events], cells: Sequence[int]
) -> tuple[list[dict[str, int]], bytes]:
    """The deflated events of searches on boards with a number of cells, and the information for
    unpacking each: its number of `events`, and whether its undos and restorations have cells."""
    found, pieces = [], []
    for events, count in zip(searches, cells, strict=True):
        ops = events["op"]
        undo_cells = not _latest_first(events, (OP_GUESS, OP_FORCED), OP_UNDO)
        restore_cells = not _latest_first(events, (OP_ELIMINATE,), OP_RESTORE)
        placed = (ops != OP_UNDO) & (ops != OP_RESTORE)
        has_value = placed | ((ops == OP_RESTORE) & restore_cells)
        has_cell = has_value | ((ops == OP_UNDO) & undo_cells)
        kind = "<u2" if count > _BYTE else "u1"
        pieces += [
            ops.tobytes(),
            events["cell"][has_cell].astype(kind).tobytes(),
            events["value"][has_value].tobytes(),
        ]
        found.append(
            {"events": len(events), "undoCells": undo_cells, "restoreCells": restore_cells}
        )
    return found, zlib.compress(b"".join(pieces), 9)


def _latest_first(events: Events, opening: Sequence[int], closing: int) -> bool:
    """Whether each `closing` event reverses the latest `opening` one that has not been reversed."""
    opens = np.isin(events["op"], opening)
    paired = events[opens | (events["op"] == closing)]
    opens = np.isin(paired["op"], opening)
    # An opening event and the one that reverses it have the same level.
    level = np.cumsum(np.where(opens, 1, -1)) + ~opens
    if not len(paired) or level.min() < 1:
        return not len(paired)
    order: NDArray[np.int64] = np.argsort(level, kind="stable")
    closes = np.flatnonzero(~opens[order])
    first, last = paired[order[closes - 1]], paired[order[closes]]
    same = (first["cell"] == last["cell"]) & (first["value"] == last["value"])
    return bool(same.all())
