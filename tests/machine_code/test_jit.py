"""Compiled loops: what they compute, when they are compiled, and when again. Everything holds for
both ways of compiling, with the oldest and the newest numba that pyproject.toml allows; they differ
only in the memory for loading and in how often a loop is compiled.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.forked_processes import NumbaForks
from tests.support.loop_processes import printed_by
from tests.support.paths import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="runs code in forks")

WAYS = ("fast", "documented")

both_ways = pytest.mark.parametrize(
    "way", ["fast", pytest.param("documented", marks=pytest.mark.long)]
)
"""Each in a second of its own: the documented one in the long run."""

LOOPS = """
import numpy as np
from undoku.machine_code.jit import compiled, lean

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

COUNTING = """
import sys
import numpy
from numba.core import event

class Counter(event.Listener):
    count = 0
    def on_start(self, event):
        Counter.count += 1
    def on_end(self, event):
        pass

event.register("numba:compile", Counter())
"""


Output = Callable[[Path, str, str], str]

Run = Callable[..., tuple[str, int]]
"""Takes a folder, an expression with its module `loops`, and a way to compile ("fast" if none is
given). Returns the value, and the number of functions compiled for it, in a process of its own."""

CALL = f"{COUNTING}\nimport loops\nprint(({{}}), Counter.count)"


@pytest.fixture(scope="module")
def output(forks: NumbaForks) -> Output:
    """What a fork prints that runs code with the modules of a folder, compiled one way."""

    def output(folder: Path, code: str, way: str) -> str:
        cache = str(folder / "cache")
        done = forks.run(code, folder, {"UNDOKU_NUMBA": way, "UNDOKU_CACHE_DIR": cache})
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return output


@pytest.fixture(scope="module")
def run(output: Output) -> Run:
    def run(folder: Path, expression: str, way: str = "fast") -> tuple[str, int]:
        value, _, count = output(folder, CALL.format(expression), way).rpartition(" ")
        return value, int(count)

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "loops.py").write_text(LOOPS)
    return tmp_path


def test_machine_code_is_found_again_by_the_way_that_made_it(folder: Path, run: Run) -> None:
    """And by no other; also when the file is only written again, as when a repository is copied or
    checked out: the content counts, not the time."""
    for way in WAYS:
        value, count = run(folder, "loops.doubled(numpy.arange(4))", way)
        assert value == "6"
        assert count > 0
    (folder / "loops.py").write_text(LOOPS)
    os.utime(folder / "loops.py", (1, 1))
    for way in WAYS:
        assert run(folder, "loops.doubled(numpy.arange(4))", way) == ("6", 0)


SHORT_ROWS = """
import numpy as np
from undoku.machine_code.jit import lean, superword

def distance(one, other):
    total = 0
    for row in range(0, len(one), 8):
        for step in range(8):
            total += abs(int(np.int64(one[row + step])) - int(np.int64(other[row + step])))
    return total

scalar, packed = lean(distance), superword(distance)
"""


def test_a_superword_loop_has_machine_code_of_its_own_and_the_same_results(
    tmp_path: Path, run: Run
) -> None:
    """The same function in both ways of optimising it."""
    (tmp_path / "loops.py").write_text(SHORT_ROWS)
    given = "numpy.arange(64, dtype='uint8'), numpy.arange(64, dtype='uint8')[::-1].copy()"
    value, _ = run(tmp_path, f"(loops.scalar({given}), loops.packed({given}))")
    assert value == "(2048, 2048)"
    assert len([*(tmp_path / "cache" / "loops").glob("*.loop")]) == 2


@pytest.mark.parametrize("way", WAYS)
def test_an_edit_compiles_again_and_leaves_no_files_of_earlier_versions(
    folder: Path, way: str, run: Run
) -> None:
    """Also where it moves a function to another line."""
    counts = set()
    for edit in (2, 3):
        source = LOOPS.replace("*= 2", f"*= {edit}")
        (folder / "loops.py").write_text("\n" * edit + source)
        value, count = run(folder, "loops.doubled(numpy.arange(4))", way)
        assert value == str(3 * edit)
        assert count > 0
        counts.add(len([*folder.rglob("*.nb[ic]")]))
    assert len(counts) == 1


@both_ways
def test_a_lean_loop_that_calls_an_allocating_one_runs(folder: Path, way: str, run: Run) -> None:
    """Once the other is compiled."""
    assert run(folder, "loops.total(5), loops.counted(10)", way)[0] == "(10, 46)"
    assert run(folder, "loops.counted(10)", way) == ("46", 0)


@both_ways
def test_a_loop_compiled_later_can_call_one_that_was_loaded(
    folder: Path, way: str, run: Run
) -> None:
    run(folder, "loops.doubled(numpy.arange(4))", way)
    expression = "int(loops.doubled(numpy.arange(4))), int(loops.quadrupled(numpy.arange(4)))"
    value, count = run(folder, expression, way)
    assert value == "(6, 12)"
    assert count > 0
    assert run(folder, "loops.quadrupled(numpy.arange(4))", way) == ("12", 0)


