"""Specs of strategies: read, written, refused, listed, and added by other packages."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from tests.support.plain_search.choices import luby_sequence
from tests.support.plain_search.search import REFERENCES, PlainSearch
from tests.support.puzzles import (
    EASY,
    FIFTY_MINUTES,
    OPEN,
    PUBLISHED,
    SPECS,
    UNSOLVABLE,
    dug,
    spoilt,
)
from tests.support.system import ROOT
from undoku.errors import StrategyError
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.sources import parse_puzzle, read
from undoku.solver.problem.variants import (
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_units,
    with_windows,
)
from undoku.solver.search.part_registry import parts, register
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import Part, PartKind
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Op

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


# Parts of strategies against plain programs written from their definitions: every event.


COMPARED = tuple(
    dict.fromkeys(
        (
            *SPECS,
            *(preset.spec for preset in parts(PartKind.PRESET)),
            "activity",
            "activity+forward",
            "activity+nogoods+sac+last-conflict",
            "activity+singles+luby:2",
            "bivalue+forward+last-conflict",
            "box-major+pairs@root+lds",
            "dom-wdeg+locked+cbj",
            "dom-wdeg+nogoods+singles",
            "dom-wdeg+pairs+x-wing",
            "dom-wdeg+swordfish+xy-wing",
            "dom-wdeg+triples+alldiff",
            "exact-cover+last-conflict+nogoods+luby:2",
            "exact-cover+sac+nogoods",
            "most+forward+last-conflict",
            "mrv+forward+nogoods",
            "mrv+naked-singles+xy-wing",
            "mrv+nogoods",
            "mrv+singles+cbj",
            "mrv+singles+nogoods",
            "mrv+singles+sac",
            "mrv-random:1/shuffled:1+forward+nogoods+luby:2",
            "mrv-random:1/shuffled:2+last-conflict+nogoods",
            "bivalue+forward",
            "bivalue+last-conflict",
            "mrv+last-conflict",
            "mrv+singles@root",
            "mrv-random:3",
            "mrv-random:5/shuffled:6+luby:2",
            "mrv-random:8/shuffled:9+singles+luby:1",
            "row-major+lds",
            "row-major+locked+nogoods",
            "row-major+nogoods",
            "row-major+sac",
            "row-major+singles+x-wing+swordfish+xy-wing",
            "row-major+swordfish",
            "row-major+swordfish+xy-wing+nogoods",
            "row-major/shuffled:2+luby:3",
            "spiral/descending+sac+cbj+last-conflict",
            "static/random:9+lds",
        )
    )
)

SMALL = (
    standard_geometry(4),
    with_diagonals(standard_geometry(4)),
    with_units(standard_geometry(4), [Unit("ring", 1, (0, 5, 11))]),
    latin_geometry(5),
    jigsaw_geometry("AABBB AACBB ACCCD EECDD EEEDD"),
    standard_geometry(6),
    standard_geometry(6, (3, 2)),
)


LARGE = (with_windows(standard_geometry(9)), with_diagonals(standard_geometry(9)))
MANY = 500


@cache
def generated(number: int) -> Puzzle:
    """Puzzle `number` of 500. Three of five are on boards of four to six values, of all kinds,
    every fourth with a wrong given: with one, several and no solutions. The others have nine
    values, some of them further units."""
    if number % 5 < 3:
        seed = number // 5 * 3 + number % 5
        puzzle = dug(SMALL[seed % len(SMALL)], seed, (0.2, 0.3, 0.4, 0.5)[seed // 6 % 4])
        return spoilt(puzzle, seed) if seed % 4 == 3 else puzzle
    geometry = LARGE[number // 50 % 2] if number % 50 == 3 else standard_geometry(9)
    puzzle = dug(geometry, number, 0.3)
    return spoilt(puzzle, number) if number % 5 == 4 else puzzle


FIFTY = parse_puzzle(FIFTY_MINUTES)
GRIDS = (*(p.grid for p in PUBLISHED.values()), FIFTY_MINUTES, UNSOLVABLE, OPEN)
HARD = tuple(map(parse_puzzle, GRIDS))
"""The published ones, one without a solution, one with very many."""


def assert_equal(puzzle: Puzzle, spec: str, most: int, *, exhaustive: bool = False) -> None:
    limits = Limits(exhaustive=exhaustive, max_nodes=most)
    trace = search(puzzle, spec, limits)
    expected = PlainSearch(puzzle, spec, most=most, exhaustive=exhaustive).events
    assert [tuple(event) for event in trace.read().tolist()] == expected
    check(trace)


def test_every_part_has_a_reference_and_is_compared() -> None:
    """A new cell order, value order, rule or way back needs a plain program, and a strategy in the
    list of those that the other tests try."""
    own = {
        (part.kind, part.name)
        for part in parts(*(kind for kind in PartKind if kind is not PartKind.PRESET))
        if not part.spec or part.name in part.spec.split("+")
    }
    assert own == {(kind, name) for kind, known in REFERENCES.items() for name in known}
    used: set[tuple[PartKind, str]] = set()
    for spec in SPECS:
        how = Strategy.parse(spec)
        used |= {
            (PartKind.CELLS, how.cells.partition(":")[0]),
            (PartKind.VALUES, how.values.partition(":")[0]),
            (PartKind.PRIORITY, how.priority),
            (PartKind.BACK, how.back),
            (PartKind.RESTART, how.restart.partition(":")[0]),
            *((PartKind.INFERENCE, rule) for rule in (*how.inference, *how.presolve)),
        }
    assert own <= used


def assert_defined(numbers: range, spec: str, small: int, large: int) -> None:
    """Generated puzzles: small ones mostly for all solutions, with at most so many nodes."""
    for number in numbers:
        puzzle = generated(number)
        if puzzle.size < 9:
            assert_equal(puzzle, spec, small, exhaustive=number % 4 > 0)
        else:
            assert_equal(puzzle, spec, large)


@pytest.mark.parametrize("spec", COMPARED)
def test_every_event_is_that_of_the_definition(spec: str) -> None:
    """On a few boards of each kind, and on some of nine values."""
    first = COMPARED.index(spec) % 5
    slow = "sac" in spec
    assert_defined(range(first, 100, 24), spec, 3 if slow else 30, 1 if slow else 12)


ON_BOARDS = ("column-major", "spiral")
"""The orders whose plain programs know only boards."""


@pytest.mark.parametrize("spec", [spec for spec in COMPARED if not spec.startswith(ON_BOARDS)])
def test_every_event_on_a_map_is_that_of_the_definition(spec: str) -> None:
    """Sets of two variables, none of which must have every value; a region without a border."""
    assert_equal(parse_puzzle("map:australia"), spec, 40, exhaustive=True)


@pytest.mark.long
@pytest.mark.parametrize("spec", COMPARED)
def test_every_event_is_that_of_the_definition_on_five_hundred_puzzles(spec: str) -> None:
    """And on hard ones, up to 300 nodes."""
    slow = "sac" in spec
    assert_defined(range(MANY), spec, 40 if slow else 100, 3 if slow else 40)
    for puzzle in HARD:
        assert_equal(puzzle, spec, 12 if slow else 300)


def test_nogoods_take_the_slots_of_older_ones() -> None:
    """A thousand are kept; this search records more, and goes on like its definition."""
    puzzle, most = dug(SMALL[0], 0, 0.25), 2000
    trace = search(puzzle, "row-major+nogoods", Limits(exhaustive=True, max_nodes=most))
    assert (trace.read()["op"] == Op.LEARN).sum() > 1050
    assert_equal(puzzle, "row-major+nogoods", most, exhaustive=True)


EXPLAINED = ("row-major+forward+nogoods", "mrv+hidden-singles+nogoods", "box-major+singles+cbj")


@pytest.mark.parametrize("spec", EXPLAINED)
def test_explanations_are_those_of_the_definition_on_thirty_five_puzzles(spec: str) -> None:
    """The sets of decisions that are recorded, and how far the search goes back for them: on the
    eight hard puzzles, and on 27 others of nine values."""
    generated_ones = [generated(number) for number in range(3, 138, 5)]
    for puzzle in (*HARD, *generated_ones):
        assert_equal(puzzle, spec, 60)


def test_a_place_is_explained_by_its_own_causes_alone() -> None:
    """What had left its cell fewer candidates before is no reason for it: seven decisions would be
    recorded here, of which one is superfluous."""
    hardest = read(str(ROOT / "examples" / "puzzles" / "worlds-hardest.txt"))
    trace = search(hardest, "row-major+forward+nogoods", Limits(120))
    assert trace.read()[249].tolist() == (Op.LEARN, 0, 6)


def test_the_runs_of_a_search_are_those_of_luby_sinclair_and_zuckerman() -> None:
    """As printed in their paper."""
    paper = [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1]
    assert list(islice(luby_sequence(), 16)) == paper
    spec, most = "mrv-random:4/shuffled:4+luby:1", 1000
    assert_equal(FIFTY, spec, most)
    assert search(FIFTY, spec, Limits(max_nodes=most)).tally().restarts > 16


def test_a_search_for_all_solutions_goes_back_from_parts_with_solutions() -> None:
    """Its backtracks are no failures: no cell ran out of values."""
    counted = search(EASY.grid, "mrv", Limits(exhaustive=True)).tally()
    assert (counted.backtracks, counted.dead_ends, counted.solutions) == (42, 0, 1)
