"""The versions of the programs that make films."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from undoku.batch.journal import Entry, Journal, versions
from undoku.errors import EncoderError
from undoku.render.write.ffmpeg import executable, ffmpeg_version


@pytest.fixture(autouse=True)
def forgetting() -> Iterator[None]:
    versions.cache_clear()
    yield
    versions.cache_clear()


def test_ffmpegs_version_is_the_one_that_it_reports() -> None:
    message = subprocess.run(
        [executable(), "-version"], capture_output=True, encoding="utf-8", check=True
    )
    assert message.stdout.startswith(f"ffmpeg version {versions()['ffmpeg']} ")


def test_another_ffmpeg_of_the_same_name_has_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / Path(executable()).name
    script.write_text("#!/bin/sh\necho ffmpeg version 99.9-mine Copyright\n")
    script.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(script))
    assert versions()["ffmpeg"] == "99.9-mine"


@pytest.mark.parametrize("content", [None, "#!/bin/sh\nexit 1\n", "nonsense"])
def test_an_ffmpeg_that_does_not_run_is_reported_in_one_sentence_and_is_not_a_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    """Films that do not need it can be made without it."""
    script = tmp_path / "ffmpeg"
    if content:
        script.write_text(content)
        script.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(script))
    with pytest.raises(EncoderError, match="does not report its version"):
        ffmpeg_version()
    assert versions()["ffmpeg"] == "none"


def test_a_film_that_an_earlier_run_made_is_not_a_strange_file(tmp_path: Path) -> None:
    """A run that is killed before it renames the newer film leaves the older one."""
    journal = Journal(tmp_path / "journal")
    for content in (b"older", b"newer"):
        digest = hashlib.sha256(content).hexdigest()
        journal.add(Entry("a.mp4", "key", digest, len(content), 1, 1.0, ""))
    journal.close()
    (tmp_path / "a.mp4").write_bytes(b"older")
    assert not journal.difference(tmp_path, "a.mp4")
    assert not Journal(tmp_path / "journal").difference(tmp_path, "a.mp4")
    (tmp_path / "a.mp4").write_bytes(b"other")
    assert journal.difference(tmp_path, "a.mp4")