INNER = """
from undoku.machine_code.jit import lean
{}

@lean
def inner(number):
    return number * {}
"""

OUTER = """
from undoku.machine_code.jit import lean
{}

@lean
def outer(number):
    return inner(number) + {}
"""


@both_ways
def test_a_change_of_a_function_reaches_those_that_call_it_from_other_files(
    tmp_path: Path, way: str, run: Run
) -> None:
    """Their machine code holds a copy of it."""
    (tmp_path / "inner_loops.py").write_text(INNER.format("", 2))
    (tmp_path / "loops.py").write_text(OUTER.format("from inner_loops import inner", 0))
    assert run(tmp_path, "loops.outer(10)", way)[0] == "20"
    (tmp_path / "inner_loops.py").write_text(INNER.format("", 6))
    assert run(tmp_path, "loops.outer(10)", way)[0] == "60"
    assert run(tmp_path, "loops.outer(10)", way) == ("60", 0)


def test_a_change_of_a_constant_reaches_loops_through_modules_of_a_package(
    tmp_path: Path, run: Run
) -> None:
    """Whatever way it is imported, and through a module that has no loops."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inner_loops.py").write_text(INNER.format("from .table import FACTOR", "FACTOR"))
    (package / "table.py").write_text("from package import numbers\nFACTOR = numbers.FACTOR\n")
    imports = "from package.inner_loops import (\n    inner,\n)"
    (package / "outer_loops.py").write_text(OUTER.format(imports, 1))
    (tmp_path / "loops.py").write_text("import package.outer_loops as found\nouter = found.outer\n")
    for factor in (2, 6):
        (package / "numbers.py").write_text(f"FACTOR = {factor}\n")
        assert run(tmp_path, "loops.outer(10)")[0] == str(10 * factor + 1)


def test_a_change_elsewhere_compiles_nothing(tmp_path: Path, run: Run) -> None:
    (tmp_path / "inner_loops.py").write_text(INNER.format("", 2))
    (tmp_path / "loops.py").write_text(OUTER.format("from inner_loops import inner", 0))
    (tmp_path / "other.py").write_text("")
    run(tmp_path, "loops.outer(10)")
    (tmp_path / "other.py").write_text("print()")
    assert run(tmp_path, "loops.outer(10)") == ("20", 0)


@both_ways
def test_a_changed_comment_or_docstring_compiles_nothing(
    tmp_path: Path, way: str, run: Run
) -> None:
    """In the file of a loop and in those that it imports, also where it moves the loop to another
    line."""
    inner, outer = tmp_path / "inner_loops.py", tmp_path / "loops.py"
    inner.write_text(INNER.format("", 2))
    outer.write_text(OUTER.format("from inner_loops import inner", 0))
    assert run(tmp_path, "loops.outer(10)", way)[0] == "20"
    for path in (inner, outer):
        source = path.read_text().replace("return", '"""What it does."""\n    return')
        path.write_text(
            '"""Loops."""\n# Two of them.\n' + source.replace("@lean", "\n\n@lean  # fast")
        )
    assert run(tmp_path, "loops.outer(10)", way) == ("20", 0)
    outer.write_text(outer.read_text().replace("+ 0", "+ 1"))
    assert run(tmp_path, "loops.outer(10)", way)[0] == "21"


def test_two_loops_of_one_name_in_a_file_have_machine_code_of_their_own(
    tmp_path: Path, run: Run
) -> None:
    source = """
import os
from undoku.machine_code.jit import lean
if os.environ["UNDOKU_NUMBA"] == "fast":
    @lean
    def factor(number):
        return number * 2
else:
    @lean
    def factor(number):
        return number * 3
"""
    (tmp_path / "first.py").write_text(source)
    (tmp_path / "loops.py").write_text(
        "import first, importlib, os\nresults = [first.factor(10)]\n"
        "os.environ['UNDOKU_NUMBA'] = ''\n"
        "results.append(importlib.reload(first).factor(10))\n"
    )
    assert run(tmp_path, "loops.results")[0] == "[20, 30]"


@both_ways
def test_files_that_name_types_which_are_gone_are_never_read(
    folder: Path, way: str, run: Run
) -> None:
    """The key of machine code holds the types of its arguments, named tuples among them."""
    source = """
from typing import NamedTuple
from undoku.machine_code.jit import lean

class NAME(NamedTuple):
    count: int

@lean
def read(pair):
    return pair.count
"""
    for name in ("First", "Second"):
        (folder / "loops.py").write_text(source.replace("NAME", name))
        assert run(folder, f"loops.read(loops.{name}(7))", way)[0] == "7"


MIXED = """
import numpy as np
from undoku.machine_code.jit import lean

@lean
def less(count, by):
    return count - by

@lean
def mixed(bytes, words):
    short, long = bytes[0], words[0]
    return less(short, 7) + less(long, short) + less(np.int32(long), True + 0)
