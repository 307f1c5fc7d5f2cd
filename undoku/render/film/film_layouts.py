"""The layouts of a film: that of its first picture, and those of its acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from undoku.render.film.acts import Act
from undoku.render.layout.page import Layout, arrange
from undoku.render.layout.panel_kind import PanelKind, ShownWhen
from undoku.render.layout.spotlight import spotlight
from undoku.render.layout.turns import Turn, takes_turns, turns_of
from undoku.render.panels.legend import legend_texts
from undoku.render.panels.panel import Script
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.turn_order import TurnSpan, turn_spans
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header
from undoku.texts.counter_kinds import counter_kinds, usual_counters

__all__ = ["acts_of", "film_layout", "film_turns"]

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


def film_turns(layout: Layout, headers: Sequence[Header]) -> tuple[Turn, ...]:
    """The layouts in which each of two searches is large; () if they do not take turns."""
    return turns_of(layout, _largest_side(headers)) if takes_turns(layout) else ()


def acts_of(script: Script, turns: tuple[Turn, ...], *, kept: bool) -> tuple[Act, ...]:
    """The acts of a film: one for each turn; otherwise the first layout, followed in a story in
    which one search continues alone by one with a large board, unless the layout is `kept`."""
    timeline = script.timeline
    beat = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
    if turns and timeline.beats:
        return _solo_sequence(script, turns)
    if beat is None or kept:
        return (Act(script),)
    last = timeline.totals.index(timeline.longest)
    layout = spotlight(script.layout, _largest_side(script.headers), last)
    if layout is None:
        return (Act(script),)
    return Act(script), Act.of_beat(replace(script, layout=layout), beat)


def _solo_sequence(script: Script, turns: Sequence[Turn]) -> tuple[Act, ...]:
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


def _largest_side(headers: Sequence[Header]) -> int:
    """The side of the largest board in cells."""
    return max(header.puzzle.geometry.side for header in headers)
