"""Wrong arguments of public functions are refused in one sentence, whatever goes wrong inside."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undoku
from tests.support.puzzles import EASY

TRACE = undoku.search(EASY.grid, "mrv")
JOBS = {"jobs": [{"puzzles": [EASY.grid], "strategies": ["mrv"]}]}
GIF = (EASY.grid, "mrv", "x.gif")

WRONG: dict[str, list[tuple[Any, ...] | dict[str, Any]]] = {
    "batch": [(5,), ("none.toml",), ({"jobs": 5},), ({5: 5},), (JOBS, 5), {"jobs": -1}],
    "board_at": [(TRACE, -1), (TRACE, "x"), (EASY.grid, 3), (None, 0), (TRACE, 1 << 60)],
    "calls": [(5,), ("x",), (None,), ([1, 2, 3],), (len,)],
    "chart": [(5,), (EASY.grid, "nope"), (None,), {"size": (0, 0)},
              {"size": (0.001, 9)}, {"size": 5}, {"theme": 5},
              {"title": 5}, {"max_nodes": -1}, {"max_seconds": "x"}],
    "check": [(5,), (None,), (EASY.grid,), ("none.jsonl",), (object(),)],
    "compare": [(5,), (EASY.grid, "nope"), (EASY.grid, 5), (EASY.grid, None), (*GIF[:2], "x.xyz")],
    "film": [(5, "x.gif"), (EASY.grid, "nope"), {"fps": "x"}, {"captions": 5}, {"at_step": "x"},
             {"marks": 5}, {"max_seconds": "x"}, {"title": 5}, {"nonsense": 1}],
    "frames": [(), (5,), (EASY.grid, "nope"), {"fps": -1}, {"size": 5}],
    "generate": [("x",), (-1,), {"size": 3}, {"extra": 5}, {"symmetry": 5}, {"target": 5},
                 {"attempts": "x"}, {"givens": 2.5}],
    "load_theme": [("nope",), (5,), ("none.toml",), (None,), ("",)],
    "open_trace": [("none.jsonl",), (5,), (None,), ("",), (EASY.grid,)],
    "parse_puzzle": [("",), (5,), (None,), ("xyz",), (b"12",)],
    "parts": [(5,), ("cells",), (None,), (object(),), ([],)],
    "plan": [([5], "x", undoku.Pace()), (5, 60, undoku.Pace()), ([5], 60, None), (None, 60, None),
             ([-5], 60, undoku.Pace()), ([5], 0, undoku.Pace()), {"hold": -1}],
    "read_frames": [("none.gif",), (5,), (None,), ("",), ("..",)],
    "register": [(5,), (None,), ("x",), (1.5,), ([],)],
    "search": [(5,), ("",), (EASY.grid, "nope"), (EASY.grid, 5), (EASY.grid, "mrv", 5)],
    "solve": [(), (5,), (EASY.grid, "nope"), (b"x",), {"max_nodes": "x"}, {"max_seconds": "x"},
              {"exhaustive": "x"}],
    "standard_geometry": [(0,), ("x",), (9, (2, 2)), (9, 5), (9, (3,)), (9, ("a", "b"))],
    "stats": [(), (5,), (EASY.grid, "nope"), {"max_nodes": 0}, {"max_seconds": "x"}],
    "strategies": [(5,), ([1],), (object(),), (b"x",), (1.5,)],
    "study": [(5,), (None,), ([5],), ([EASY.grid], "nope"), {"seeds": "x"}, {"jobs": "x"},
              {"seed": -1}, {"labels": 5}, {"language": 5}, {"output": 5}, {"max_seconds": "x"}],
    "trace": [(5,), (None,), (EASY.grid, "nope"), (EASY.grid, 5), ("none.jsonl",)],
    "watch": [(5,), ([[0] * 5] * 5,), ([object()],), {"values": 5}, {"values": [[1]]},
              {"empty": [1]}, (np.array(5),), (np.zeros((0, 0)),), ([[[]] * 5] * 5, "queens:5")],
    "write_film": [(5, ["x.gif"]), (None, []), (TRACE, "x.gif"), (TRACE, 5), (TRACE, [5])],
    "write_lines": [(5,), (None,), (EASY.grid,), (object(),), ([],)],
    "write_trace": [(5, "x.jsonl"), (TRACE, "x.xyz"), (TRACE, 5), (TRACE, None), (None, "x.jsonl")],
}  # fmt: skip
"""Per function: positional arguments, or named ones after USUAL."""

USUAL: dict[str, tuple[Any, ...]] = {
    "film": GIF, "study": ([EASY.grid],), "generate": (), "watch": ([[0] * 9] * 9,),
    "batch": (JOBS,), "plan": ([5], 60, undoku.Pace()),
}  # fmt: skip
NAMES: list[str] = getattr(undoku, "__all__")  # noqa: B009  (the stub does not repeat the names)
FUNCTIONS = [name for name in NAMES if inspect.isroutine(getattr(undoku, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_arguments_are_refused_in_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(WRONG[name]) >= 5
    for wrong in WRONG[name]:
        given, named = wrong, {}
        if isinstance(wrong, dict):
            given, named = USUAL.get(name, (EASY.grid,)), wrong
        with pytest.raises(undoku.UndokuError) as refused:
            done = getattr(undoku, name)(*given, **named)
            if isinstance(done, Iterator):
                next(done)
        assert "\n" not in str(refused.value), wrong
    assert not list(tmp_path.iterdir())


def test_the_sentence_names_the_argument_and_what_it_takes() -> None:
    wrong: Any = "x"
    with pytest.raises(
        undoku.SettingsError, match=r"^undoku.board_at: step must not be 'x'; give"
    ) as refused:
        undoku.board_at(TRACE, wrong)
    assert isinstance(refused.value.__cause__, TypeError | ValueError)  # for whoever looks for it


def test_a_call_with_an_unknown_argument_is_refused_by_python() -> None:
    call: Any = undoku.solve
    with pytest.raises(TypeError, match=r"^solve\(\) got an unexpected keyword argument 'nodes'"):
        call(EASY.grid, nodes=5)


def test_errors_of_a_function_that_is_given_are_its_own() -> None:
    def solve(rows: list[list[int]]) -> None:
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        undoku.study([EASY.grid], solve)


def test_a_public_function_can_be_sent_to_another_process() -> None:
    sent: Callable[..., Any] = pickle.loads(pickle.dumps(undoku.solve))
    assert sent is undoku.solve
