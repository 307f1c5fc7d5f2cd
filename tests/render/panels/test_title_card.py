"""The title card: its texts, when it is shown, and the beginning of the film after it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import few
from tests.support.puzzles import EASY, MEDIUM
from undoku import Header, Puzzle, Strategy, search
from undoku.render.delivery.outputs import with_rate
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.layout.page import arrange
from undoku.render.panels.card import CardPanel
from undoku.render.panels.panel import Moment
from undoku.render.panels.title_card import plan_title, puzzle_text
from undoku.render.playback.search_texts import described
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.timeline import Pace, Phase
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.problem.variants import (
    latin_geometry,
    with_diagonals,
    with_groups,
    with_windows,
)


def film(*strategies: str, **given: Any) -> Film:
    settings = settings_of({"size": "640x360", "title_card": 2, "pace": "even", **given})
    return Film([search(EASY.grid, name) for name in strategies], settings)


def test_a_strategy_is_described_in_plain_words() -> None:
    reported = {
        "row-major": "Takes the empty cells in reading order",
        "mrv": "Takes the cell with the fewest options",
        "random:7": "Takes the empty cells in one order, drawn at random from the seed",
        "mrv/descending+locked+cbj": "Locked candidates first; takes the cell with the "
        "fewest options; tries the values from the highest down; takes back all guesses down to "
        "the last one that contributed to the failure",
        "nested-loops": "The plain backtracker",
    }
    for name, sentence in reported.items():
        assert Strategy.parse(name).sentence == sentence
        assert described(Header(parse_puzzle(EASY.grid), name)) == sentence
    for unknown in ("", "my own search"):
        assert described(Header(parse_puzzle(EASY.grid), unknown)) == ""


def test_a_puzzle_is_described_by_its_kind_and_its_givens() -> None:
    empty = (0,) * 81
    crossed = with_diagonals(standard_geometry())
    assert puzzle_text(parse_puzzle(EASY.grid)).endswith("givens")
    assert puzzle_text(Puzzle(empty, standard_geometry())) == "9×9, 0 givens"
    assert puzzle_text(Puzzle((1, *empty[1:]), crossed)) == "9×9 with diagonals, 1 given"
    both = with_groups(with_windows(crossed))
    message = "9×9 with diagonals, windows and disjoint groups, 0 givens"
    assert puzzle_text(Puzzle(empty, both)) == message
    assert puzzle_text(Puzzle((0,) * 25, latin_geometry(5))) == "5×5 Latin square, 0 givens"
    titled = Puzzle(empty, title="Saturday")
    assert puzzle_text(titled) == "Saturday: 9×9, 0 givens"


@pytest.mark.parametrize(
    ("outputs", "seconds"),
    [
        (["a.mp4"], 2),
        (["a.mp4", "a.webm", "a.png"], 2),
        (["a.gif"], 0),
        (["a.mp4", "a.gif"], 0),
        (["a.webp"], 0),
        (["a.png"], None),
    ],
)
def test_videos_have_a_title_card_and_pictures_that_loop_have_none(
    outputs: list[str], seconds: int | None
) -> None:
    assert with_rate(FilmSettings(), [Path(name) for name in outputs]).title_card == seconds
    asked = FilmSettings(title_card=Fraction(3))
    assert with_rate(asked, [Path(name) for name in outputs]).title_card == 3


@given(st.integers(1, 600), st.integers(0, 300), st.sampled_from([10, 25, 60]))
def test_a_title_card_is_shown_long_enough_or_not_at_all(tenths: int, steps: int, fps: int) -> None:
    """In a film fitted to a duration, which keeps it."""
    timeline = plan([steps], Fraction(fps), Pace(duration=Fraction(tenths, 10)), title=Fraction(2))
    assert timeline.frames == max(1, round(Fraction(tenths * fps, 10)))
    assert timeline.title == 0 or timeline.title >= fps
    assert timeline.title <= timeline.intro


def test_the_card_comes_first_and_the_film_behind_it_is_the_film_without_it() -> None:
    """Picture by picture; the card covers everything and leaves no trace."""
    made, without = film("row-major", "mrv"), film("row-major", "mrv", title_card=0)
    assert made.timeline.frames == without.timeline.frames + 120
    shown = [
        (shot.phase, frame.pixels.copy(), frame.changes)
        for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True)
    ]
    plain = [frame.pixels.copy() for frame in without.frames()]
    assert shown[0][0] is Phase.TITLE
    assert shown[1][0] is Phase.INTRO
    assert [phase for phase, _, _ in shown].count(Phase.TITLE) == 1
    assert len(shown) == 1 + len(plain)
    kept = np.zeros_like(plain[0])
    for number, (_, pixels, changes) in enumerate(shown):
        for (x, y, width, height), _ in changes:
            kept[y : y + height, x : x + width] = pixels[y : y + height, x : x + width]
        assert (kept == pixels).all()
        # The bar of progress counts the card's time.
        bottom = 330
        assert not number or (pixels[:bottom] == plain[number - 1][:bottom]).all()
    assert (shown[0][1] != plain[0]).any()


texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=120)


@few(5)
@given(
    st.sampled_from([(320, 180), (640, 360), (1280, 720), (720, 1280), (1080, 1080), (3840, 2160)]),
    st.lists(
        st.sampled_from(["mrv", "row-major", "mrv/lcv+singles+locked+pairs+cbj", "foreign", ""]),
        min_size=1,
        max_size=6,
    ),
    texts,
)
def test_the_lines_of_a_title_card_are_inside_and_below_each_other(
    size: tuple[int, int], strategies: list[str], title: str
) -> None:
    """Every search is named, however small the picture; no letter is below eleven pixels."""
    width, height = size
    layout = arrange(width, height, 1)
    headers = [Header(parse_puzzle(MEDIUM.grid), name) for name in strategies]
    timeline = plan([100], Fraction(60), Pace(Fraction(1)), title=Fraction(2))
    theme = load_theme("dark")
    script: Any = SimpleNamespace(
        title=title, headers=headers, layout=layout, timeline=timeline, theme=theme
    )
    card = plan_title(script)
    rows = [*card.headline, *card.texts]
    if len(title) < 40:
        assert min((row.size for row in rows), default=11) >= 11
        shown = " ".join(row.text for row in rows)
        for header in headers:
            words = header.label.split()
            assert header.label in shown or (words[0] in shown and words[-1] in shown)
    canvas = Canvas(width, height)
    panel = CardPanel(card, SpriteBook(theme))
    panel.start(canvas)
    panel.draw(canvas, Moment(timeline.shot_at(0), timeline, ()))
    rects = [change.rect for change in canvas][1:]
    whole = Rect(0, 0, width, height)
    for number, rect in enumerate(rects):
        assert whole.contains(rect)
        # Boxes of lines may touch where no letter has descenders.
        assert not any(rect.inset(1).overlaps(other.inset(1)) for other in rects[number + 1 :])
    assert len(rects) == len(rows)
