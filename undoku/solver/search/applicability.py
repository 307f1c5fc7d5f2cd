"""Which parts of a strategy change nothing on a problem, and why."""

from __future__ import annotations

from collections.abc import Mapping

from undoku.solver.problem.problem import Problem, tables_of
from undoku.solver.search.strategy import Strategy


def idle_parts(problem: Problem, strategy: Strategy) -> Mapping[str, str]:
    """The rules of a strategy that find nothing on a problem, whatever its givens, and box-major
    without boxes, each with the reason."""
    tables = tables_of(problem)
    sets = [len(unit.cells) for unit in problem.units if not unit.shifts]
    no_boxes = "" if problem.region_of.max() >= 0 else "there are no boxes"
    no_complete = "" if problem.size in sets else "no set of variables must have every value"
    no_crossing = "" if len(tables.crossings) else "no two sets of variables share two of them"
    no_lines = "" if tables.lines else "there are no rows and columns that must have every value"
    small = "" if max(sets, default=0) > 2 else "no set has more than two variables"
    shifted = (
        "some variables exclude other values than their own"
        if any(unit.shifts for unit in problem.units)
        else ""
    )
    reasons = {
        "box-major": no_boxes,
        "hidden-singles": no_complete,
        "locked": no_complete or no_crossing,
        "pairs": small,
        "triples": small,
        "alldiff": small,
        "x-wing": no_lines,
        "swordfish": no_lines,
        "xy-wing": shifted,
    }
    named = (strategy.cells, *strategy.inference, *strategy.presolve)
    return {name: reasons[name] for name in named if reasons.get(name)}
