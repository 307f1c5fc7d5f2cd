"""Machine code in files: entered without numba, checked before it runs, compiled once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.forked_processes import NumbaForks
from tests.support.loop_processes import (
    LOOPS,
    PLAIN,
    SAID,
    ended,
    machine_code_in,
    printed_by,
    process,
)
from tests.support.puzzles import EASY
from undoku.machine_code import loop, object_files
from undoku.machine_code.carrying import is_valid
from undoku.machine_code.jit import lean
from undoku.machine_code.known_loops import KnownLoop, known_loops, written
from undoku.machine_code.loop import Loop
from undoku.machine_code.object_files import ObjectFile, find, keep
from undoku.machine_code.processors import levels_here
from undoku.machine_code.signatures import frozen
from undoku.solver.trace.search_trace import search

FORKED = SAID.replace('"numba"', '"undoku.machine_code.compiling"')
"""Says instead whether the module that alone imports numba was loaded: a fork has numba already."""

Said = Callable[..., str]


@pytest.fixture
def said(forks: NumbaForks) -> Said:
    """What a fork prints that runs code with the module `loops`; it may not complain."""

    def said(folder: Path, code: str = FORKED, **environment: str) -> str:
        own = {"UNDOKU_CACHE_DIR": str(folder / "cache"), **environment}
        done = forks.run(code, folder, own)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.strip()

    return said


def test_a_process_whose_loops_lie_in_files_does_without_numba(loop_folder: Path) -> None:
    assert printed_by(loop_folder) == "6 False"


@pytest.mark.parametrize("fault", ["magic", "digest", "header", "code", "cut", "empty", "other"])
def test_damaged_machine_code_is_never_run(loop_folder: Path, fault: str) -> None:
    """A flipped bit anywhere, missing bytes, or another layout: it is removed, and not loaded."""
    path = machine_code_in(loop_folder)
    content = bytearray(path.read_bytes())
    place = {"magic": 3, "digest": 30, "header": 70, "code": len(content) - 900}.get(fault)
    if place is not None:
        content[place] ^= 4
    elif fault == "other":
        content[: content.index(b"\n") + 1] = b"undoku machine code 0\n"
    else:
        del content[len(content) // 2 if fault == "cut" else 0 :]
    path.write_bytes(content)
    assert find(path.parent, path.stem) is None
    assert not path.exists()


def test_damaged_machine_code_is_compiled_again(loop_folder: Path, said: Said) -> None:
    """Also where what numba keeps beside it is damaged."""
    for path in (loop_folder / "cache").rglob("*"):
        if path.is_file():
            content = bytearray(path.read_bytes())
            content[len(content) // 2] ^= 1
            path.write_bytes(content)
    assert said(loop_folder) == "6 True"
    assert said(loop_folder) == "6 False"


def test_machine_code_of_another_processor_is_not_found(loop_folder: Path) -> None:
    assert printed_by(loop_folder, NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="") == "6 True"
    assert len([*(loop_folder / "cache" / "loops").iterdir()]) == 2


def test_a_changed_source_leaves_its_machine_code_alone(loop_folder: Path, said: Said) -> None:
    (loop_folder / "loops.py").write_text(LOOPS.replace("*= 2", "*= 3"))
    assert said(loop_folder) == "9 True"
    (loop_folder / "loops.py").write_text(LOOPS)
    assert said(loop_folder) == "6 False"


def test_on_a_full_disk_a_loop_is_compiled_and_nothing_is_left(tmp_path: Path, said: Said) -> None:
    (tmp_path / "loops.py").write_text(LOOPS)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))"
    assert said(tmp_path, f"{limit}\n{FORKED}") == "6 True"
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_without_a_place_for_the_cache_a_loop_is_compiled(loop_folder: Path, said: Said) -> None:
    """Here a file is where the folder should be."""
    (loop_folder / "file").write_text("")
    assert said(loop_folder, UNDOKU_CACHE_DIR=str(loop_folder / "file" / "cache")) == "6 True"


def test_without_a_home_machine_code_is_kept_where_temporary_files_are(
    loop_folder: Path, said: Said
) -> None:
    nowhere = str(loop_folder / "loops.py" / "home")
    environment = {"HOME": nowhere, "XDG_CACHE_HOME": "", "UNDOKU_CACHE_DIR": ""}
    assert said(loop_folder, TMPDIR=str(loop_folder), **environment) == "6 True"
    assert [*(loop_folder / f"undoku-{os.getuid()}" / "loops").iterdir()]


def test_a_folder_into_which_others_can_write_is_not_used(loop_folder: Path, said: Said) -> None:
    """They could put machine code there."""
    (loop_folder / "cache").chmod(0o777)
    assert said(loop_folder) == "6 True"


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_machine_code_of_another_user_is_not_run(loop_folder: Path) -> None:
    path = machine_code_in(loop_folder)
    os.chown(path, 12345, 12345)
    assert find(path.parent, path.stem) is None


def test_two_processes_that_start_at_once_compile_once(tmp_path: Path) -> None:
    (tmp_path / "loops.py").write_text(LOOPS)
    both = [process(tmp_path), process(tmp_path)]
    assert sorted(map(ended, both)) == ["6 False", "6 True"]
    assert not [*(tmp_path / "cache").rglob("*.part")]


INNER = """
from undoku.machine_code.jit import lean

