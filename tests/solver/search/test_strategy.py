"""Specs of strategies: read, written, refused, listed, and added by other packages."""

from __future__ import annotations

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from tests.support.puzzles import EASY
from undoku.errors import StrategyError
from undoku.solver.search.part_registry import parts, register
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import Part, PartKind
from undoku.solver.trace.search_trace import Limits, search

NAMES = {kind: [part.written for part in parts(kind)] for kind in PartKind}
SEEDS = st.integers(0, 2**63 - 1).map(str)


@st.composite
def specs(draw: st.DrawFn) -> str:
    """Of any parts that may be together."""
    text = draw(st.sampled_from(NAMES[PartKind.CELLS]))
    if draw(st.booleans()):
        text += "/" + draw(st.sampled_from(NAMES[PartKind.VALUES]))
    for rule in draw(st.lists(st.sampled_from(NAMES[PartKind.INFERENCE]), max_size=4)):
        text += "+" + rule + draw(st.sampled_from(["", "@root"]))
    for further in (*NAMES[PartKind.PRIORITY], *NAMES[PartKind.BACK], "luby:9"):
        text += draw(st.sampled_from(["", "", f"+{further}"]))
    text = text.replace("SEED", draw(SEEDS))
    try:
        Strategy.parse(text)
    except StrategyError:
        reject()
    return text


@given(specs())
def test_a_strategy_reads_back_from_its_own_text(spec: str) -> None:
    """And that text is the same for all ways of writing it."""
    strategy = Strategy.parse(spec)
    assert Strategy.parse(str(strategy)) == strategy
    assert Strategy.parse(f"  {spec.upper()} ") == strategy


@given(st.text(alphabet="mrv/+:7 singlecowj-\x00é", max_size=30))
def test_any_text_is_a_strategy_or_one_sentence(text: str) -> None:
    """Never another exception."""
    try:
        Strategy.parse(text)
    except StrategyError as error:
        assert str(error) and "\n" not in error.message.replace(text, "")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("row-major/ascending+chronological", "row-major"),
        ("mrv+hidden-singles+naked-singles", "mrv+singles"),
        ("MRV / lcv + pairs + locked + singles", "mrv/lcv+singles+locked+pairs"),
        ("random:007+cbj+forward", "random:7+forward+cbj"),
        ("mrv+locked+locked", "mrv+locked"),
        ("MRV + last-conflict+cbj+singles", "mrv+singles+last-conflict+cbj"),
        ("row-major + singles@root", "row-major+singles@root"),
        ("mrv+hidden-singles@root+naked-singles@root", "mrv+singles@root"),
        ("mrv+pairs@root+naked-singles+locked@ROOT", "mrv+naked-singles+locked@root+pairs@root"),
        ("mrv+singles@root+naked-singles", "mrv+naked-singles+hidden-singles@root"),
        ("mrv+singles+singles@root", "mrv+singles"),
        ("mrv+singles@root+cbj", "mrv+singles@root+cbj"),
    ],
)
def test_the_shortest_spec_of_a_strategy_is_how_it_is_written(written: str, expected: str) -> None:
    """Without defaults; rules that run at the root only are marked."""
    assert str(Strategy.parse(written)) == expected
    assert Strategy.parse(expected) == Strategy.parse(written)


