"""Rules are told in few words that do not contradict each other."""

from __future__ import annotations

import pytest
from undoku.render.story.rule_texts import rule_texts

from tests.support.puzzles import EASY
from undoku import search

FIXED = ("row-major", "column-major", "box-major", "spiral", "static", "random:3")


def told(*strategies: str) -> list[tuple[str, str]]:
    found = rule_texts([search(EASY.grid, strategy).header for strategy in strategies])
    return [(each.sentence, each.brief) for each in found]


def test_searches_that_choose_cells_alike_are_described_alike() -> None:
    fewest = "Takes the cell where the fewest digits fit."
    plain, degree, forward = told("mrv", "mrv-degree", "mrv+forward")
    assert plain[0] == degree[0] == fewest
    assert forward[0] == "Checks ahead first; takes the cell where the fewest digits fit."


@pytest.mark.parametrize(
    ("first", "second", "sentences"),
    [
        (
            "mrv",
            "mrv/descending",
            ["Tries the values from 1 upwards.", "Tries the values from the highest down."],
        ),
        (
            "row-major+cbj",
            "row-major",
            ["Goes back to the last guess involved in the failure.", "Takes back the last guess."],
        ),
    ],
)
def test_searches_that_differ_in_one_part_tell_that_part(
    first: str, second: str, sentences: list[str]
) -> None:
    assert [sentence for sentence, _ in told(first, second)] == sentences


def test_a_search_alone_tells_all_its_parts() -> None:
    ((sentence, _),) = told("mrv/descending")
    assert sentence.startswith("Takes the cell") and "from the highest down" in sentence


@pytest.mark.parametrize("order", FIXED)
def test_every_fixed_order_has_a_short_sentence(order: str) -> None:
    (_, brief), _ = told(order, "mrv")
    assert brief and len(brief) <= 26


def test_the_rule_of_a_search_with_inference_is_also_told_in_short() -> None:
    (_, brief), _ = told("mrv+singles", "row-major")
    assert brief == "Forced digits first."