@lean
def inner(number):
    return number + 1

@lean
def outer(number):
    return inner(number) * 2
"""

SHARED = """
from undoku.machine_code.jit import compiled, lean

@lean
def least(number):
    return number + 1

@lean
def left(number):
    return least(number) * 2

@lean
def right(number):
    return least(number) * 3

@lean
def top(number):
    return left(number) + right(number) + least(number)

@compiled
def allocating(number):
    return top(number) + left(number)
"""

FILL = """
import sys
import loops
from undoku.machine_code import filling
from undoku.machine_code.known_loops import KnownLoop

known = [KnownLoop("loops", name, ("int64",), role, 5.0)
         for name, role in (("outer", "entered"), ("inner", "called"), ("gone", "entered"))]
filling.known_loops = lambda package: tuple(known) if package == "loops" else ()
print(filling.fill(known), filling.fill(known), loops.outer(4), "numba" in sys.modules)
"""


def test_known_loops_are_compiled_by_other_processes_with_what_they_call(tmp_path: Path) -> None:
    """Only the one that Python calls has a file; a loop that is gone is passed over."""
    (tmp_path / "loops.py").write_text(INNER)
    assert printed_by(tmp_path, FILL) == "2 0 10 False"
    assert len([*(tmp_path / "cache").rglob("*.loop")]) == 1
    assert not [*(tmp_path / "cache" / "locks").iterdir()]


def test_two_processes_that_fill_the_cache_at_once_do_the_work_once(tmp_path: Path) -> None:
    """One of them waits for what the other compiles."""
    (tmp_path / "loops.py").write_text(INNER)
    both = [process(tmp_path, FILL), process(tmp_path, FILL)]
    assert sorted(map(ended, both)) == ["0 0 10 False", "2 0 10 False"]


def test_a_loop_that_several_loops_call_is_linked_once_into_each(
    tmp_path: Path, said: Said
) -> None:
    """Also where a function that allocates calls them, and when their code comes from the cache."""
    (tmp_path / "loops.py").write_text(SHARED)
    code = "import loops; print(loops.left(1), loops.top(1), loops.allocating(1))"
    for _ in range(2):
        assert said(tmp_path, code) == "4 12 16"


@pytest.fixture(scope="module")
def level_code(compiled_loop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with machine code for the lowest level of this architecture, named by it."""
    if not levels_here():
        pytest.skip("wheels carry none for this processor")
    level = levels_here()[-1]
    environment = {"NUMBA_CPU_NAME": level.name, "NUMBA_CPU_FEATURES": level.features}
    made, carried = (tmp_path_factory.mktemp(name) for name in ("made", "carried"))
    assert printed_by(compiled_loop, UNDOKU_CACHE_DIR=str(made), **environment) == "6 True"
    (made / "loops").rename(carried / level.label)
    return carried


@pytest.fixture
def installed(loop_folder: Path, level_code: Path) -> tuple[Path, str]:
    """A folder with a copy of that machine code, and statements that have a wheel carry it."""
    carried = loop_folder / "carried"
    shutil.copytree(level_code, carried)
    carries = (
        "from pathlib import Path; from undoku.machine_code import loop, processors\n"
        f"loop.carried_folder = lambda package: Path({str(carried)!r})\n"
    )
    return loop_folder, carries


def test_machine_code_in_a_wheel_is_found_before_the_cache(
    installed: tuple[Path, str], said: Said
) -> None:
    """The best available level that runs here."""
    folder, carries = installed
    assert said(folder, carries + FORKED, UNDOKU_CACHE_DIR=str(folder / "empty")) == "6 False"


def test_a_processor_that_no_level_of_a_wheel_fits_compiles(
    installed: tuple[Path, str], said: Said
) -> None:
    folder, carries = installed
    other = "processors._flags = lambda: {'sse3'}\n"
    for numba in (True, False):
        result = said(folder, carries + other + FORKED, UNDOKU_CACHE_DIR=str(folder / "empty"))
        assert result == f"6 {numba}"


NEITHER = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None\n"


def test_machine_code_in_a_wheel_runs_without_numba(
    installed: tuple[Path, str],
) -> None:
    folder, carries = installed
    code = NEITHER + carries + SAID.replace('"numba" in sys.modules', "sys.modules['numba']")
    assert printed_by(folder, code, UNDOKU_CACHE_DIR=str(folder / "empty")) == "6 None"


