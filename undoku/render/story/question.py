"""The question with which a film begins: its title, and the first sentence of a story, unless the
names of the searches say all."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.playback.verdict import verdict_of
from undoku.render.settings.settings import FilmSettings, default_title
from undoku.solver.trace.trace import Header, Outcome, Tally
from undoku.texts import wording as say
from undoku.texts.text_lines import encodable


def film_title(settings: FilmSettings, headers: Sequence[Header], tallies: Sequence[Tally]) -> str:
    """The title of a film of these searches, on one line: that of the settings, or a default."""
    title = settings.title
    if title is None:
        title = (question if settings.pace.story else _answer)(headers, tallies)
    return " ".join(encodable(title).split())


def _answer(headers: Sequence[Header], tallies: Sequence[Tally]) -> str:
    """How many fewer steps one of several searches of a puzzle took, and the fact that is the
    reason, or what the film shows."""
    puzzles, verdict = len({header.puzzle for header in headers}), verdict_of(headers, tallies)
    if puzzles > 1 or not (verdict.large and verdict.reason):
        return default_title(len(headers), puzzles)
    fact = verdict.fact_and_cause[0].rstrip(".:")
    return say.HEAD_AND_SENTENCE(headline=verdict.headline, sentence=fact)


def question(headers: Sequence[Header], tallies: Sequence[Tally]) -> str:
    """The question of a story of these searches with these counts; "" if their names say all."""
    everything = all(header.exhaustive for header in headers)
    if len(headers) == 1:
        asked = say.QUESTION_GUESSES
        if everything:
            asked = say.QUESTION_SOLUTIONS
        elif tallies[0].outcome is Outcome.EXHAUSTED:
            asked = say.QUESTION_SOLUTION
        elif headers[0].puzzle.problem.is_free:
            asked = say.QUESTION_TAKEN_BACK
        return asked()
    puzzles = len({header.puzzle for header in headers})
    if puzzles > 1:
        return default_title(len(headers), puzzles)
    return say.QUESTION_ALL_SOLUTIONS() if everything else ""
