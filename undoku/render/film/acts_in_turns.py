"""The acts of a story in which two searches take turns to be large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from undoku.render.film.acts import Act
from undoku.render.layout.turns import Turn
from undoku.render.panels.panel import Script
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.turn_order import TurnSpan, turn_spans

__all__ = ["acts_in_turns"]


def acts_in_turns(script: Script, turns: Sequence[Turn]) -> tuple[Act, ...]:
    """One act for each span in which a search is large (`undoku.render.timeline.turn_order`). A
    search that continues alone has the chart of both below its board."""

    def of(span: TurnSpan) -> Script:
        turn = turns[span.search]
        if span.beat.kind is BeatKind.SPOTLIGHT:
            return replace(script, layout=turn.alone)
        # Only the large board shows its rule.
        rules = tuple(
            rule if number == span.search else None for number, rule in enumerate(script.rules)
        )
        return replace(script, layout=turn.large, rules=rules)

    first, *later = turn_spans(script.timeline)
    return Act(of(first)), *(Act.of_beat(of(span), span.beat) for span in later)