@pytest.mark.parametrize("gone", ["numba", "llvmlite"])
def test_without_numba_it_is_said_that_a_loop_must_be_compiled(tmp_path: Path, gone: str) -> None:
    (tmp_path / "loops.py").write_text(LOOPS)
    code = f"""
import sys
sys.modules[{gone!r}] = None
import numpy, loops
from undoku.errors import RunError
try:
    loops.doubled(numpy.arange(4))
except RunError as error:
    print(error.exit_code, error)
"""
    assert printed_by(tmp_path, code) == (
        f"3 a loop has to be compiled for this computer, and {gone} is not installed; "
        "install it with: pip install numba"
    )


def test_damaged_machine_code_in_a_read_only_package_is_compiled_again(
    installed: tuple[Path, str], said: Said
) -> None:
    """It can't be removed there, and is passed over each time."""
    folder, carries = installed
    (path,) = (folder / "carried").rglob("*.loop")
    content = bytearray(path.read_bytes())
    content[-900] ^= 4
    path.write_bytes(content)
    read_only = (
        "def refuse(path):\n"
        f"    if {str(folder / 'carried')!r} in str(path):\n"
        "        raise OSError(30, 'Read-only file system')\n"
        "Path.unlink = refuse\n"
    )
    for numba in (True, False):
        result = said(folder, carries + read_only + FORKED, UNDOKU_CACHE_DIR=str(folder / "empty"))
        assert result == f"6 {numba}"
    assert path.read_bytes() == content


def test_unused_files_are_removed_and_others_kept(tmp_path: Path) -> None:
    for name in ("new", "old"):
        assert keep(tmp_path, name, ObjectFile("module", name, ("int64",), code=b"code"))
    os.utime(tmp_path / "old.loop", (1, 1))
    object_files.remove_old(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["new.loop"]


@pytest.mark.parametrize("package", ["undoku"])
def test_the_tables_of_known_loops_are_up_to_date(package: str) -> None:
    """Each has its loop, with as many parameters; `make loops` writes them anew."""
    known = known_loops(package)
    assert len(known) > 20
    assert [f"{one.module}.{one.loop}" for one in known if not is_valid(one)] == []


def test_a_table_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = ("named", "module:Pair", ("int64", ("array", "<i8", 1, "C")))
    known = {
        KnownLoop("package.one", "loop", ("int64", pair, ("tuple", (pair, pair))), "entered", 0.5),
        KnownLoop("package.one", "rule", (("function", (pair,)),), "chosen", 0.1),
        KnownLoop("package.two", "loop", (), "called", 0.0),
    }
    place = tmp_path / "package" / "loop_signatures.json"
    place.parent.mkdir()
    place.write_text(written(known))
    monkeypatch.setattr(
        "undoku.machine_code.known_loops.__file__", str(tmp_path / "solver" / "code" / "a.py")
    )
    known_loops.cache_clear()
    assert set(known_loops("package")) == known
    known_loops.cache_clear()


class Pair(NamedTuple):
    numbers: NDArray[np.int64]
    amount: int


@lean
def described(pair: Pair, flag: bool, share: float, extra: int = 5) -> int:
    if flag:
        return 10 // pair.amount
    return int(pair.numbers[0]) + int(share) + extra


@PLAIN
def test_a_loop_takes_what_python_has_for_its_types() -> None:
    """Numbers of numpy, named arguments, defaults, arrays that can't be written, subclasses."""
    numbers = np.array([3, 4])
    assert described(Pair(numbers, 2), True, 0.5) == 5
    assert described(Pair(numbers, np.int32(2)), np.bool_(False), np.float64(2.5)) == 10  # type: ignore[arg-type]
    assert described(Pair(numbers, 2), flag=False, share=1.0, extra=100) == 104
    numbers.flags.writeable = False
    assert described(Pair(numbers, 2), False, 2.0) == 10
    assert described(Pair(numbers.view(np.memmap), 2), False, 2.0) == 10
    assert isinstance(described, Loop)
    assert len(described._by_signature) == 1


@PLAIN
def test_an_error_in_a_loop_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        described(Pair(np.array([3]), 0), True, 0.5)


@PLAIN
def test_a_number_that_is_too_large_is_refused() -> None:
    with pytest.raises(OverflowError):
        described(Pair(np.array([3]), 2**70), True, 0.5)


@PLAIN
def test_a_strategy_that_was_used_before_looks_for_no_machine_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its dozen functions are looked up once, not read and checked again for every search."""
    asked = "mrv/lcv+locked"
    first = search(EASY.grid, asked).read()
    monkeypatch.setattr(loop, "find", lambda *_: pytest.fail("looks for a file"))
    assert np.array_equal(search(EASY.grid, asked).read(), first)


def test_lists_of_json_are_tuples_again() -> None:
    assert frozen(["tuple", ["int64", ["array", "<i8", 1, "C"]]]) == (
        "tuple",
        ("int64", ("array", "<i8", 1, "C")),
    )
