"""The acts of a story in which two searches take turns to be large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from render.layout.turns import Turn
from render.panels.script import Script
from render.scene.acts import Act
from render.timing.beats import BeatKind, first_beat

__all__ = ["acts_in_turns"]


def acts_in_turns(script: Script, turns: Sequence[Turn]) -> tuple[Act, ...]:
    """One act for each turn. The longest search is large in the slow passage, which explains its
    first wrong values, and at the end, where it continues alone; the other one is large
    while its rule is shown before, and from the acceleration on until it ends."""
    timeline = script.timeline
    longest = timeline.totals.index(timeline.longest)

    def of(number: int) -> Script:
        shown = replace(script, layout=turns[number].large)
        if any(beat.start < timeline.intro for beat in beats) and script.rules:
            # Each search shows its rule in its turn.
            rules = tuple(rule if at == number else None for at, rule in enumerate(script.rules))
            return replace(shown, rules=rules)
        return shown

    beats = [beat for beat in timeline.beats if beat.kind is BeatKind.TURN]
    acts = [Act(of(longest))]
    for beat in beats:
        if beat.start < timeline.intro:
            acts = [Act(of(1 - longest)), Act.of_beat(of(longest), beat)]
        else:
            acts.append(Act.of_beat(of(1 - longest), beat))
    spotlight = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
    if spotlight:
        alone = replace(script, layout=turns[longest].alone)
        acts.append(Act.of_beat(alone, spotlight))
    return tuple(acts)
