"""The timeline of a story."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.clock import PaceKind
from undoku.render.timeline.storyboard import plan_storyboard
from undoku.render.timeline.timeline import Pace, Timeline

__all__ = ["story_timeline"]


def story_timeline(
    totals: Sequence[int],
    fps: Fraction,
    pace: Pace,
    *,
    rules: bool,
    stops: Sequence[int],
    found: Sequence[int] = (),
    opening: Fraction | None = None,
    hold: Fraction | None = None,
    card: Fraction | None = None,
    turns: bool = False,
    last_steps: bool = True,
) -> Timeline:
    """The timeline of a storyboard for searches of `totals` steps, at least one of which has steps.
    `undoku.render.timeline.storyboard.plan_storyboard` describes the other arguments."""
    board = plan_storyboard(
        totals,
        fps,
        pace.duration,
        rules=rules,
        stops=stops,
        found=found,
        opening=opening,
        hold=hold,
        card=card,
        short=pace.kind is PaceKind.SHORT,
        turns=turns,
        last_steps=last_steps,
    )
    return Timeline(
        fps,
        tuple(totals),
        board.before,
        sum(stretch.frames for stretch in board.stretches),
        0,
        board.frames_of(BeatKind.CARD),
        last=max(totals),
        stretches=board.stretches,
        beats=board.beats,
    )
