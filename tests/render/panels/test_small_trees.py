"""Small trees: every node known, placed tidily, and drawn where it belongs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_walks import observe, slow_nodes
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, search
from undoku.render.draw.canvas import Rect
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.film.scene import Scene
from undoku.render.layout.tree_layout import places
from undoku.render.panels.node_link_tree import NodeLinkPanel, pitch_of
from undoku.render.panels.panel import chart_box
from undoku.render.panels.search_tree import IciclePanel
from undoku.render.playback.survey import MAX_NODES, Tree
from undoku.render.settings.settings import FilmSettings
from undoku.solver.trace.steps import fold


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """Parents of nodes in the order in which a depth-first search makes them."""
    parents, path = [0], [0]
    for climb in draw(st.lists(st.integers(0, 6), max_size=60)):
        path = path[: max(1, len(path) - climb)]
        parents.append(path[-1])
        path.append(len(parents) - 1)
    return parents


@given(trees())
def test_trees_are_tidy(parents: list[int]) -> None:
    """Neighbours of a depth are a unit apart or more, in their order; parents are in the middle
    above their outermost children; the drawing begins at 0."""
    x, depth = places(parents)
    assert min(x) == 0
    rows: dict[int, list[int]] = {}
    for node in range(len(parents)):
        assert depth[node] == (depth[parents[node]] + 1 if node else 0)
        rows.setdefault(depth[node], []).append(node)
    for row in rows.values():
        for first, second in itertools.pairwise(row):
            assert x[second] - x[first] >= 1 - 1e-9
    children: dict[int, list[int]] = {}
    for node in range(1, len(parents)):
        children.setdefault(parents[node], []).append(node)
    for node, below in children.items():
        assert x[node] == pytest.approx((x[below[0]] + x[below[-1]]) / 2)


@given(trees())
def test_equal_subtrees_look_equal(parents: list[int]) -> None:
    """A tree twice under a new root is drawn as the same picture twice."""
    size = len(parents)
    twice = [0] + [0 if not node else parents[node] + 1 for node in range(size)]
    twice += [0 if not node else parents[node] + 1 + size for node in range(size)]
    x, _ = places(twice)
    first, second = np.array(x[1 : size + 1]), np.array(x[size + 1 :])
    assert (second - second[0]) == pytest.approx(first - first[0])


@pytest.mark.parametrize("strategy", ["mrv", "mrv+singles", "row-major"])
@pytest.mark.parametrize("cut", [1, 40, 10_000])
def test_a_recorded_tree_is_the_searchs(strategy: str, cut: int) -> None:
    trace = search(MEDIUM.grid, strategy, Limits(max_nodes=300))
    tree = Tree(MAX_NODES)
    observe(tree, trace.header.puzzle, trace.read().tolist(), [cut])
    depths, lasts, path, _ = slow_nodes(trace.read().tolist())
    assert tree.whole
    assert len(tree.parents) == trace.tally().nodes == len(depths)
    assert tree.current == path[-1]
    for node, parent in enumerate(tree.parents):
        assert depths[parent] == max(0, depths[node] - 1)
        assert parent <= node <= lasts[parent]


def test_a_tree_that_is_too_large_is_given_up_in_bounded_memory() -> None:
    trace = search(MEDIUM.grid, "row-major")
    tree = Tree(50)
    fold(trace, [tree])
    assert not tree.whole
    assert len(tree.parents) == 51


def film(*strategies: str, **settings: Any) -> Film:
    traces = [search(MEDIUM.grid, strategy) for strategy in strategies]
    return Film(traces, FilmSettings(**settings))


def test_links_are_shown_only_where_all_trees_are_small() -> None:
    """Two trees side by side are drawn in one way, on one scale."""
    kinds = {
        tuple(strategies): [
            type(panel)
            for panel in Scene(film(*strategies).script).panels
            if isinstance(panel, NodeLinkPanel | IciclePanel)
        ]
        for strategies in (["mrv"], ["row-major", "mrv"])
    }
    assert kinds == {("mrv",): [NodeLinkPanel], ("row-major", "mrv"): [IciclePanel, IciclePanel]}


def test_all_trees_of_a_film_have_one_pitch_and_stay_in_their_charts() -> None:
    chart = Rect(0, 0, 300, 200)
    wide, deep = places([0, 0, 0, 0]), places(list(range(-1, 30))[1:2] + list(range(30)))
    pitch = pitch_of(chart, [wide, deep])
    assert pitch is not None
    assert pitch[0] * (max(wide[0]) + 1) <= 300
    assert pitch[1] * (max(deep[1]) + 1) <= 200
    assert pitch_of(Rect(0, 0, 300, 30), [deep]) is None
    assert pitch_of(Rect(0, 0, 11, 200), [wide]) is None


def test_the_path_to_the_solution_is_left_in_the_end() -> None:
    made = Film([search(EASY.grid, "row-major")], FilmSettings())
    chart = chart_box(made.layout.blocks[0].panels["tree"], made.layout.text)
    accent = np.array(load_theme("dark").accent)
    seen = []
    for step in (58, 59):
        *_, frame = made.draw([made.shot_of_step(step)])
        part = frame.pixels[chart.y : chart.bottom, chart.x : chart.right]
        seen.append(int((part == accent).all(2).sum()))
    assert seen[0] == 0
    assert seen[1] > 50
