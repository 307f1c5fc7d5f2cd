"""The contents of a page of a film, as one object for JSON."""

from __future__ import annotations

import base64
from fractions import Fraction
from itertools import product
from typing import Any

from undoku.player.search_content import boards_content, searches_content
from undoku.render.draw.colour_space import hex_of
from undoku.render.draw.theme import Theme, load_theme
from undoku.render.film.film import Film
from undoku.render.panels.card_plan import CardTexts, card_texts, ratio_texts
from undoku.render.playback.code_lines import code_of, parsed_code
from undoku.render.playback.verdict import fastest, times_text, verdict_of
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.notes import FILM
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.counter_kinds import COUNTERS
from undoku.texts.language import plural_form, spoken


def page_content(film: Film) -> dict[str, Any]:
    """The content of a film's page. `notices` are the sentences about the whole film, as [first
    frame, the frame after the last, sentence]. Raises SettingsError if the searches are too long
    for one."""
    searches, block = searches_content(film)
    with film.typesetting.within():
        return {
            "title": film.heading,
            "command": film.command,
            "boards": boards_content(film),
            "searches": searches,
            "timeline": timeline_content(film),
            "callouts": callouts_content(film),
            "highlights": highlights_content(film),
            "notices": notices_content(film),
            "counters": [kind.name for kind in film.layout.counters],
            "code": code_content(film),
            "ratio": card_content(ratio_texts(film.script)),
            "card": card_content(card_texts(film.script)),
            "laps": laps_content(film),
            "verdict": verdict_of(film.headers, film.tallies).text,
            "texts": text_content(),
            "themes": theme_content(film),
            "panels": list(film.settings.panels),
            "heat": film.settings.heat,
            "events": base64.b64encode(block).decode("ascii"),
        }


def timeline_content(film: Film) -> dict[str, Any]:
    """The timeline: the frames of its phases, its `stretches` as [first frame of the race, frames,
    first step, steps, frames for these steps], its `beats` as [kind, first frame, frames, first
    step, steps, subject], the frames that each search `waits`, and for each search the ratio of its
    steps to those of the longest one, as a fraction of two integers in decimal digits, which may be
    too large for a floating-point number. `answer` are the frames of the givens, of the race and of
    all of the first pass of a story; None without one.
    """
    timeline, answer = film.timeline, film.timeline.answer
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
        "stretches": [
            [s.start, s.frames, s.step, s.pace.numerator, s.pace.denominator]
            for s in timeline.stretches
        ],
        "beats": [
            [beat.kind.value, beat.start, beat.frames, beat.step, beat.steps, beat.subject]
            for beat in timeline.beats
        ],
        "scales": [[str(scale.numerator), str(scale.denominator)] for scale in timeline.scales],
        "waits": list(timeline.waits),
        "answer": [answer.intro, answer.race, answer.frames] if answer else None,
    }


_PAGE_PREFIXES = ("player-", "unit-", "step-", "found-")
_PAGE_TEXTS = (
    say.A_STEP,
    say.LIST_MIDDLE,
    say.CELL,
    say.STEPS,
    say.RATE_SECOND,
    say.SEARCHING,
    say.DEPTH,
    say.TREE,
    say.TIMES,
    say.NODES,
    *(kind.label for kind in COUNTERS),
    say.SOLUTIONS_FOUND,
    say.CODE,
    say.ALL_STEPS_IN,
    say.CELLS_FILLED,
    say.SECONDS,
)

_FEW = 200
"""Above this number, plural forms depend only on the last two digits, in all known languages
(`undoku.texts.language`)."""


def text_content() -> dict[str, Any]:
    """The current language: its tag, direction and separators, the plural form for each number, and
    the wordings of texts by their keys, each with its forms."""
    language = spoken()
    keys = [key for key in say.english() if key.startswith(_PAGE_PREFIXES)]
    keys += [text.key for text in _PAGE_TEXTS]
    return {
        "language": language.tag,
        "rightToLeft": language.right_to_left,
        "thousands": language.thousands,
        "decimals": language.decimals,
        "plurals": [plural_form(language.tag, count) for count in range(_FEW)],
        "wordings": {key: _forms(say.Text(key)) for key in keys},
    }


def _forms(text: say.Text) -> dict[str, str]:
    """The wordings of a text, with the nouns of the problem."""
    forms, nouns = dict(text.forms()[0]), say.nouns()
    for name, form in product(nouns, forms):
        forms[form] = forms[form].replace(f"{{{name}}}", nouns[name])
    return forms