"""


@both_ways
def test_numbers_of_any_width_count_below_0_as_in_python(
    tmp_path: Path, way: str, run: Run
) -> None:
    """Also where the numbers are unsigned."""
    (tmp_path / "loops.py").write_text(MIXED)
    assert run(tmp_path, "loops.mixed(numpy.array([5], 'u1'), numpy.array([3], 'u4'))", way)[0] == (
        "-2"
    )


def test_a_loop_that_others_call_with_numbers_of_any_width_is_compiled_once(
    tmp_path: Path, run: Run
) -> None:
    (tmp_path / "loops.py").write_text(MIXED)
    expression = "loops.mixed(numpy.array([5], 'u1'), numpy.array([3], 'u4'))"
    assert run(tmp_path, expression) == ("-2", 2)


POINTERS = """
import numpy as np
from undoku.machine_code.jit import entry_point, lean

@lean
def add(row, number):
    return row[0] + number

@lean
def multiply(row, number):
    return row[0] * number

@lean
def fold(functions, row, number):
    for function in functions:
        number = function(row, number)
    return number

def folded(*functions):
    row = np.array([3])
    loop = entry_point(fold, (functions,), ((row, 1),), (row, 1))
    return loop(functions, row, 5), loop(functions, row, 6)
"""


@both_ways
def test_a_loop_calls_functions_of_the_callers_choice(tmp_path: Path, way: str, run: Run) -> None:
    """And is compiled once for all choices of as many functions."""
    (tmp_path / "loops.py").write_text(POINTERS)
    assert run(tmp_path, "loops.folded(loops.add, loops.multiply)", way)[0] == "(24, 27)"
    assert run(tmp_path, "loops.folded(loops.multiply, loops.add)", way) == ("(18, 21)", 0)
    assert run(tmp_path, "loops.folded(loops.add, loops.add)", way) == ("(11, 12)", 0)


PEAK = "int(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells it")
def test_a_lean_loop_is_loaded_without_what_compiling_needs(folder: Path) -> None:
    """A process that compiles nothing takes 15 MB less at least."""
    code = f"import numba, loops, numpy\nloops.doubled(numpy.arange(4))\nprint({PEAK})"
    compiling, loading = (int(printed_by(folder, code)) for _ in range(2))
    assert loading + 15_000 < compiling


UNKNOWN = """
import numba
numba.__version__ = "0.999.0"
import loops, numpy
print(loops.doubled(numpy.arange(4)))
"""


def test_a_numba_that_was_not_tested_is_used_by_its_documented_interface(
    folder: Path, output: Output
) -> None:
    """It compiles correctly, and no machine code of it is entered without it."""
    made = folder / "cache" / "loops"
    assert output(folder, UNKNOWN, "") == "6"
    assert not made.exists()
    known = UNKNOWN.replace('"0.999.0"', "numba.__version__")
    assert output(folder, known, "") == "6"
    assert len([*made.iterdir()]) == 1


MISSING = """
from numba.core import {module}
del {module}.{part}
import loops, numpy
print(loops.doubled(numpy.arange(4)))
"""


@pytest.mark.parametrize(
    ("module", "part"),
    [("codegen", "JITCodeLibrary"), ("typed_passes", "AnnotateTypes"), ("cpu", "CPUTargetOptions")],
)
def test_a_numba_that_lacks_a_part_is_used_by_its_documented_interface(
    folder: Path, module: str, part: str, output: Output
) -> None:
    assert output(folder, MISSING.format(module=module, part=part), "") == "6"
    assert not (folder / "cache" / "loops").exists()


def test_pyproject_allows_the_versions_of_numba_that_were_tested() -> None:
    from undoku.machine_code.numba_internals import TESTED

    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (bounds,) = (text.removeprefix("numba") for text in wanted if text.startswith("numba"))
    first, last = (".".join(map(str, version)) for version in TESTED)
    below = f"{TESTED[1][0]}.{TESTED[1][1] + 1}"
    assert bounds == f">={first},<{below}", f"tested with {first} to {last}"


def compiled_files() -> list[Path]:
    """The modules of the program that have compiled loops."""
    return [
        path
        for path in sorted((ROOT / "undoku").rglob("*.py"))
        if re.search(r"^@(lean|inner|exact|compiled)$", path.read_text("utf-8"), re.MULTILINE)
    ]


COMPILER = {"undoku.machine_code.jit", "undoku.machine_code.loop"}


def test_the_digest_of_a_module_covers_all_functions_that_its_loops_call() -> None:
    """Checked the other way round: by the modules of the functions that the loaded modules refer
    to."""
    from importlib import import_module

    from undoku.machine_code.source_digest import sources_behind

    seen = 0
    for path in compiled_files():
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        behind = sources_behind(str(path))
        for value in vars(module).values():
            source = sys.modules.get(getattr(value, "__module__", None) or "")
            file = getattr(source, "__file__", None) or ""
            compiler = source is not None and source.__name__ in COMPILER
            if file.startswith(f"{ROOT}/undoku/") and not compiler:
                assert file in behind, f"{module.__name__} refers to {value}"
                seen += 1
    assert seen > 200
