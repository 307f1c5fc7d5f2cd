"""undoku cache: where the machine code of loops is stored, what it lists, and how it is removed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.support.loop_processes import LOOPS, process
from undoku.cli.main import main
from undoku.machine_code import filling, known_loops
from undoku.machine_code.object_files import LOOPS as LOOPS_FOLDER
from undoku.machine_code.object_files import ObjectFile, keep


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With the machine code of two loops."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("UNDOKU_CACHE_DIR", str(folder))
    folder.mkdir(mode=0o700)
    for name, seconds in (("short", 0.5), ("long", 12.0)):
        made = ObjectFile("package.module", name, ("int64",), seconds=seconds, code=b"12345678")
        assert keep(folder / LOOPS_FOLDER, name, made)
    return folder


def test_the_command_prints_the_folder_and_the_size_of_the_cache(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = sum(path.stat().st_size for path in cache.rglob("*.loop"))
    assert main(["cache"]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == str(cache)
    assert second == f"2 loops that took 12 s to compile, {size:,} bytes in all"


def test_the_cache_lists_the_slowest_loops_first(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["12.00", "0.50"]
    assert main(["cache", "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported["folder"] == str(cache)
    assert {"loop": "package.module.long", "seconds": 12.0, "bytes": 8} in reported["loops"]


def test_the_cache_can_be_cleared(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out.startswith("removed 2 files, ")
    assert [*cache.rglob("*")] == []


def test_filling_says_when_nothing_is_missing(
    cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_loops, "known_loops", lambda package: ())
    monkeypatch.setattr(filling, "known_loops", lambda package: ())
    assert main(["cache", "fill", "-q"]) == 0
    assert capsys.readouterr().out == "nothing is missing\n"


def test_without_a_place_to_keep_anything_it_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("UNDOKU_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert main(["cache"]) == 3
    assert "set UNDOKU_CACHE_DIR to a folder that only you can write to" in capsys.readouterr().err


FILL = """
import resource
import sys
from undoku.cli.main import main
from undoku.machine_code import filling, known_loops
from undoku.machine_code.known_loops import KnownLoop

resource.setrlimit(resource.RLIMIT_FSIZE, (MOST, MOST))
doubled = KnownLoop("loops", "doubled", (("array", "<i8", 1, "C"),), "entered", 5.0)
filling.known_loops = known_loops.known_loops = lambda package: [doubled][package != "undoku":]
sys.exit(main(["cache", "fill", "-q"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no limits on the sizes of files")
@pytest.mark.parametrize(
    ("limit", "code", "out", "reported"),
    [
        ("1 << 30", 0, "compiled 1 loop\n", ""),
        ("100", 3, "", "undoku: 1 compiled loop can't be kept in '{folder}'; make room"),
    ],
)
def test_filling_says_when_the_disk_is_full(
    tmp_path: Path, limit: str, code: int, out: str, reported: str
) -> None:
    (tmp_path / "loops.py").write_text(LOOPS)
    filling = process(tmp_path, FILL.replace("MOST", limit), PYTHONDONTWRITEBYTECODE="1")
    printed, errors = filling.communicate()
    assert (filling.returncode, printed) == (code, out), errors
    assert errors.startswith(reported.format(folder=tmp_path / "cache"))


def test_an_unknown_action_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cache", "burn"])
    assert ended.value.code == 2
    assert "burn" in capsys.readouterr().err