_PLAIN = (
    "background", "text", "muted", "track", "accent", "given_cell", "given", "line",
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
        "colours": {name: _properties(theme, film) for name, theme in themes.items()},
        "schemes": {name: _scheme(theme) for name, theme in themes.items()},
        "system": own in ("dark", "light"),
    }


def _properties(theme: Theme, film: Film) -> dict[str, str]:
    found = {name.replace("_", "-"): hex_of(getattr(theme, name)) for name in _PLAIN}
    found["cell-colour"] = hex_of(theme.cell)
    for number, (ink, background) in enumerate(zip(theme.scale, theme.scale_cells, strict=True)):
        found[f"tint-{number}"] = hex_of(ink)
        found[f"tint-cell-{number}"] = hex_of(background)
    for number, background in enumerate(theme.heats):
        found[f"warm-{number}"] = hex_of(background)
    for number, (shade, ink) in enumerate(zip(theme.shades, theme.shade_inks, strict=True)):
        found[f"shade-{number}"] = hex_of(shade)
        found[f"shade-ink-{number}"] = hex_of(ink)
    for number in range(_VALUE_COLOURS):
        colour = film.theme.value_colour(number + 1)
        found[f"value-{number}"] = hex_of(colour)
        found[f"value-ink-{number}"] = hex_of(theme.ink_on(colour))
    for number in range(len(film.labels)):
        found[f"search-{number}"] = hex_of(theme.search_colour(number))
    return found


_VALUE_COLOURS = 7
"""The number of colours of values in the style sheet; further values repeat them."""


def _scheme(theme: Theme) -> str:
    return "dark" if sum(theme.background) < sum(theme.text) else "light"


def code_content(film: Film) -> list[dict[str, Any]]:
    """The code of each search, its lines as [text, levels of indentation, role]; `own` states that
    it is the user's own code, not generated from the strategy."""
    own = film.settings.code
    return [
        {
            "lines": [
                [line.text, line.indent, line.role.value]
                for line in (parsed_code(own) if own else code_of(header.strategy))
            ],
            "own": bool(own),
        }
        for header in film.headers
    ]


def card_content(texts: CardTexts) -> dict[str, Any]:
    """A card; its rows as [search, length of the bar, share of guesses, number, cause]."""
    return {
        "headline": texts.headline,
        "large": texts.large,
        "below": texts.below,
        "rows": [
            [row.search, _share(row.length), _share(row.warm), row.number, row.cause]
            for row in texts.rows
        ],
        "answer": list(texts.answer),
    }


def _share(share: Fraction) -> float:
    return round(float(share), 5)


def laps_content(film: Film) -> dict[str, Any] | None:
    """The laps of the longest search: the `steps` of one, the number of the search that they are
    those of, a caption, and the number `ratio` of all laps."""
    if first_beat(film.timeline.beats, BeatKind.LAPS) is None:
        return None
    totals, longest, first = film.timeline.totals, film.timeline.longest, fastest(film.tallies)
    lap, last = totals[first], film.tallies[totals.index(longest)]
    capped = last.outcome is Outcome.CAPPED
    return {
        "steps": lap,
        "first": first,
        "caption": say.STEPS(count=lap),
        "ratio": times_text(lap, longest, at_least=capped),
    }


def callouts_content(film: Film) -> list[dict[str, Any]]:
    """The sentences about searches, those about the same one by frame."""
    return [
        {
            "search": one.search,
            "start": one.start,
            "end": one.end,
            "lines": one.lines,
            "rings": one.rings_end,
            "placed": one.placed,
            "shown": list(one.shown),
            "lit": list(one.lit),
            "wanted": one.wanted,
            "narrowed": list(one.narrowed),
            "options": list(one.options),
            "value": one.value,
            "tone": "wrong" if one.wrong else "result" if one.result else "",
        }
        for one in film.notes
        if one.search != FILM
    ]


def notices_content(film: Film) -> list[list[Any]]:
    """The sentences about the film; that of a story is its title."""
    own = () if film.timeline.beats else film.notes
    return [[one.start, one.end, one.one_line] for one in own if one.search == FILM]


def highlights_content(film: Film) -> list[dict[str, Any]]:
    """The moments to which a reader can go, by their steps on the common clock: the highlights of
    the searches, and the callouts of single steps in a story."""
    found = {
        (note.search, note.claim.step): {
            "search": note.search,
            "step": note.claim.step,
            "frame": note.start,
            "sentence": note.text,
        }
        for note in film.moments
    }
    return sorted(found.values(), key=lambda one: (one["frame"], one["search"]))
