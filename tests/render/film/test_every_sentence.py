"""No sentence of a story is left out because its box is too small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from undoku.render.panels.callout import CalloutPanel, SharedCalloutPanel

from tests.support.films import act_at, beat_of, film_of, large_on
from undoku import Limits
from undoku.render.delivery.fit import limits_for, suited
from undoku.render.draw.sprites import SpriteBook
from undoku.render.film.acts import Act
from undoku.render.film.film import Film
from undoku.render.panels.panel import PanelContext
from undoku.render.playback.history import History
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import Note

STRATEGIES = (
    "row-major", "mrv", "mrv/lcv", "mrv-degree", "row-major+singles", "mrv+singles",
)  # fmt: skip


def story(size: str, searches: int, *, exhaustive: bool) -> Film:
    options = {} if size == "shorts" else {"size": size}
    made = film_of(*STRATEGIES[:searches], limits=Limits(exhaustive=exhaustive), **options)
    if size != "shorts":
        return made
    limits = limits_for(Path("film.mp4"), None, "shorts")
    return made.with_settings(suited(limits, made.settings, any_size=True))


def lines(act: Act, callout: Note) -> list[str] | None:
    """The lines of a sentence in the layout of an act; None if a finished board has no box."""
    script, book = act.script, SpriteBook(act.script.theme)
    layout, history = script.layout, History(script.headers[0].puzzle)
    if layout.sentence:
        context = PanelContext(script, 0, layout.sentence, history, book)
        return list(SharedCalloutPanel(context).arranged(callout, 0)[2])
    box = layout.blocks[callout.search].panels.get("callout")
    if box is None:
        return None
    context = PanelContext(script, callout.search, box, history, book)
    return list(CalloutPanel(context).fitted(callout.text, 0)[1])


@pytest.mark.parametrize("exhaustive", [False, True])
@pytest.mark.parametrize("searches", range(1, 7))
@pytest.mark.parametrize("size", ["1280x720", "shorts", "640x360"])
def test_every_sentence_of_a_story_fits(size: str, searches: int, exhaustive: bool) -> None:
    """In each layout in which it is shown. Beside a large board that continues alone, small
    boards have no sentences; those about their ends were shown before."""
    made = story(size, searches, exhaustive=exhaustive)
    acts = made.acts
    assert made.callouts
    ends = [*(act.start for act in acts[1:]), made.timeline.frames]
    with made.typesetting.within():
        for callout in made.callouts:
            shown = 0
            for act, end in zip(acts, ends, strict=True):
                if max(callout.start, act.start) < min(callout.end, end):
                    found = lines(act, callout)
                    assert found is None or found, (act.start, callout.text)
                    shown += bool(found)
            assert shown, callout.text


@pytest.mark.parametrize("texts", ["en", "de", "he"])
@pytest.mark.parametrize("size", ["1280x720", "1080x1920", "640x360"])
def test_each_of_three_boards_says_its_rule(size: str, texts: str) -> None:
    """That of dom-wdeg, too, whose description is the longest."""
    made = film_of("row-major", "mrv", "dom-wdeg", size=size, texts=texts)
    beat = beat_of(made, BeatKind.RULES)
    with made.typesetting.within():
        rules = [each for each in made.callouts if each.start == beat.start]
        assert [each.search for each in rules] == [0, 1, 2]
        assert all(lines(act_at(made, beat.start), each) for each in rules)


@pytest.mark.parametrize("exhaustive", [False, True])
def test_two_searches_in_a_short_show_two_sentences_below_the_large_board(
    exhaustive: bool,
) -> None:
    """Both sentences of each rule; only a third sentence may be left out."""
    made = story("shorts", 2, exhaustive=exhaustive)
    acts = made.acts
    ends = [*(act.start for act in acts[1:]), made.timeline.frames]
    with made.typesetting.within():
        for act, end in zip(acts, ends, strict=True):
            large = large_on(made, act.start)
            for callout in made.callouts:
                if callout.search == large and max(callout.start, act.start) < min(
                    callout.end, end
                ):
                    written = " ".join(lines(act, callout) or [])
                    first_two = re.split(r"(?<=[.!?]) +", callout.text)[:2]
                    assert written.startswith(" ".join(first_two))
