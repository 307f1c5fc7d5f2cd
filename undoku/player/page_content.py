"""The contents of a page of a film, as one object for JSON."""

from __future__ import annotations

import base64
from typing import Any

from undoku.player.search_content import boards_content, searches_content, verdict_content
from undoku.player.story_content import (
    callouts_content,
    code_content,
    explanation_content,
    highlights_content,
    notices_content,
    rules_content,
    title_card_content,
)
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.theme import Theme, load_theme
from undoku.render.film.film import Film
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.timeline import Timeline
from undoku.texts import code_texts, step_texts, story_texts
from undoku.texts import wording as say
from undoku.texts.counter_kinds import COUNTERS
from undoku.texts.language import Text, spoken
from undoku.texts.player_texts import PLAYER_TEXTS
from undoku.texts.plural_rules import plural_form

__all__ = ["page_content", "text_content", "theme_content", "timeline_content"]


def page_content(film: Film) -> dict[str, Any]:
    """The content of a film's page. Raises SettingsError if the searches are too long for one."""
    searches, block = searches_content(film)
    with film.typesetting.within():
        return {
            "title": film.title,
            "command": film.command,
            "boards": boards_content(film),
            "searches": searches,
            "timeline": timeline_content(film),
            "callouts": callouts_content(film),
            "highlights": highlights_content(film, film.moments),
            "notices": notices_content(film),
            "explanation": explanation_content(film),
            "rules": rules_content(film),
            "titleCard": title_card_content(film),
            "counters": [kind.name for kind in film.layout.counters],
            "code": code_content(film),
            "verdict": verdict_content(film.labels, film),
            "texts": text_content(),
            "themes": theme_content(film),
            "panels": list(film.settings.panels),
            "heat": film.settings.heat,
            "events": base64.b64encode(block).decode("ascii"),
        }


_PIECES = 240
"""The number of linear pieces that approximate a ramp, whose speed changes on every frame."""


def timeline_content(film: Film) -> dict[str, Any]:
    """The timeline: the frames of its phases, its `stretches` as [first frame of the race, frames,
    first step, steps, frames for these steps], its `beats` as [kind, first frame, frames, first
    step, steps], and for each search the ratio of its steps to those of the longest one, as a
    fraction of two integers in decimal digits, which may be too large for a floating-point number.
    """
    timeline = film.timeline
    longest = max(1, timeline.longest)
    spot = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
    return {
        "fps": [timeline.fps.numerator, timeline.fps.denominator],
        "frames": timeline.frames,
        "intro": timeline.intro,
        "race": timeline.race,
        "card": timeline.card,
        "growth": timeline.growth,
        "first": timeline.first,
        "last": timeline.last,
        "totals": list(timeline.totals),
        "stretches": _stretches(timeline),
        "beats": [
            [beat.kind.value, beat.start, beat.frames, beat.step, beat.steps]
            for beat in timeline.beats
        ],
        "scales": [
            [str((scale / longest).numerator), str((scale / longest).denominator)]
            for scale in timeline.scales
        ],
        "spotlight": [spot.start, timeline.totals.index(timeline.longest)] if spot else None,
    }


def _stretches(timeline: Timeline) -> list[list[int]]:
    if timeline.stretches:
        return [[s.start, s.frames, s.step, s.steps, s.frames] for s in timeline.stretches]
    if not timeline.race:
        return []
    if timeline.rate is not None:
        rate = timeline.rate
        return [[0, timeline.race, timeline.first, rate.numerator, rate.denominator]]
    if not timeline.ramp:
        return [[0, timeline.race, timeline.first, timeline.span, timeline.race]]
    ends = sorted({timeline.race * piece // _PIECES for piece in range(_PIECES + 1)})
    steps = [int(timeline.first + timeline.position(end) * timeline.span) for end in ends]
    return [
        [start, end - start, before, after - before, end - start]
        for start, end, before, after in zip(ends, ends[1:], steps, steps[1:], strict=False)
    ]


_SAID = (
    *PLAYER_TEXTS,
    *(value for value in vars(step_texts).values() if isinstance(value, Text)),
    story_texts.A_STEP,
    say.LIST_MIDDLE,
    say.CELL,
    say.STEPS,
    say.STEP_NUMBER,
    say.STEP_OF,
    say.RATE_SECOND,
    say.ON_BOTH_BOARDS,
    say.ON_ALL_BOARDS,
    say.SEARCHING,
    say.DEPTH,
    say.TREE,
    say.TIMES,
    say.NODES,
    *(kind.label for kind in COUNTERS),
    say.SOLUTIONS_FOUND,
    code_texts.CODE,
    say.DEAD_ENDS,
    say.NO_DEAD_END,
    say.BAR_STOPPED,
    say.NOTE_STEP,
    say.NOTE_MARKS,
)

_FEW = 200
"""Above this number, plural forms depend only on the last two digits, in all known languages
(`undoku.texts.plural_rules`)."""


def text_content() -> dict[str, Any]:
    """The current language: its tag, direction and separators, the plural form for each number, and
    the wordings of texts by their keys, each with its forms."""
    language = spoken()
    wordings = {text.key: _forms(text) for text in _SAID}
    return {
        "language": language.tag,
        "rightToLeft": language.right_to_left,
        "thousands": language.thousands,
        "decimals": language.decimals,
        "plurals": [plural_form(language.tag, count) for count in range(_FEW)],
        "wordings": wordings,
    }


def _forms(text: Text) -> dict[str, str]:
    found = spoken().wordings.get(text.key)
    if found is not None:
        return dict(found)
    return {"one": text.one, "other": text.english} if text.one else {"other": text.english}


_PLAIN = (
    "ground", "text", "muted", "track", "accent", "given_cell", "given", "line",
    "strong_line", "trying_cell", "trying", "undoing_cell", "undoing", "passing_cell",
)  # fmt: skip


def theme_content(film: Film) -> dict[str, object]:
    """The colours of the film's theme ("film") and of those that a reader can choose ("dark",
    "light", "contrast"), and whether the page follows the system's setting: it does if the theme of
    the film is dark or light."""
    own = film.settings.theme
    themes = {
        "dark": load_theme("dark"),
        "light": load_theme("light"),
        "contrast": load_theme("high-contrast"),
        "film": film.theme,
    }
    return {
        "colours": {name: _properties(theme, len(film.labels)) for name, theme in themes.items()},
        "schemes": {name: _scheme(theme) for name, theme in themes.items()},
        "system": own in ("dark", "light"),
    }


def _properties(theme: Theme, searches: int) -> dict[str, str]:
    found = {name.replace("_", "-"): _css(getattr(theme, name)) for name in _PLAIN}
    found["cell-colour"] = _css(theme.cell)
    for number, (ink, ground) in enumerate(zip(theme.scale, theme.scale_cells, strict=True)):
        found[f"tint-{number}"] = _css(ink)
        found[f"tint-cell-{number}"] = _css(ground)
    for number, ground in enumerate(theme.heats):
        found[f"warm-{number}"] = _css(ground)
    for number, (shade, ink) in enumerate(zip(theme.shades, theme.shade_inks, strict=True)):
        found[f"shade-{number}"] = _css(shade)
        found[f"shade-ink-{number}"] = _css(ink)
    for number in range(searches):
        found[f"search-{number}"] = _css(theme.search_colour(number))
    return found


def _scheme(theme: Theme) -> str:
    return "dark" if sum(theme.ground) < sum(theme.text) else "light"


def _css(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
