"""Temporary files: those of active runs are left alone, those of killed runs are removed."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Undoku
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.system import ROOT
from undoku import file_lock, temporary_files
from undoku.errors import OutputError
from undoku.render.batch.batch_folder import BatchFolder
from undoku.render.write.staging import FolderStaging, Staging
from undoku.solver.study.journal import Journal
from undoku.temporary_files import (
    Leftover,
    Owner,
    leftovers,
    release,
    remove_leftover,
    take,
    tell_leftovers,
    temporary_folder,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files there can't be locked")

WRITER = """
import re, sys, time
from pathlib import Path
from undoku.render.batch.batch_folder import BatchFolder
from undoku.render.write.staging import FolderStaging
from undoku.render.write.staging import Staging
from undoku.temporary_files import temporary_folder

here = Path(sys.argv[1])
staging = Staging(here / "film.MP4")
staging.temporary.write_bytes(b"12345")
frames = FolderStaging(here / "frames", re.compile(".*"))
(frames.temporary / "1.png").write_bytes(b"123")
with temporary_folder(here) as folder, BatchFolder(here) as batch:
    (folder / "1.mp4").write_bytes(b"1234567")
    (batch.work / "part").write_bytes(b"12")
    print("ready", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has one of each kind of temporary file in the folder."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, tmp_path],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        yield process
        process.kill()


@pytest.fixture
def reported() -> Iterator[list[tuple[Path, list[Leftover]]]]:
    """The leftovers that runs report, by folder."""
    found: list[tuple[Path, list[Leftover]]] = []
    tell_leftovers(lambda *report: found.append(report))
    yield found
    tell_leftovers(None)


def test_leftovers_of_a_killed_run_are_reported_once_and_removed_and_no_file_of_an_active_one(
    tmp_path: Path,
    writer: subprocess.Popen[str],
    reported: list[tuple[Path, list[Leftover]]],
) -> None:
    """Files, folders of pictures, folders of segments and a batch's unfinished films."""
    strange = tmp_path / ".undoku-notes.txt"
    strange.write_text("not of a run")
    (tmp_path / ".undoku-0123456789ab.gif").symlink_to(strange)
    Staging(tmp_path / "a.gif").discard()
    alive = leftovers(tmp_path)
    assert reported == []
    assert [one.owner for one in alive] == [Owner.ALIVE] * 4
    assert sorted(one.bytes for one in alive) == [2, 3, 5, 7]
    assert not any(remove_leftover(one) for one in alive)
    writer.kill()
    writer.wait()
    tell_leftovers(lambda *report: reported.append(report))
    for name in ("a.gif", "b.gif"):
        Staging(tmp_path / name).discard()
    dead = [one._replace(owner=Owner.DEAD) for one in alive]
    assert reported == [(tmp_path, dead)]
    assert all(remove_leftover(one) for one in dead)
    assert leftovers(tmp_path) == []
    assert strange.read_text() == "not of a run"


@pytest.mark.parametrize("kind", ["file", "frames", "segments", "batch"])
def test_every_kind_of_run_looks_for_leftovers(
    tmp_path: Path, kind: str, reported: list[tuple[Path, list[Leftover]]]
) -> None:
    left = tmp_path / ".undoku-0123456789ab.mp4"
    left.write_bytes(b"123")
    match kind:
        case "file":
            Staging(tmp_path / "a.gif").discard()
        case "frames":
            FolderStaging(tmp_path / "frames", re.compile(".*")).discard()
        case "segments":
            with temporary_folder(tmp_path):
                pass
        case "batch":
            with BatchFolder(tmp_path):
                pass
    assert reported == [(tmp_path, [Leftover(left, 3, Owner.DEAD)])]


def test_finished_and_discarded_files_leave_no_lock(tmp_path: Path) -> None:
    """A thousand files in one process need no more descriptors than one."""
    for _ in range(550):
        Staging(tmp_path / "b.txt").discard()
        staging = Staging(tmp_path / "a.txt", overwrite=True)
        staging.temporary.write_text("x")
        staging.commit()
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_where_files_cannot_be_locked_nothing_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is then unknown whether the run is active; writing works nevertheless."""

    import fcntl

    for number in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):

        def without_locks(*_: object, number: int = number) -> None:
            raise OSError(number, "No locks available")

        monkeypatch.setattr(fcntl, "flock", without_locks)
        staging = Staging(tmp_path / "a.mp4", overwrite=True)
        (found,) = leftovers(tmp_path)
        assert found.owner is Owner.UNKNOWN
        assert not remove_leftover(found)
        staging.commit()
        assert (tmp_path / "a.mp4").exists()
        with BatchFolder(tmp_path / "batch") as batch:
            assert batch.work.is_dir()
        Journal(tmp_path / "study.journal", ("mrv",), None, False).close()


@pytest.mark.parametrize("words", [("--max-size", "30k", "-o", "a.gif"), ("-o", "a.apng")])
def test_a_film_that_is_written_several_times_is_locked_to_its_end(
    undoku: Undoku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Otherwise `undoku clean` beside it would remove it."""
    owners: list[Owner] = []
    publish = Staging.publish

    def watched(self: Staging) -> None:
        owners.extend(one.owner for one in leftovers(tmp_path))
        publish(self)

    monkeypatch.setattr(Staging, "publish", watched)
    options = ("--size", "320x180", "--fps", "10", "--duration", "2s", *words)
    undoku("render", EASY.grid, "-s", "mrv", *options, cwd=tmp_path, code=0)
    assert owners and set(owners) == {Owner.ALIVE}


def test_a_file_that_is_removed_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process's cleaning comes between the two."""
    locked = file_lock.locked
    removals = iter([True, False])

    def late(held: int, **settings: bool) -> bool | None:
        if next(removals, False):
            (path,) = tmp_path.glob(".undoku-*")
            path.unlink()
        return locked(held, **settings)

    monkeypatch.setattr(temporary_files, "locked", late)
    staging = Staging(tmp_path / "a.mp4")
    assert staging.temporary.exists()
    monkeypatch.undo()
    assert [one.owner for one in leftovers(tmp_path)] == [Owner.ALIVE]
    staging.discard()


def test_a_lock_is_not_handed_on_to_other_programs(tmp_path: Path) -> None:
    """An encoder that outlives its run would keep it."""
    path = tmp_path / ".undoku-0123456789ab"
    path.write_text("")
    held = take(path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as program:
        release(held)
        assert [one.owner for one in leftovers(tmp_path)] == [Owner.DEAD]
        program.kill()


def test_older_pictures_stay_in_sight_when_a_run_dies_while_it_replaces_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the renames the older folder has a visible name, and nothing removes it."""
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "1.png").write_text("old")
    staging = FolderStaging(tmp_path / "frames", re.compile(r"\d\.png"), overwrite=True)

    rename = Path.rename

    def killed(self: Path, target: Path) -> Path:
        if self == staging.temporary:
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(KeyboardInterrupt):
        staging.publish()
    (kept,) = (path for path in tmp_path.iterdir() if path.name.startswith("frames.replaced"))
    assert (kept / "1.png").read_text() == "old"
    assert kept not in [one.path for one in leftovers(tmp_path)]


def test_pictures_of_an_earlier_run_are_kept_if_the_new_ones_can_t_be_renamed(
    tmp_path: Path,
) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "1.png").write_text("old")
    staging = FolderStaging(tmp_path / "frames", re.compile(r"\d\.png"), overwrite=True)
    shutil.rmtree(staging.temporary)
    with pytest.raises(OutputError):
        staging.publish()
    assert (tmp_path / "frames" / "1.png").read_text() == "old"


# The memory of a whole process, from its start to its end.


RUN = """
import sys
from undoku.cli.main import main
sys.argv = ["undoku", *sys.argv[1:]]
code = main()
status = open("/proc/self/status").read()
print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="Linux tells the peak of a process"
)
@pytest.mark.parametrize(
    ("words", "kib"),
    [
        ((MEDIUM.grid, "--size", "640x360", "--fps", "50", "--to-step", "1000"), 100_000),
        # Also while boards move from one layout to the next, which needs whole pictures.
        ((HARD.grid, "--size", "1080x1920", "--duration", "8s", "--fps", "6"), 250_000),
    ],
)
def test_a_film_takes_little_memory(tmp_path: Path, words: tuple[str, ...], kib: int) -> None:
    """Python, drawing and writing together."""
    target = tmp_path / ("film.gif" if kib < 200_000 else "film.mp4")
    command = [sys.executable, "-c", RUN, "render", *words, "-q", "-o", str(target)]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=True, cwd=ROOT)
    assert target.stat().st_size > 200_000
    assert int(done.stderr.split()[-1]) < kib
