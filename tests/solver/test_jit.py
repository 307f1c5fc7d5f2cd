"""Compiled loops lie in numba's cache and are loaded from it with nothing around them."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

LOOPS = """
import numpy as np
from solver.jit import compiled, lean

@compiled
def total(count):
    return np.arange(count).sum()

@lean
def doubled(numbers):
    for place in range(len(numbers)):
        numbers[place] *= 2
    return numbers[-1]

@lean
def quadrupled(numbers):
    doubled(numbers)
    return doubled(numbers)

@lean
def counted(count):
    return total(count) + 1
"""
SAY = "; print(found, 'numba.np.arrayobj' in sys.modules, sum(loop.stats.cache_hits.values()))"


def said(folder: Path, code: str) -> str:
    """What a process of its own prints that runs `code` with the loops."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import loops, numpy; {code}"
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code + SAY], capture_output=True, text=True, check=True, cwd=root
    )
    return done.stdout.strip()


def test_a_lean_loop_is_loaded_without_what_compiling_needs(tmp_path: Path) -> None:
    """The second process finds it in the cache, and numba's room for arrays stays shut."""
    (tmp_path / "loops.py").write_text(LOOPS)
    code = "loop = loops.doubled; found = loop(numpy.arange(4))"
    assert said(tmp_path, code) == "6 True 0"
    assert said(tmp_path, code) == "6 False 1"


def test_a_lean_loop_compiles_again_when_its_file_changes(tmp_path: Path) -> None:
    code = "loop = loops.doubled; found = loop(numpy.arange(4))"
    (tmp_path / "loops.py").write_text(LOOPS)
    said(tmp_path, code)
    (tmp_path / "loops.py").write_text(LOOPS.replace("*= 2", "*= 30"))
    assert said(tmp_path, code) == "90 True 0"


def test_a_lean_loop_that_calls_an_allocating_one_still_runs(tmp_path: Path) -> None:
    """Then numba's counting of references is there before it."""
    (tmp_path / "loops.py").write_text(LOOPS)
    code = "loop = loops.counted; {}found = loop(10)"
    assert said(tmp_path, code.format("loops.total(5); ")) == "46 True 0"
    assert said(tmp_path, code.format("")) == "46 True 1"


def test_a_loop_compiled_later_can_call_one_that_was_loaded(tmp_path: Path) -> None:
    """What it is linked with is read then, and not before."""
    (tmp_path / "loops.py").write_text(LOOPS)
    code = "loop = loops.doubled; found = loop(numpy.arange(4))"
    said(tmp_path, code)
    kept = "; kept = loop.overloads[loop.signatures[0]].library"
    assert said(tmp_path, code + kept + "; found = len(kept._bitcode) > 100") == "True False 1"
    code += kept + "; found = int(loops.quadrupled(numpy.arange(4))), kept._bitcode"
    assert said(tmp_path, code) == "(12, b'') True 1"
    # A process that has only the second loads it by itself.
    code = "loop = loops.quadrupled; found = loop(numpy.arange(4))"
    assert said(tmp_path, code) == "12 False 1"


MIXED = """
import numpy as np
from solver.jit import lean

@lean
def less(count, by):
    return count - by

@lean
def mixed(bytes, words):
    short, long = bytes[0], words[0]
    return less(short, 7) + less(long, short) + less(np.int32(long), True + 0)
"""


def test_a_loop_that_others_call_with_numbers_of_any_width_is_compiled_once(tmp_path: Path) -> None:
    """And counts below 0, as Python does, where the numbers were unsigned."""
    (tmp_path / "loops.py").write_text(MIXED)
    code = (
        "loop = loops.mixed; "
        "found = loop(numpy.array([5], 'u1'), numpy.array([3], 'u4')), len(loops.less.signatures)"
    )
    assert said(tmp_path, code).startswith("(-2, 1) ")


def loops_of(tree: ast.AST, *kinds: str) -> set[str]:
    """The functions of a room that are compiled in one of these ways."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if isinstance(mark, ast.Name) and mark.id in kinds
    }


def called_by_python(tree: ast.AST, loops: set[str]) -> Iterator[str]:
    """The names that are called outside of the room's loops."""
    if isinstance(tree, ast.FunctionDef) and tree.name in loops:
        return
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        yield tree.func.id
    for part in ast.iter_child_nodes(tree):
        yield from called_by_python(part, loops)


def test_what_only_loops_can_call_only_loops_call() -> None:
    """Called from Python such a loop, as it lies in the cache, ends the process."""
    rooms = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
        for house in ("solver", "render", "tests", "benchmarks")
        for path in (ROOT / house).rglob("*.py")
    }
    inner = {room: loops_of(tree, "inner") for room, tree in rooms.items()}
    assert sum(map(len, inner.values())) > 50
    wrong = []
    for room, tree in rooms.items():
        known = inner[room] | {
            name.asname or name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for name in node.names
            if name.name in inner.get(node.module or "", ())
        }
        called = called_by_python(tree, loops_of(tree, "inner", "lean", "compiled"))
        wrong += [(room, name) for name in called if name in known]
    assert not wrong
