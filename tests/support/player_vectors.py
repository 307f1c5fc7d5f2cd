"""Test vectors of the player: what Python says of searches at some of their steps, and of timelines
on some of their frames, which the player's script must say too.

python -m tests.support.player_vectors writes them to tests/player/vectors.json.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from undoku import Limits, Puzzle, search
from undoku.player.page_content import page_content
from undoku.render.draw.cell_look import CellKind, CellLook, packed
from undoku.render.film.film import Film
from undoku.render.panels.board_looks import warmth
from undoku.render.panels.counters import counts
from undoku.render.playback.code_lines import LineRole, running, runs_of
from undoku.render.playback.player import Player, Snapshot
from undoku.render.playback.step_reasons import candidates, reason
from undoku.render.settings.settings import settings_of
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import read
from undoku.solver.search.ops import OP_ELIMINATE, OP_PROBE, OP_RESTORE, OP_UNDO
from undoku.solver.trace.reasons import Reason, Reasons
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.state import GUESS
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Header, Op, Trace

ROOT = Path(__file__).parents[2]
PATH = ROOT / "tests" / "player" / "vectors.json"
PUZZLES, PROBLEMS = ROOT / "examples" / "puzzles", ROOT / "examples" / "problems"

_STEPS = 14
"""Steps that are looked at of each search."""

_FRAMES = 24

_STOOD = 60
"""Cells of fast passages."""


def vectors() -> dict[str, Any]:
    """All vectors; the same at each call."""
    return {"films": [_film(film) for film in _films()], "warmths": list(_warmths())}


def _warmths() -> Iterator[tuple[list[int], int, int]]:
    """The steps of each value in a cell, the warmth of the cell before, and after."""
    dice = random.Random(5)
    for _ in range(_STOOD):
        stood = [dice.choice((0, 0, 1, 5, dice.randrange(400))) for _ in range(10)]
        heat = dice.randrange(4)
        before = packed(CellLook(CellKind.GHOST, heat=heat) if heat else CellLook(CellKind.EMPTY))
        yield stood, heat, warmth(np.array(stood, np.int64), before)


def _films() -> Iterator[Film]:
    def found(name: str, strategies: Sequence[str], limits: Limits, **given: Any) -> Film:
        puzzle = read(str(PUZZLES / f"{name}.txt"))
        traces = [search(puzzle, strategy, limits) for strategy in strategies]
        return Film(traces, settings_of(given))

    free = Limits()
    yield found("medium", ["row-major", "mrv"], free)
    yield found("six", ["mrv+singles", "row-major"], free, texts="he", duration="5s")
    yield found("hard", ["mrv+locked+pairs"], free, texts="de", steps_per_second="7")
    yield found("jigsaw", ["mrv+singles", "random:3"], Limits(800), clock="finish", duration="4s")
    yield found("sixteen", ["mrv"], Limits(400), ramp=True, duration="6s")
    yield found("diagonals", ["mrv", "row-major"], Limits(9000), duration="7s", highlights=True)
    many = Puzzle((1,) + (0,) * 15, standard_geometry(4))
    exhaustive = Limits(max_nodes=300, exhaustive=True)
    yield Film([search(many, "mrv", exhaustive)], settings_of({"duration": "3s"}))
    yield Film([_any_order(), _reasoned()], settings_of({"duration": "2s"}))
    for name, rule in (
        ("queens:6", "singles"),
        ("map:australia", "naked-singles"),
        (f"graph:{PROBLEMS / 'house.col'}:3", "naked-singles"),
        (str(PROBLEMS / "masts.json"), "naked-singles"),
        (str(PROBLEMS / "zebra.toml"), "singles"),
    ):
        strategies = "row-major", f"mrv+{rule}"
        traces = [search(read(name), strategy, exhaustive) for strategy in strategies]
        yield Film(traces, settings_of({"duration": "2s"}))
    yield Film([_free()], settings_of({"duration": "1s"}))
    drawing = "mrv-random:3/shuffled:4+nogoods+luby:1"
    yield found("hard", [drawing, "mrv+sac"], Limits(90), duration="2s")


def _any_order() -> Trace:
    """A trace that takes back what it likes, and returns candidates in the order of their going."""
    header = Header(Puzzle((0,) * 16, standard_geometry(4)), title="any order")
    return MemoryTrace(header, [
        (Op.GUESS, 1, 0), (Op.ELIMINATE, 3, 5), (Op.ELIMINATE, 4, 5), (Op.GUESS, 2, 1),
        (Op.UNDO, 1, 0), (Op.RESTORE, 3, 5), (Op.GUESS, 3, 0), (Op.RESTORE, 4, 5),
        (Op.UNDO, 2, 1), (Op.UNDO, 3, 0), (Op.FORCED, 4, 15), (Op.UNDO, 4, 15),
    ])  # fmt: skip


def _free() -> Trace:
    """A trace of a puzzle without rules."""
    header = '{"undoku":3,"rows":2,"columns":2,"values":2}'
    events = '["place",0,1]', '["place",2,2]', '["undo",2]', '["place",1,2,"forced"]'
    return StreamTrace(io.BytesIO("\n".join((header, *events, "")).encode()))


def _reasoned() -> Trace:
    """A trace that gives reasons for its steps."""
    header = Header(Puzzle((0,) * 16, standard_geometry(4)), title="reasoned")
    trace = MemoryTrace(header, [
        (Op.GUESS, 1, 0), (Op.FORCED, 2, 1), (Op.ELIMINATE, 3, 5), (Op.FORCED, 3, 2),
        (Op.FORCED, 4, 3), (Op.GUESS, 3, 4), (Op.FORCED, 4, 5),
    ])  # fmt: skip
    trace.reasons = Reasons()
    for event, given in (
        (1, Reason("Hidden singles", "Row 1")),
        (3, Reason("naked single")),
        (4, Reason("X-Wing", "somewhere")),
        (5, Reason("coin toss")),
        (6, Reason("X-Wing", "row 2")),
    ):
        trace.reasons.add(event, given)
    return trace


def _film(film: Film) -> dict[str, Any]:
    content = page_content(film)
    content = {
        name: content[name] for name in ("boards", "searches", "timeline", "texts", "events")
    }
    wordings = content["texts"]["wordings"]
    message = {key: wordings[key] for key in sorted(wordings) if key.startswith(("step-", "unit-"))}
    content["texts"]["wordings"] = message | {key: wordings[key] for key in ("cell", "list-middle")}
    dice = random.Random(len(film.title) + film.timeline.frames)
    with film.typesetting.within():
        searches = [_search(trace, dice) for trace in film.traces]
    return {"content": content, "searches": searches, "frames": _frames(film, dice)}


def _search(trace: Trace, dice: random.Random) -> list[dict[str, Any]]:
    total = trace.tally().steps
    steps = sorted({0, total, *(dice.randint(0, total) for _ in range(_STEPS))})
    player, puzzle = Player(trace), trace.header.puzzle
    events = trace.read()
    found = []
    for step in steps:
        before = player.advance(max(0, step - 1)).dead_ends if step else 0
        state = player.advance(step)
        removed, tries, changed = _plain(events, step, puzzle.problem.cells)
        cell = dice.randrange(puzzle.problem.cells)
        found.append(
            {
                "step": step,
                "board": str(Puzzle(tuple(state.board.tolist()), puzzle.problem))
                if not state.conflicts()
                else "",
                "undos": state.undos,
                "depth": state.depth,
                "decisions": state.decisions,
                "forced": state.forced,
                "guessed": state.guessed,
                "deadEnds": state.dead_ends,
                "backtracks": state.backtracks,
                "guessedHere": int(np.count_nonzero(state.arrays.kinds == GUESS)),
                "solutions": state.solutions,
                "restarts": state.restarts,
                "nogoods": state.nogoods,
                "probes": state.probes if step else _probes_at_start(events),
                "branching": _branching(state),
                "code": _code(state, before, steps=step),
                "cell": cell,
                "candidates": candidates(puzzle, state.board, cell, removed),
                "removed": int(removed[cell]),
                "tries": tries[cell],
                "changed": changed[cell],
                "why": reason(puzzle, state, state.given),
            }
        )
    return found


def _probes_at_start(events: Any) -> int:
    """The probes before the first step, which a player has seen when it stands there."""
    steps = np.flatnonzero(events["op"] <= OP_UNDO)
    first = int(steps[0]) if len(steps) else len(events)
    return int((events["op"][:first] == OP_PROBE).sum())


def _branching(state: Snapshot) -> int:
    """Guesses per node that has any below it, in hundredths."""
    return int(counts("branching", state.registers[None]).item())


def _code(state: Snapshot, dead_ends: int, *, steps: int) -> dict[str, Any]:
    """Which line of its code a search runs, and how often each has run; nothing of the line before
    the first step."""
    apart = {
        role.value: runs
        for role in LineRole
        if (runs := runs_of(role, state, forced_apart=True)) is not None
    }
    return {"line": running(state, dead_ends).value if steps else "node", "runs": apart}


def _plain(events: Any, steps: int, cells: int) -> tuple[Any, list[int], list[int]]:
    """What inference has removed of each cell after so many steps, how often each was tried, and
    the last step that touched it: event by event."""
    removed, tries, changed = np.zeros(cells, np.uint32), [0] * cells, [0] * cells
    done = 0
    for op, value, cell in events.tolist():
        if op == OP_ELIMINATE:
            removed[cell] |= np.uint32(1 << (value - 1))
        elif op == OP_RESTORE:
            removed[cell] &= ~np.uint32(1 << (value - 1))
        elif op <= OP_UNDO:
            if done == steps:
                break
            done += 1
            changed[cell] = done
            tries[cell] += op != OP_UNDO
    return removed, tries, changed


def _frames(film: Film, dice: random.Random) -> list[dict[str, Any]]:
    timeline = film.timeline
    frames = {0, timeline.intro, timeline.frames - 1}
    frames |= {dice.randrange(timeline.frames) for _ in range(_FRAMES)}
    return [
        {
            "frame": frame,
            "steps": list(timeline.shot_at(frame).steps),
            "beat": beat.kind.value if (beat := timeline.beat_at(frame)) else "",
            "speed": float(_rounded(timeline.speed_at(frame))),
        }
        for frame in sorted(frames)
    ]


def _rounded(speed: Fraction) -> Fraction:
    return Fraction(round(speed * 10**6), 10**6)


def written() -> str:
    """The vectors as the file holds them."""
    return json.dumps(vectors(), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
