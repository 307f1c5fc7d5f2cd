"""The timeline of a film, its layouts, and its acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from undoku.render.draw.look import Look
from undoku.render.film.acts import Act
from undoku.render.layout.page import Layout, arrange
from undoku.render.layout.panel_kind import PanelKind, ShownWhen
from undoku.render.layout.story_layout import StoryLayouts, story_layouts
from undoku.render.panels.panel import Script
from undoku.render.playback.verdict import named
from undoku.render.settings.settings import FilmSettings
from undoku.render.story.claims import Claim
from undoku.render.story.highlights import slow_cues, windows
from undoku.render.story.narration import Narration
from undoku.render.timeline.beats import ANSWERING, EXPLAINING, NOBODY, Beat, BeatKind, first_beat
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.storyboard import Told, story_timeline
from undoku.render.timeline.timeline import Timeline
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header, Tally
from undoku.texts.counter_kinds import counter_kinds, usual_counters

_MOST_AT_ONCE = 60
"""The most letters of a title with names, and of other texts that appear at once, that make beats
longer."""


def film_timeline(
    settings: FilmSettings,
    tallies: Sequence[Tally],
    *,
    narration: Narration | None,
    shown: Mapping[BeatKind, Sequence[str]],
    highlights: Sequence[Claim],
) -> Timeline:
    """The timeline of a film of searches with these counts. A story has beats for what its
    `narration` tells, None if there is no room for sentences; `shown` are other texts that appear
    with beats. A film of even pace slows down at `highlights`."""
    totals = [tally.steps for tally in tallies]
    told = {**narration.told} if narration else {}
    for kind, texts in shown.items() if any(totals) else ():
        letters = min(_MOST_AT_ONCE, sum(map(len, texts)))
        reads = kind is BeatKind.RATIO or (kind is BeatKind.QUESTION and settings.title)
        told[kind] = Told(letters=letters if reads else 0, first=letters)
    if settings.pace.story and (any(totals) or told):
        requested = {
            BeatKind.QUESTION: settings.intro,
            BeatKind.END: settings.hold,
            BeatKind.CARD: settings.card,
        }
        return story_timeline(
            totals,
            settings.fps,
            settings.pace,
            told=told,
            found=narration.found if narration else (),
            requested={kind: each for kind, each in requested.items() if each is not None},
        )
    even = partial(
        plan,
        totals,
        settings.fps,
        clock=settings.clock,
        seconds=[Fraction(round(tally.seconds * 10**9), 10**9) for tally in tallies],
        intro=settings.intro,
        hold=settings.hold,
        card=settings.card,
    )
    timeline = even(settings.pace)
    cues = slow_cues(timeline, settings.pace, windows(timeline, highlights))
    return even(replace(settings.pace, cues=cues)) if cues else timeline


def film_layouts(
    settings: FilmSettings,
    headers: Sequence[Header],
    panels: tuple[PanelKind, ...],
    *,
    titled: bool,
) -> tuple[Layout, StoryLayouts | None]:
    """The layout of the first picture of a film of these searches, and those of a story. A film of
    even pace has one layout, with those of `panels` for which there is room, and a place for the
    sentences of its cues. Raises SettingsError for unknown counters, and if the boards don't
    fit."""
    side = max(Look(header.puzzle.problem).side for header in headers)
    if settings.pace.story:
        layouts = story_layouts(
            settings.width,
            settings.height,
            len(headers),
            side,
            margins=settings.margins,
            panels=[kind for kind in panels if kind.shown is ShownWhen.WHEN_EXHAUSTIVE],
        )
        return layouts.together, layouts
    usual = usual_counters(
        exhaustive=any(header.exhaustive for header in headers),
        strategies=[Strategy.known(header.strategy) for header in headers],
    )
    layout = arrange(
        settings.width,
        settings.height,
        len(headers),
        side,
        title=titled,
        panels=panels,
        legend=settings.heat == "overlay",
        sentence=any(cue.say for cue in settings.pace.cues),
        counters=counter_kinds(settings.counters or usual),
        margins=settings.margins,
    )
    return layout, None


def film_acts(script: Script, layouts: StoryLayouts | None) -> tuple[Act, ...]:
    """The acts of a film: that of the first pass over the searches of a story, and one for each
    change of the layout or of the board that is lit."""
    timeline = script.timeline
    if not layouts or not timeline.beats:
        return (Act(script),)
    layouts = layouts.naming(named(script.tallies))
    script = replace(script, layout=layouts.together)
    acts: list[Act] = []
    for beat in timeline.beats:
        if beat.kind is BeatKind.CARD:
            continue
        own = _script_of(script, beat, layouts)
        if not acts or own.answers != acts[-1].script.answers:
            moving = beat.frames if beat.kind is BeatKind.REWIND else 0
            acts.append(Act(own, beat.start, moving))
        elif _pictured(own) != _pictured(acts[-1].script):
            acts.append(Act.of_beat(own, beat, acts[-1].script))
    return tuple(acts)


def _pictured(script: Script) -> tuple[object, ...]:
    """What the acts of a pass differ in."""
    return script.layout, script.lit, script.explains


def _script_of(script: Script, beat: Beat, layouts: StoryLayouts) -> Script:
    """The script of the act to which a beat belongs."""
    if beat.kind in ANSWERING and script.timeline.answer:
        return replace(script, timeline=script.timeline.answer, answers=True)
    if beat.kind in EXPLAINING:
        lit = beat.subject if len(script.headers) > 1 else NOBODY
        return replace(script, layout=layouts.lit(beat.subject), lit=lit, explains=True)
    laps = first_beat(script.timeline.beats, BeatKind.LAPS)
    if laps and beat.start >= laps.start:
        return replace(script, layout=layouts.laps(laps.subject))
    return script
