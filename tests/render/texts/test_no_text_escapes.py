"""Every text of films, captions and cards comes from the table of texts, and all of it is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from render.delivery.captions import captions
from render.figures.contact_sheet import filmstrip
from render.film import Film
from render.panels.registry import panels
from render.panels.verdict import verdict_of
from render.settings import settings_of
from render.texts import wording as say
from render.texts.language import declared, speaking
from render.texts.language_files import load_language
from render.texts.strategy_texts import strategy_name, strategy_sentence
from solver import Limits, Puzzle, search
from solver.strategies.builtin_parts import REPERTOIRE
from solver.strategies.part import Kind
from solver.strategies.strategy import Strategy
from solver.trace import Outcome, Tally
from solver.variants import jigsaw_geometry, with_diagonals
from tests.support.marked_texts import drawn_texts, keys_in, write_marked
from tests.support.puzzles import EASY, MEDIUM

SMALL = "1.3..4...2....1."
REGIONS = [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]
JIGSAW = Puzzle((0,) * 16, with_diagonals(jigsaw_geometry(REGIONS)))
PANELS = ",".join(kind.name for kind in panels())


def made(
    texts: str, puzzle: Any, strategies: Iterable[str], limits: Limits | None = None, **given: Any
) -> Film:
    traces = [search(puzzle, one, limits or Limits()) for one in strategies]
    return Film(traces, settings_of({"texts": texts, "size": "640x360", **given}))


def few_shots(film: Film) -> list[Any]:
    """Some shots of each phase of a film, in order, and those that its beats begin with."""
    shots = list(film.timeline.shots())
    step = max(1, len(shots) // 60)
    return [
        shot for number, shot in enumerate(shots) if number % step == 0 or number > len(shots) - 3
    ]


FILMS: dict[str, Callable[[str], Film]] = {
    "two": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], title_card="1s",
                              duration="4s", card="1s", panels=PANELS, size="1280x720"),
    "two-small": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], title_card="1s",
                                    duration="4s", card="1s", size="360x640"),
    "slow": lambda texts: made(texts, EASY.grid, ["mrv+singles", "row-major"], title_card="1s",
                               steps_per_second="2", to_step=6, panels="board,why,counters"),
    "highlights": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], highlights=True,
                                     duration="9s"),
    "ramp": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], ramp=True, duration="4s",
                               title_card="1s"),
    "finish": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv", "mrv+singles@root"],
                                 clock="finish", duration="2s", title_card="1s"),
    "time": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], clock="time",
                               duration="2s", title_card="1s"),
    "heat": lambda texts: made(texts, MEDIUM.grid, ["row-major"], heat="overlay", duration="1s"),
    "heat-map": lambda texts: made(texts, MEDIUM.grid, ["row-major"], heat="beside", duration="1s"),
    "capped": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], Limits(40),
                                 duration="1s"),
    "exhausted": lambda texts: made(texts, JIGSAW, ["fewest-options-first"], Limits(3000),
                                    duration="1s", title_card="1s"),
    "tree": lambda texts: made(texts, EASY.grid, ["mrv"], panels="board,tree,depth", duration="1s"),
    "counters": lambda texts: made(
        texts, EASY.grid, ["mrv"], duration="1s", size="1280x720",
        counters="steps,taken-back,solutions,depth,dead-ends,backtracks,branching"),
    "story": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], size="1280x720"),
    "story-of-one": lambda texts: made(texts, EASY.grid, ["mrv"]),
}  # fmt: skip


def outcomes() -> Iterable[str]:
    """Verdicts of all kinds."""
    tally = search(EASY.grid, "mrv").tally()

    def of(steps: int, outcome: Outcome = Outcome.SOLVED, solutions: int = 1) -> Tally:
        return Tally(**{**vars_of(tally), "steps": steps, "undos": steps // 3, "outcome": outcome,
                        "solutions": solutions})  # fmt: skip

    names = ["", ""]
    capped, whole = Outcome.CAPPED, Outcome.EXHAUSTED
    for tallies in (
        [of(10), of(400)], [of(10), of(4000, capped)], [of(5), of(5)], [of(5), of(5, capped)],
        [of(9, capped), of(9, capped)], [of(100), of(101)], [of(0), of(7)], [of(3, whole), of(9)],
        [of(3, whole, 0), of(9)], [of(3, whole, 7), of(9)],
    ):  # fmt: skip
        yield verdict_of(names, tallies).text
    for one in (of(10), of(2), of(10, capped), of(10, whole), of(10, whole, 0)):
        yield verdict_of(names[:1], [one]).text


def vars_of(tally: Tally) -> dict[str, Any]:
    return {name: getattr(tally, name) for name in tally.__dataclass_fields__}


def strategies() -> Iterable[str]:
    """The names and sentences of all strategies."""
    for part in REPERTOIRE:
        spec = {
            Kind.CELLS: "{}", Kind.VALUES: "mrv/{}", Kind.INFERENCE: "mrv+{}",
            Kind.BACK: "row-major+{}", Kind.PRESET: "{}",
        }[part.kind]  # fmt: skip
        if part.name in ("chronological", "ascending"):
            continue
        written = f"{part.name}:3" if part.seeded else part.name
        strategy = Strategy.parse(spec.format(written))
        yield strategy_name(strategy)
        yield strategy_sentence(strategy)
    yield strategy_name(Strategy.parse("mrv+pairs@root"))
    yield strategy_sentence(Strategy.parse("mrv+pairs@root"))


def times() -> Iterable[str]:
    for seconds in (Fraction(2), Fraction(1, 50), Fraction(1, 50_000), Fraction(1, 10**8)):
        yield say.time_text(seconds)
    for number in (9_400, 12_000, 3_400_000, 2_000_000_000):
        yield say.short_number(number)


NOT_DRAWN = {
    "values-ascending", "values-ascending-does", "back-chronological", "back-chronological-does",
    "inference-singles-does",
}  # fmt: skip
"""What is usual and not told; the rules that a collective name stands for are told by theirs."""


def foreign(text: str, film: Film | None = None) -> list[str]:
    """The words of a text that are in English: not specs or units."""
    specs = {header.strategy for header in film.headers} if film else set()
    for spec in sorted(specs, key=len, reverse=True):
        text = text.replace(spec, "")
    return re.findall(r"[A-Za-z]{2,}", text)


def test_no_text_escapes_the_table_and_none_of_it_is_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Films of every panel, pace and outcome, their captions and filmstrips, in a language in which
    every text is a mark: no English word is drawn, and every mark is."""
    texts = write_marked(tmp_path)
    said: set[str] = set()
    escaped: dict[str, list[str]] = {}
    for name, make in FILMS.items():
        film = make(texts)
        with drawn_texts(monkeypatch) as drawn:
            for _ in film.draw(few_shots(film)):
                pass
            if film.settings.width > 1000:
                filmstrip(film, 2)
                filmstrip(film, 3)
            film.still(film.shot_of_step(2))
        told = drawn.texts | {caption.text for caption in captions(film)} | {film.title}
        told |= {highlight.sentence for highlight in film.highlights}
        words = sorted({word for text in told for word in foreign(text, film)})
        if words:
            escaped[name] = words
        said |= {key for text in told for key in keys_in(text)}
    with speaking(load_language(texts)):
        for text in (*outcomes(), *strategies(), *times()):
            said |= keys_in(text)
    assert not escaped
    idle = {*declared()} - said - NOT_DRAWN
    assert not idle
