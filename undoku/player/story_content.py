"""The texts of a film as plain objects for a page: its title card, its sentences, its rules, its
code."""

from __future__ import annotations

from typing import Any

from undoku.render.film.film import Film
from undoku.render.panels.panel import Rule
from undoku.render.panels.title_and_footer import clock_texts
from undoku.render.panels.title_card import described, puzzle_text
from undoku.render.playback.code_lines import code_of, parsed_code
from undoku.render.story.highlight_timing import seen
from undoku.render.story.highlights import Highlight
from undoku.render.timeline.notes import Note
from undoku.texts import wording as say

__all__ = [
    "callouts_content",
    "code_content",
    "explanation_content",
    "highlights_content",
    "notices_content",
    "rules_content",
    "title_card_content",
]


def title_card_content(film: Film) -> dict[str, Any] | None:
    """The title card: its frames, the puzzle, the name and the description of each search, and the
    clock; None for a film without one."""
    timeline = film.timeline
    if not timeline.title:
        return None
    puzzles = list(dict.fromkeys(header.puzzle for header in film.headers))
    return {
        "frames": timeline.title,
        "puzzle": puzzle_text(puzzles[0]) if len(puzzles) == 1 else say.PUZZLES(count=len(puzzles)),
        "searches": [[header.label, described(header)] for header in film.headers],
        "clock": next(iter(clock_texts(timeline)), ""),
    }


def notices_content(film: Film) -> list[list[Any]]:
    """The sentences about the whole film, as [first frame, the frame after the last, sentence]."""
    return list(map(_notice_content, film.notices))


def explanation_content(film: Film) -> list[Any] | None:
    """The sentence that replaces the title, as in `notices_content`; None if there is none."""
    return _notice_content(film.explanation) if film.explanation else None


def _notice_content(notice: Note) -> list[Any]:
    return [notice.start, notice.end, notice.one_line]


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


def callouts_content(film: Film) -> list[dict[str, Any]]:
    """The callouts of a story, by search and frame."""
    return [
        {
            "search": search,
            "start": one.start,
            "end": one.end,
            "sentence": one.text,
            "rings": one.rings_end,
            "placed": one.placed,
            "shown": list(one.shown),
            "lit": list(one.lit),
            "mistakes": list(one.mistakes),
            "tone": "wrong" if one.wrong else "result" if one.result else "",
        }
        for one in film.callouts
        for search in (one.search, *one.others)
    ]


def highlights_content(film: Film, highlights: tuple[Highlight, ...]) -> list[dict[str, Any]]:
    """The moments to which a reader can go, by their steps on the common clock: the highlights of
    the searches, and the callouts of single steps in a story."""
    timeline = film.timeline
    found = {}
    for frame, highlight in seen(timeline, highlights):
        found[highlight.search, highlight.step] = {
            "search": highlight.search,
            "step": highlight.step,
            "frame": frame,
            "sentence": highlight.sentence,
        }
    return sorted(found.values(), key=lambda one: (one["frame"], one["search"]))


def rules_content(film: Film) -> list[dict[str, Any] | None]:
    """The rule of each search, as its board shows it before the first step."""
    return [_rule(rule) if rule else None for rule in film.rules]


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "order": list(rule.order),
        "options": [list(pair) for pair in rule.options],
        "best": list(rule.best),
        "forced": [list(pair) for pair in rule.forced],
        "failures": [list(counts) for counts in rule.failures],
    }
