"""The keys of a manifest: every option of a film is a key, and each has its effect; what the
journal keeps of a film, and the versions of the programs that make it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import options_of
from tests.support.decoding import decoded
from tests.support.manifests import QUICK, groups, tree
from tests.support.puzzles import EASY
from undoku.errors import EncoderError, SettingsError
from undoku.render.batch.batch import make_films
from undoku.render.batch.journal import Entry, Journal, key_of, versions
from undoku.render.batch.manifest import JOB
from undoku.render.write.ffmpeg import executable, ffmpeg_version

JOBS = QUICK + '[[jobs]]\npuzzles = "easy.txt"\nname = "film"\n'

NOT_FOR_MANIFESTS = {
    "strategy": "strategies, which a matrix can vary",
    "output": "name and formats",
    "yes": "--force of the whole batch",
    "again": "a batch knows its own films",
    "embed": "report.html shows all films",
    "json": "of the whole batch",
    "dry_run": "of the whole batch",
    "quiet": "of the whole batch",
    "verbose": "of the whole batch",
    "format": "formats: a name has none",
    "label": "labels, all of them at once",
    "stems": "of one film that somebody mixes",
    "help": "no option of a film",
}
"""Options of one film that are not keys, and what stands for them."""

NOT_FOR_ONE_FILM = {
    "puzzles", "strategies", "formats", "name", "matrix",  # what a job makes many films of
    "aspect",  # a size by its name
    "labels",  # --label once for each
}  # fmt: skip


def test_every_option_of_a_film_is_a_key_and_every_key_is_an_option() -> None:
    options = {name[2:].replace("-", "_") for name, _ in options_of("render") if name[:2] == "--"}
    assert set(NOT_FOR_MANIFESTS) <= options
    assert options - set(NOT_FOR_MANIFESTS) == set(JOB) - NOT_FOR_ONE_FILM


def made(folder: Path, text: str, **options: object) -> dict[str, str]:
    report = make_films(groups(folder, text), folder / "out", jobs=0, **options)  # type: ignore[arg-type]
    return {film.name: film.status.value for film in report.films}


def test_captions_and_highlights_lie_beside_their_film_and_are_made_with_it(
    tmp_path: Path,
) -> None:
    text = JOBS + 'captions = "srt"\nhighlights = true\nformats = ["gif", "webp"]\n'
    names = ["film.gif", "film.webp", "film.srt", "film.highlights.json"]
    assert made(tmp_path, text) == dict.fromkeys(names, "made")
    out = tmp_path / "out"
    assert "-->" in (out / "film.srt").read_text()
    assert json.loads((out / "film.highlights.json").read_text())["highlights"]
    assert "film.srt" in (out / "report.html").read_text()
    assert len(list((out / "report" / "stills").iterdir())) == 2
    before = tree(out)
    assert made(tmp_path, text) == dict.fromkeys(names, "kept")
    (out / "film.srt").unlink()
    assert made(tmp_path, text) == dict.fromkeys(names, "kept") | {"film.srt": "made"}
    assert tree(out) == before
    (out / "film.srt").write_text("mine")
    assert made(tmp_path, text)["film.srt"] == "failed"


def test_marks_lie_beside_their_film_and_name_it(tmp_path: Path) -> None:
    short = JOBS[len(QUICK) :].replace("film", "short") + 'marks = "chapters.txt"\n'
    text = f'{JOBS}marks = ["edl", "fcpxml"]\nformats = ["gif", "webp"]\n{short}'
    report = make_films(groups(tmp_path, text), tmp_path / "out", jobs=0)
    assert [(film.name, film.status.value) for film in report.films][:4] == [
        (name, "made") for name in ("film.gif", "film.webp", "film.edl", "film.fcpxml")
    ]
    assert "YouTube requires at least 3 chapters" in report.films[4].reason
    out = tmp_path / "out"
    assert "GREEN   Row by row: Done in 59 steps." in (out / "film.edl").read_text()
    assert 'src="film.gif"' in (out / "film.fcpxml").read_text()
    assert "film.edl" in (out / "report.html").read_text()


def test_cues_and_code_are_files_beside_the_manifest(tmp_path: Path) -> None:
    """Films depend on the contents of the files: when these change, the film is made again."""
    cues, code = tmp_path / "cues.toml", tmp_path / "solver.txt"
    cues.write_text('[[cues]]\nstep = 2\npause = "1s"\nsay = "Look."\n')
    code.write_text("put it down  # @place\ntake it away  # @undo\n")
    text = JOBS + 'cues = "cues.toml"\ncode = "solver.txt"\nformats = ["gif"]\nduration = "3s"\n'
    (drawn,) = groups(tmp_path, text)
    assert [(cue.step, cue.say) for cue in drawn.settings.pace.cues] == [(2, "Look.")]
    assert drawn.settings.code[0] == "put it down  # @place"
    assert made(tmp_path, text) == {"film.gif": "made"}
    cues.write_text("# moved by a line\n" + cues.read_text())
    assert made(tmp_path, text) == {"film.gif": "kept"}
    cues.write_text(cues.read_text().replace("Look", "See"))
    assert made(tmp_path, text) == {"film.gif": "made"}
    cues.write_text("[[cues]]\nstep = 2\nspeed = -1\n")
    with pytest.raises(SettingsError, match="speed") as wrong:
        groups(tmp_path, text)
    assert wrong.value.place is not None
    assert Path(str(wrong.value.place)).name == "cues.toml, cues[0].speed, line 3, column 1"


def test_a_film_is_made_again_when_its_mix_or_its_voice_changes(tmp_path: Path) -> None:
    mix, take = tmp_path / "mix.toml", tmp_path / "take.wav"
    mix.write_text("width = 0.5")
    take.write_bytes(b"one")
    text = JOBS + 'sound = "mix.toml"\nvoice = "take.wav"\n'

    def key() -> str:
        (drawn,) = groups(tmp_path, text)
        return key_of(drawn, 0)

    keys = [key(), key()]
    mix.write_text("width = 0.6")
    keys.append(key())
    take.write_bytes(b"other")
    keys.append(key())
    assert len(set(keys)) == 3 and keys[0] == keys[1]


def test_a_film_is_made_again_when_its_limits_or_the_title_of_its_puzzle_change(
    tmp_path: Path,
) -> None:
    own, text = tmp_path / "own.txt", JOBS.replace("easy.txt", "own.txt")
    keys = []
    for title, more in (("one", ""), ("one", "max_nodes = 9\n"), ("other", "")):
        own.write_text(f"title: {title}\n{EASY.grid}\n")
        (drawn,) = groups(tmp_path, text + more)
        keys.append(key_of(drawn, 0))
    assert len(set(keys)) == 3


def test_single_pictures_of_a_step_and_of_many_moments(tmp_path: Path) -> None:
    strip = JOBS[len(QUICK) :].replace("film", "strip") + 'size = "640x360"\nfilmstrip = 4\n'
    late = JOBS[len(QUICK) :].replace("film", "late") + "at_step = 10000000\n"
    text = JOBS + f'at_step = 20\n{strip}formats = ["png", "svg"]\n{late}'
    names = ["film.png", "strip.png", "strip.svg"]
    assert made(tmp_path, text) == dict.fromkeys(names, "made") | {"late.png": "failed"}
    step = (tmp_path / "out" / "film.png").read_bytes()
    made(tmp_path, text.replace("at_step = 20", "at_step = 21"))
    assert (tmp_path / "out" / "film.png").read_bytes() != step


def test_films_are_fitted_to_a_size_and_to_a_platform_each_by_itself(tmp_path: Path) -> None:
    text = JOBS.replace('size = "320x180"\n', "")
    small = 'max_size = "80k"\nstrategies = "mrv"\nformats = ["gif", "mp4"]\n'
    assert made(tmp_path, text + small) == {"film.gif": "made", "film.mp4": "made"}
    for suffix in ("gif", "mp4"):
        assert (tmp_path / "out" / f"film.{suffix}").stat().st_size <= 80_000
    (drawn,) = groups(tmp_path, text + 'for = "shorts"\n')
    assert drawn.options.any_size


def test_every_nth_step_and_a_limit_of_time(tmp_path: Path) -> None:
    text = JOBS.replace('duration = "1s"\n', "") + 'every = 25\nmax_seconds = "60s"\n'
    (drawn,) = groups(tmp_path, text + 'strategies = "row-major"\n')
    assert (drawn.settings.last_state, drawn.limits.max_seconds) == (True, 60)
    entry = make_films([drawn], tmp_path / "out", jobs=0).films[0].entry
    assert entry is not None
    assert len(list(decoded(tmp_path / "out" / "film.mp4", 320, 180))) == entry.frames


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ('captions = "txt"', "captions can't be 'txt'"),
        ('captions = "srt"\nat_step = 3', "captions need a film, not a single"),
        ('captions = "srt"\nmax_size = "1MB"', "captions need a film whose frames are known"),
        ('marks = "aaf"', "marks can't"),
        ('marks = "edl"\nat_step = 3', "marks need a film, not a single"),
        ("flash_safe = true\nfilmstrip = 3", "flash_safe need a film, not"),
        ("at_step = 3\nfilmstrip = 3", "one step or a filmstrip"),
        ('at_step = 3\nformats = "mp4"', "a single step is a picture"),
        ('at_step = 3\nfor = "github"', "single pictures can't be fitted"),
        ('formats = "png"\nmax_size = "1MB"', "can't be fitted"),
        ("filmstrip = 0", "filmstrip is not a whole number from 1 to 100"),
        ("filmstrip = 101", "filmstrip is not a whole number from 1 to 100"),
        ("every = 0", "every is not a whole number of 1 or more"),
        ("every = 3\nsteps_per_frame = 2", "leave out other rates"),
        ('for = "shrots"', "no platform"),
        ('max_size = "0"', "not a valid file size"),
        ('max_size = "many"', "not a valid file size"),
        ("max_seconds = 0", "must be more than 0"),
        ("max_time = 0", "must be more than 0"),
        ('max_seconds = "soon"', "not a valid duration"),
        ("highlights = true\nramp = true", "leave out one of them"),
    ],
)
def test_options_that_contradict_each_other_are_refused_with_their_place(
    tmp_path: Path, lines: str, sentence: str
) -> None:
    with pytest.raises(SettingsError, match=sentence) as caught:
        groups(tmp_path, JOBS + lines + "\n")
    assert caught.value.place is not None
    assert "films.toml, " in str(caught.value.place)


def test_a_job_may_override_the_defaults(tmp_path: Path) -> None:
    text = QUICK + 'ramp = true\nat_step = 5\nhighlights = true\n[[jobs]]\npuzzles = "easy.txt"\n'
    (plain,) = groups(tmp_path, text + "filmstrip = 3\nramp = false\n")
    assert (plain.options.filmstrip, plain.options.at_step) == (3, None)


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


@pytest.mark.parametrize(
    ("content", "version"),
    [
        ("#!/bin/sh\necho ffmpeg version 99.9-mine Copyright\n", "99.9-mine"),
        *((wrong, "none") for wrong in ("", "#!/bin/sh\nexit 1\n", "nonsense")),
    ],
)
def test_the_version_is_that_of_the_users_ffmpeg_and_none_of_one_that_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, version: str
) -> None:
    """Films that do not need it can be made without it."""
    script = tmp_path / "ffmpeg"
    if content:
        script.write_text(content)
        script.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(script))
    assert versions()["ffmpeg"] == version
    if version == "none":
        with pytest.raises(EncoderError, match="does not report its version"):
            ffmpeg_version()


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
