"""Foreign files: only the named file is opened, and one sentence reports what is wrong."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.damaged_texts import damaged
from tests.support.paths import ROOT
from tests.support.puzzles import EASY
from undoku import InputError, compare
from undoku.errors import UndokuError
from undoku.render.write.file_info import about_of, chapters_of

WRITTEN = ("mp4", "webm", "gif", "webp", "apng", "png", "pdf", "svg")

BYTES = [bytes([number]) for number in range(256)]

LISTS = {
    "ffconcat": "ffconcat version 1.0\nfile film.{suffix}\n",
    "ffconcat with a path": "ffconcat version 1.0\nfile {folder}/film.{suffix}\n",
    "HLS": "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfilm.{suffix}\n#EXT-X-ENDLIST\n",
    "DASH": '<?xml version="1.0"?><MPD type="static" mediaPresentationDuration="PT2S"><Period>'
    '<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>film.'
    "{suffix}</BaseURL></Representation></AdaptationSet></Period></MPD>",
    "SDP": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\n"
    "a=rtpmap:96 H264/90000\n",
    "PostScript": "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(film.{suffix}) run\n",
}


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of each format, called SECRET."""
    folder = tmp_path_factory.mktemp("films")
    for suffix in WRITTEN:
        compare(
            EASY.grid, ["mrv"], folder / f"film.{suffix}", size="320x180", duration="1s",
            title="SECRET", highlights=suffix in ("mp4", "webm"),
        )  # fmt: skip
    return folder


@pytest.mark.parametrize(
    "suffix", [name if name in ("mp4", "gif", "svg") else long(name) for name in WRITTEN]
)
@pytest.mark.parametrize("kind", LISTS)
def test_a_list_that_names_a_film_is_not_followed(
    undoku: Undoku, films: Path, tmp_path: Path, kind: str, suffix: str
) -> None:
    """Whatever its suffix: the film that it names is neither read nor mentioned."""
    assert about_of(films / f"film.{suffix}")["title"] == "SECRET"
    shutil.copyfile(films / f"film.{suffix}", tmp_path / f"film.{suffix}")
    own = tmp_path / f"cc.{suffix}"
    own.write_text(LISTS[kind].format(suffix=suffix, folder=tmp_path))
    for arguments in (("info", own.name), ("render", "--again", own.name, "-o", "x.gif")):
        done = undoku(*arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert "SECRET" not in done.stdout + done.stderr
        assert len(done.stderr.splitlines()) == 1
    with pytest.raises(InputError):
        assert not chapters_of(own)
        about_of(own)


@pytest.mark.parametrize("suffix", ("mp4", long("webm"), long("gif"), "svg"))
@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_only_the_named_file_of_its_folder_is_opened(
    films: Path, tmp_path: Path, suffix: str
) -> None:
    log = tmp_path / "opened"  # followed by the number of each thread
    code = f"from undoku.cli.main import main; raise SystemExit(main(['info', 'film.{suffix}']))"
    done = subprocess.run(
        ["strace", "-ff", "-y", "-e", "trace=open,openat,openat2,connect,execve", "-o", log,
         sys.executable, "-c", code],
        cwd=films,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )  # fmt: skip
    traced = "".join(path.read_text("utf-8", "replace") for path in tmp_path.iterdir())
    if "execve" not in traced:
        pytest.skip("programs can't be traced here")
    assert done.returncode == 0, done.stderr
    assert "SECRET" in done.stdout
    opened = re.findall(r'open(?:at2?)?\(.*?"(?:file:)?([^"\n]*)".*?= \d', traced)
    inside = {name for name in opened if "/" not in name or name.startswith(str(films))}
    assert inside <= {f"film.{suffix}", str(films), "."}
    assert f"film.{suffix}" in inside
    assert "connect(" not in traced


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_damaged_file_is_one_sentence(films: Path, tmp_path: Path, suffix: str) -> None:
    """Truncated, or with changed bytes in its texts: it is read or refused."""
    whole = (films / f"film.{suffix}").read_bytes()
    own = tmp_path / f"own.{suffix}"
    chance = random.Random(suffix)
    rounds = 12 if suffix in ("mp4", "webm") else 60
    for _ in range(rounds):
        start = whole[: chance.choice([300, 3000, len(whole)])]
        rest = whole[len(start) :] * chance.choice([0, 1, 1])
        own.write_bytes(damaged(start, start, BYTES, chance) + rest)
        try:
            about_of(own)
            chapters_of(own)
        except UndokuError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", b"<svg>" + b"<desc>" * 500_000),
        ("a.pdf", b"%PDF-" + b"<x:xmpmeta" * 3_000_000),
        ("a.pdf", b"%PDF-<x:xmpmeta>" + b"<desc>" * 1_000_000 + b"</x:xmpmeta>"),
    ],
    ids=["svg", "pdf", "description"],
)
def test_a_description_without_an_end_is_searched_for_once(
    tmp_path: Path, name: str, content: bytes
) -> None:
    """Searching for the end again from each start would take hours."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="has no metadata about how it was made"):
        about_of(tmp_path / name)
