"""The counters that a film can show of a search, each declared once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from undoku.errors import SettingsError, did_you_mean
from undoku.solver.search.strategy import Strategy
from undoku.texts import wording as say


class CounterKind(NamedTuple):
    """A counter: `name` is its name in `--counters`, `label` the text above its number, `usual` a
    text of the usual length of the number, `sentence` its description in lists."""

    name: str
    label: say.Text
    usual: str
    sentence: str


COUNTERS = (
    CounterKind("steps", say.COUNTER_STEPS, "888,888", "Digits written or taken back."),
    CounterKind("taken-back", say.COUNTER_TAKEN_BACK, "888,888", "Digits taken back: the undos."),
    CounterKind(
        "forced",
        say.COUNTER_FORCED,
        "888,888",
        "Digits written into a cell without another option.",
    ),
    CounterKind(
        "guessed", say.COUNTER_GUESSED, "888,888", "Digits written into a cell with other options."
    ),
    CounterKind("solutions", say.COUNTER_SOLUTIONS, "8,888", "Solutions found."),
    CounterKind("depth", say.COUNTER_DEPTH, "88", "Decisions of the search that stand."),
    CounterKind(
        "dead-ends",
        say.COUNTER_DEAD_ENDS,
        "888,888",
        "Decisions taken back before a further one was made.",
    ),
    CounterKind(
        "backtracks",
        say.COUNTER_BACKTRACKS,
        "888,888",
        "Decisions taken back after all below them had failed.",
    ),
    CounterKind("restarts", say.COUNTER_RESTARTS, "888", "How often the search began again."),
    CounterKind(
        "nogoods", say.COUNTER_NOGOODS, "88,888", "Nogoods recorded: what failed together."
    ),
    CounterKind("probes", say.COUNTER_PROBES, "88,888", "Candidates put into a cell for a probe."),
    CounterKind(
        "branching",
        say.COUNTER_BRANCHING,
        "8.88",
        "Decisions per node that has any below it.",
    ),
)
"""All of them. `undoku.render.panels.counters` has their values."""

_USUAL = ("steps", "taken-back")


def usual_counters(
    *, exhaustive: bool, strategies: Iterable[Strategy | None] = ()
) -> tuple[str, ...]:
    """The default counters of a film: with an `exhaustive` search also solutions, with `strategies`
    that restart, learn or probe also the counts of these."""
    found = [*_USUAL, *["solutions"] * exhaustive]
    known = [strategy for strategy in strategies if strategy]
    if any(strategy.restart for strategy in known):
        found.append("restarts")
    if any(strategy.back == "nogoods" for strategy in known):
        found.append("nogoods")
    if any("sac" in (*strategy.inference, *strategy.presolve) for strategy in known):
        found.append("probes")
    return tuple(found)


def counter_kinds(names: Sequence[str]) -> tuple[CounterKind, ...]:
    """The counters of these names in their order, each once. Raises SettingsError for an unknown
    one."""
    known = {kind.name: kind for kind in COUNTERS}
    for name in names:
        if name not in known:
            raise SettingsError(
                f"there is no counter {name!r}",
                remedy=did_you_mean(name, known, f"known: {', '.join(known)}"),
            )
    return tuple(known[name] for name in dict.fromkeys(names))
