"""The timeline of a film, and its layouts: that of its first picture, and those of its acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from undoku.render.film.acts import Act
from undoku.render.layout.page import Layout, arrange
from undoku.render.layout.panel_kind import PanelKind, ShownWhen
from undoku.render.layout.solo_layouts import SoloLayouts, shows_solo, solo_layouts
from undoku.render.layout.spotlight import spotlight
from undoku.render.panels.legend import legend_texts
from undoku.render.panels.panel import Script
from undoku.render.settings.settings import FilmSettings
from undoku.render.story.claims import Claim
from undoku.render.story.highlights import slowed, windows
from undoku.render.story.narration import Narration
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.pace import PaceKind
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.solo_sequence import SoloSpan, first_solo, solo_spans
from undoku.render.timeline.storyboard import story_timeline
from undoku.render.timeline.timeline import Timeline
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header, Outcome, Tally
from undoku.texts.counter_kinds import counter_kinds, usual_counters


def film_timeline(
    settings: FilmSettings,
    tallies: Sequence[Tally],
    *,
    rules: bool,
    narration: Narration | None,
    solo: bool,
    highlights: tuple[Claim, ...],
) -> Timeline:
    """The timeline of a film of searches with these counts.

    A story shows `rules` before its first step, stops for the sentences of its `narration`, None if
    there is no room for them, and shows two searches `solo`, one after the other. A film of even
    pace slows down at `highlights`."""
    totals = [tally.steps for tally in tallies]
    if settings.pace.story and any(totals):
        second = 1 - first_solo(totals) if solo else None
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
            solo=solo,
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


_MAX_DESCRIBED = 3
"""Searches each of which has its own sentences below its board: more cannot be read at once,
and narrow boards have no room for long sentences."""


def film_layout(
    settings: FilmSettings,
    headers: Sequence[Header],
    panels: tuple[PanelKind, ...],
    *,
    titled: bool,
) -> Layout:
    """The layout of the first picture of a film of these searches, with those of `panels` for which
    there is room. A story has a line for the sentences about all searches if these are many, or if
    there is no room for sentences below each board. Raises SettingsError for unknown counters, and
    if the boards do not fit."""
    story = settings.pace.story
    place = partial(
        arrange,
        settings.width,
        settings.height,
        len(headers),
        _largest_side(headers),
        title=titled,
        legend=settings.heat == "overlay",
        legend_texts=legend_texts(headers) if story else (),
        counters=counter_kinds(
            settings.counters
            or usual_counters(
                exhaustive=any(header.exhaustive for header in headers),
                strategies=[Strategy.known(header.strategy) for header in headers],
            )
        ),
        margins=settings.margins,
    )
    others = [kind for kind in panels if kind.shown is not ShownWhen.IN_STORIES]
    says = story and len(others) < len(panels)
    if says and not settings.panels and len(headers) > _MAX_DESCRIBED:
        return place(panels=others, sentence=True)
    layout = place(panels=panels)
    below_boards = any(kind.shown is ShownWhen.IN_STORIES for kind in layout.panels)
    return place(panels=others, sentence=True) if says and not below_boards else layout


def film_solo(layout: Layout, headers: Sequence[Header]) -> tuple[SoloLayouts, ...]:
    """The layouts in which each of two searches is large; () if they do not take turns."""
    return solo_layouts(layout, _largest_side(headers)) if shows_solo(layout) else ()


def acts_of(script: Script, solo: tuple[SoloLayouts, ...], *, kept: bool) -> tuple[Act, ...]:
    """The acts of a film: one for each turn; otherwise the first layout, followed in a story in
    which one search continues alone by one with a large board, unless the layout is `kept`."""
    timeline = script.timeline
    beat = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
    if solo and timeline.beats:
        return _solo_sequence(script, solo)
    if beat is None or kept:
        return (Act(script),)
    last = timeline.totals.index(timeline.longest)
    layout = spotlight(script.layout, _largest_side(script.headers), last)
    if layout is None:
        return (Act(script),)
    return Act(script), Act.of_beat(replace(script, layout=layout), beat)


def _solo_sequence(script: Script, solo: Sequence[SoloLayouts]) -> tuple[Act, ...]:
    """One act for each span in which a search is large (`undoku.render.timeline.solo_sequence`). A
    search that continues alone has the chart of both below its board."""

    def of(span: SoloSpan) -> Script:
        turn = solo[span.search]
        if span.beat.kind is BeatKind.SPOTLIGHT:
            return replace(script, layout=turn.alone)
        # Only the large board shows its rule.
        rules = tuple(
            rule if number == span.search else None for number, rule in enumerate(script.rules)
        )
        return replace(script, layout=turn.large, rules=rules)

    first, *later = solo_spans(script.timeline)
    return Act(of(first)), *(Act.of_beat(of(span), span.beat) for span in later)


def _largest_side(headers: Sequence[Header]) -> int:
    """The side of the largest board in cells."""
    return max(header.puzzle.geometry.side for header in headers)