def test_a_sentence_says_which_rules_run_at_the_root_only() -> None:
    assert Strategy.parse("row-major+singles@root").sentence == (
        "Logic once, before the first guess: forced digits; takes the empty cells in reading order"
    )


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mrv+cbj@root", ["cbj@root", "a backtracking method", "+cbj"]),
        ("mrv+single@root", ["'single'", "did you mean singles?"]),
        ("mrv+@root", ["missing"]),
        ("mrv@root", ["'mrv@root'"]),
        ("mrv+singles@node", ["'singles@node'"]),
        ("mvr", ["'mvr'", "did you mean mrv?"]),
        ("", ["missing", "row-major"]),
        ("mrv/lvc", ["value order 'lvc'", "'mrv/lvc'", "did you mean lcv?"]),
        ("mrv/", ["value order is missing"]),
        ("mrv+single", ["'single'", "did you mean singles?"]),
        ("mrv+", ["missing"]),
        ("random", ["needs a seed", "random:7"]),
        ("random:x", ["'x'", "whole number"]),
        ("random:-1", ["'-1'"]),
        ("random:99999999999999999999", ["99999999999999999999"]),
        ("mrv:7", ["has no seed"]),
        ("mrv+cbj+lds", ["two backtracking methods", "cbj", "lds"]),
        ("dom-wdeg+lds", ["learns", "mrv+lds"]),
        ("activity+lds", ["activity learns"]),
        ("mrv/shuffled:1+lds", ["shuffled draws another"]),
        ("mrv-random:1+lds", ["mrv-random draws another"]),
        ("mrv+lds+luby:3", ["lds can't be combined with luby:3: both restart"]),
        ("mrv+sac@root+lds", ["sac may fill one", "mrv+singles+lds"]),
        ("mrv+luby", ["number of dead-ends", "luby:10"]),
        ("mrv+luby:0", ["from 1", "'0'"]),
        ("mrv+luby:2+luby:3", ["two restarts", "luby:2", "luby:3"]),
        ("mrv+luby:2@root", ["luby@root", "not a rule"]),
        ("mrv+cbj+nogoods", ["two backtracking methods", "nogoods"]),
        ("propagation+cbj", ["whole strategy", "mrv+singles"]),
        ("mrv+last-conflict@root", ["last-conflict@root", "a priority", "+last-conflict"]),
        ("mrv+last-conflict+lds", ["last-conflict learns", "mrv+lds"]),
        ("mrv+last-conflit", ["did you mean last-conflict?"]),
        ("last-conflict", ["'last-conflict'"]),
        ("mrv" * 500, ["1500 characters"]),
    ],
)
def test_a_spec_that_is_wrong_is_refused_in_one_sentence(spec: str, words: list[str]) -> None:
    """The sentence names the part that is wrong and says what to write."""
    with pytest.raises(StrategyError) as caught:
        Strategy.parse(spec)
    for word in words:
        assert word in str(caught.value)


def test_every_part_has_a_sentence_and_a_source() -> None:
    """What `undoku list strategies` shows."""
    for part in parts():
        assert part.sentence.endswith((".", "contrast.", "first."))
        assert part.source
    assert {part.kind for part in parts()} == set(PartKind)


@pytest.mark.parametrize("name", NAMES[PartKind.PRESET])
def test_a_preset_is_accepted_wherever_a_spec_is(name: str) -> None:
    """It searches as its spec does, under its own name."""
    preset = next(part for part in parts(PartKind.PRESET) if part.name == name)
    trace = search(EASY.grid, name)
    assert trace.header.strategy == str(trace.strategy) == name
    assert trace.strategy.spec == preset.spec
    assert trace.header.exhaustive == preset.exhaustive
    plain = search(EASY.grid, preset.spec, Limits(exhaustive=preset.exhaustive))
    assert trace.read().tolist() == plain.read().tolist()


def test_a_name_is_registered_once() -> None:
    """Also across kinds that stand at the same place in a spec."""
    for part in (
        Part(PartKind.CELLS, "mrv", "Again.", "a test"),
        Part(PartKind.PRESET, "mrv", "Again.", "a test", spec="mrv"),
        Part(PartKind.INFERENCE, "cbj", "Again.", "a test"),
    ):
        with pytest.raises(StrategyError, match="already"):
            register(part)
    with pytest.raises(StrategyError, match="can't be called 'a\\+b'"):
        register(Part(PartKind.VALUES, "a+b", "No.", "a test"))


@pytest.mark.parametrize(
    ("spec", "plain"),
    [
        ("row-major", "Row by row"),
        ("column-major", "Column by column"),
        ("mrv", "Fewest options first"),
        ("random:7", "Random order 7"),
        ("mrv/descending", "Fewest options first, highest values first"),
        ("mrv+naked-singles", "Fewest options first, cells with one option"),
        ("mrv+singles", "Fewest options first, forced digits"),
        (
            "mrv+singles+pairs+x-wing",
            "Fewest options first, forced digits, pairs and X-wings",
        ),
        ("row-major+singles@root", "Row by row, forced digits at the start"),
        ("row-major+cbj", "Row by row, jumps back to the cause"),
        ("propagation", "Constraint propagation"),
    ],
)
def test_a_strategy_has_a_plain_name(spec: str, plain: str) -> None:
    assert Strategy.parse(spec).plain_name == plain
    assert search(EASY.grid, spec).header.label == plain


@given(specs(), specs())
def test_different_specs_have_different_plain_names(first: str, second: str) -> None:
    one, other = Strategy.parse(first), Strategy.parse(second)
    assert (one.plain_name == other.plain_name) == (one == other)


def test_a_part_that_declares_no_plain_name_is_called_by_its_name_in_words() -> None:
    assert Part(PartKind.CELLS, "most-recent", "…", "…").plain_name == "Most recent"
    assert Part(PartKind.INFERENCE, "y-wing", "…", "…").plain_name == "y wing"
