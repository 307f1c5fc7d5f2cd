"""The timeline of a film: that of a story, of cues, or of an even pace."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from undoku.render.settings.settings import FilmSettings
from undoku.render.story.highlight_timing import slowed, windows
from undoku.render.story.highlights import Highlight
from undoku.render.story.narration import Narration
from undoku.render.timeline.clock import PaceKind
from undoku.render.timeline.even_timeline import plan
from undoku.render.timeline.story_timeline import story_timeline
from undoku.render.timeline.timeline import Timeline
from undoku.render.timeline.turn_order import first_of
from undoku.solver.trace.trace import Outcome, Tally

__all__ = ["film_timeline"]


def film_timeline(
    settings: FilmSettings,
    tallies: Sequence[Tally],
    *,
    rules: bool,
    narration: Narration | None,
    turns: bool,
    highlights: tuple[Highlight, ...],
) -> Timeline:
    """The timeline of a film of searches with these counts.

    A story shows `rules` before its first step, stops for the sentences of its `narration`, None if
    there is no room for them, and lets searches take `turns`. A film of even pace slows down at
    `highlights`.
    """
    totals = [tally.steps for tally in tallies]
    if settings.pace.story and any(totals):
        second = 1 - first_of(totals) if turns else None
        # In a short story there is no time for stops.
        stopping = settings.pace.kind is not PaceKind.SHORT
        return story_timeline(
            totals,
            settings.fps,
            settings.pace,
            rules=rules or (narration is not None and narration.describes),
            stops=narration.stops(second) if narration and stopping else (),
            found=narration.found if narration else (),
            opening=settings.intro,
            hold=settings.hold,
            card=settings.card,
            # A search for all solutions takes everything back in its last steps.
            last_steps=max(tallies, key=_steps).outcome is not Outcome.EXHAUSTED,
            turns=turns,
        )
    if settings.pace.cues:
        from undoku.render.timeline.cue_timeline import cue_timeline

        return cue_timeline(
            totals,
            settings.fps,
            settings.pace,
            clock=settings.clock,
            intro=settings.intro,
            hold=settings.hold,
            card=settings.card,
            title=settings.title_card or Fraction(0),
        )
    planned = plan(
        totals,
        settings.fps,
        settings.pace,
        clock=settings.clock,
        seconds=[Fraction(round(tally.seconds * 10**9), 10**9) for tally in tallies],
        intro=settings.intro,
        hold=settings.hold,
        card=settings.card,
        title=settings.title_card or Fraction(0),
    )
    return slowed(planned, windows(planned, highlights))


def _steps(tally: Tally) -> int:
    return tally.steps
