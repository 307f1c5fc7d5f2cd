"""Machine code is loaded without LLVM on Linux and x86-64, otherwise by LLVM."""

from __future__ import annotations

import platform
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.loop_processes import (
    PLAIN,
    machine_code_in,
    printed_by,
)
from tests.support.paths import ROOT
from undoku.machine_code.elf_loader import load_elf
from undoku.machine_code.object_files import ObjectFile, find
from undoku.machine_code.signatures import UnsupportedError

pytestmark = [
    PLAIN,
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or platform.machine() != "x86_64",
        reason="elsewhere LLVM loads machine code",
    ),
]

WITH_LLVM = """
import sys
import numpy, loops
print(loops.doubled(numpy.arange(4)), "llvmlite" in sys.modules)
"""

REFUSED = """
import undoku.machine_code.loading as loading
from undoku.machine_code.signatures import UnsupportedError

def refuse(code):
    raise UnsupportedError("as on another system")

loading.load_elf = refuse
"""


def loop_file(folder: Path) -> ObjectFile:
    path = machine_code_in(folder)
    found = find(path.parent, path.stem)
    assert found is not None
    return found


def test_a_process_whose_loops_lie_in_files_does_without_llvm(loop_folder: Path) -> None:
    printed_by(loop_folder, WITH_LLVM)  # from now on LLVM's name of this processor is remembered
    assert printed_by(loop_folder, WITH_LLVM) == "6 False"


def test_a_damaged_description_of_the_processor_is_made_again(
    loop_folder: Path,
) -> None:
    printed_by(loop_folder, WITH_LLVM)
    (memory,) = (loop_folder / "cache").glob("processor-*")
    content = memory.read_bytes()
    memory.write_bytes(content.replace(b"+", b"-", 1))
    assert printed_by(loop_folder, WITH_LLVM) == "6 True"
    assert memory.read_bytes() == content
    assert len([*(loop_folder / "cache" / "loops").iterdir()]) == 1


def test_other_object_files_are_loaded_by_llvm(loop_folder: Path) -> None:
    assert printed_by(loop_folder, REFUSED + WITH_LLVM) == "6 True"
    assert len([*(loop_folder / "cache" / "loops").iterdir()]) == 1  # nothing was compiled again


def test_all_functions_and_variables_of_a_file_are_found(loop_folder: Path) -> None:
    file = loop_file(loop_folder)
    found = load_elf(file.code)
    assert {file.entry, file.native, file.table} <= found.keys()
    assert all(found.values())


@pytest.mark.parametrize("length", [0, 10, 64, 200, -1, -600])
def test_a_truncated_file_is_refused(loop_folder: Path, length: int) -> None:
    with pytest.raises(UnsupportedError):
        load_elf(loop_file(loop_folder).code[:length])


def test_machine_code_of_another_processor_is_refused(loop_folder: Path) -> None:
    code = bytearray(loop_file(loop_folder).code)
    struct.pack_into("<H", code, 18, 183)  # aarch64
    with pytest.raises(UnsupportedError):
        load_elf(bytes(code))


def test_a_function_that_the_process_lacks_is_refused(loop_folder: Path) -> None:
    code = loop_file(loop_folder).code
    assert b"PyEval_SaveThread" in code
    with pytest.raises(UnsupportedError):
        load_elf(code.replace(b"PyEval_SaveThread", b"PyEval_NoSuchName"))


def test_a_film_loads_neither_llvm_nor_what_compiles_or_reads_fonts_nor_charts(
    tmp_path: Path,
) -> None:
    """All machine code of a film is of the kind that is loaded without LLVM; the first film may
    compile. Nor does numpy start a thread for each processor."""
    code = """
import atexit, os, sys
from undoku.cli.main import command
unused = {"fontTools", "llvmlite", "matplotlib", "numba", "undoku.player", "undoku.render.sound"}
atexit.register(lambda: print(len(os.listdir("/proc/self/task")), *unused & {*sys.modules}))
command()
"""
    words = [
        *("render", str(ROOT / "examples" / "puzzles" / "medium.txt"), "--size", "640x360"),
        *("--to-step", "300", "-q", "-y", "-o", str(tmp_path / "a.mp4")),
    ]
    for _ in range(2):
        ended = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
        )
    assert ended.stdout.split() == ["1"]
