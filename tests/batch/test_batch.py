"""Batches: what is made, what is kept, what fails alone, and how often anything runs."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Undoku, options_of
from tests.support.decoding import decoded
from tests.support.manifests import QUICK, groups, tree, write
from tests.support.puzzles import EASY, MEDIUM
from tests.support.system import ROOT
from undoku.errors import EncoderError, OutputError, SettingsError
from undoku.render.batch.batch import BatchReport, make_films, planned_films
from undoku.render.batch.batch_folder import BatchFolder
from undoku.render.batch.jobs import films_of
from undoku.render.batch.journal import Entry, Journal, key_of, versions
from undoku.render.batch.manifest import JOB
from undoku.render.batch.tasks import FilmTask, in_order
from undoku.render.film.film import Film
from undoku.render.write.ffmpeg import executable, ffmpeg_version
from undoku.solver.search import engines
from undoku.solver.search.engines import Engine

FILMS = (
    QUICK
    + """
[[jobs]]
puzzles = ["easy.txt", "medium.txt"]
formats = ["gif", "png"]
name = "{puzzle}_{theme}"
matrix.themes = ["dark", "light"]
"""
)
FEW = FILMS.replace('["easy.txt", "medium.txt"]', '["easy.txt"]')
"""Half of them, for what one film shows."""


def make(folder: Path, text: str = FILMS, **options: object) -> BatchReport:
    return make_films(groups(folder, text), folder / "out", jobs=0, **options)  # type: ignore[arg-type]


def statuses(report: BatchReport) -> dict[str, str]:
    return {film.name: film.status.value for film in report.films}


def test_all_films_of_a_manifest_are_made_and_reported_as_they_end(tmp_path: Path) -> None:
    """With workers, in another order, their bytes are the same."""
    calls: list[tuple[str, int, int]] = []
    report = make(tmp_path, FEW, watch=lambda film, *counts: calls.append((film.name, *counts)))
    names = [f"easy_{theme}.{suffix}" for theme in ("dark", "light") for suffix in ("gif", "png")]
    assert statuses(report) == dict.fromkeys(names, "made")
    assert report.exit_code == 0
    assert [counts for _, *counts in calls] == [[number, 4] for number in range(1, 5)]
    assert {name for name, _, _ in calls} == {*names}
    files = tree(tmp_path / "out")
    assert {*names, "report.html", ".undoku/record.jsonl", ".undoku/lock"} <= files.keys()
    assert len([name for name in files if name.startswith("report/stills/")]) == len(names)
    assert len(files) == 2 * len(names) + 3
    for film in report.films:
        assert film.entry is not None
        assert film.entry.bytes == (tmp_path / "out" / film.name).stat().st_size
        assert "row-major: solved" in film.entry.counts
    make_films(groups(tmp_path, FEW), tmp_path / "again", jobs=2)
    assert tree(tmp_path / "again") == files


def test_a_second_run_keeps_what_is_there_and_neither_searches_nor_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a thousand films are checked quickly."""
    make(tmp_path, FEW)
    before = tree(tmp_path / "out")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.gif")}
    with monkeypatch.context() as patch:
        for kind, method in ((Engine, "advance"), (Film, "parts_from")):
            patch.setattr(kind, method, None)
        assert set(statuses(make(tmp_path, FEW)).values()) == {"kept"}
    assert tree(tmp_path / "out") == before
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert set(statuses(make(tmp_path, FEW, force=True)).values()) == {"made"}
    assert tree(tmp_path / "out") == before


def test_only_what_changed_is_made_again(tmp_path: Path) -> None:
    one = FILMS.replace(', "light"', "")
    make(tmp_path, one)
    (tmp_path / "out" / "easy_dark.gif").unlink()
    changed = statuses(make(tmp_path, one))
    assert [name for name, status in changed.items() if status == "made"] == ["easy_dark.gif"]
    text = one.replace('name = "{puzzle}_{theme}"', 'title = "x"\nname = "{puzzle}_{theme}"')
    assert set(statuses(make(tmp_path, text)).values()) == {"made"}
    (tmp_path / "medium.txt").write_text(MEDIUM.grid[::-1])
    report = make_films(films_of(tmp_path / "films.toml"), tmp_path / "out", jobs=0)
    for name, status in statuses(report).items():
        assert (status == "made") == name.startswith("medium")


def test_a_film_that_was_altered_is_reported_and_kept_under_another_name_when_forced(
    undoku: Undoku, tmp_path: Path
) -> None:
    """The difference is reported; files that were altered by hand are never lost."""
    make(tmp_path, FEW)
    batch, film = ("batch", "films.toml", "-o", "out", "-j0"), tmp_path / "out" / "easy_dark.gif"
    right = film.read_bytes()
    for number, (wrong, reason) in enumerate(
        (
            (b"mine", r"it has 4 bytes, and [\d,]+ as a batch made it; it was changed on 2"),
            (right[:-1] + b"X", "its content is not what a batch made; it was changed on 2"),
        ),
        1,
    ):
        film.write_bytes(wrong)
        refused = undoku(*batch, "--json", cwd=tmp_path, code=1)
        assert re.match(
            f"undoku: easy_dark.gif: 'easy_dark.gif' exists already, and {reason}.*; --force makes "
            "the film and keeps this file under another name\n", refused.stderr
        )  # fmt: skip
        content = json.loads(refused.stdout)
        assert (content["made"], content["failed"], content["kept"]) == (0, 1, 3)
        assert film.read_bytes() == wrong
        forced = json.loads(undoku(*batch, "--force", "--json", cwd=tmp_path).stdout)["films"]
        assert [one["name"] for one in forced if one.get("kept_as")] == ["easy_dark.gif"]
        assert forced[0]["kept_as"] == f"out/easy_dark.kept-{number}.gif"
        assert film.read_bytes() == right
        assert forced[0]["bytes"] == (tmp_path / forced[0]["path"]).stat().st_size == len(right)
        assert (tmp_path / forced[0]["kept_as"]).read_bytes() == wrong
    film.write_bytes(b"mine too")
    printed = undoku(*batch, "--force", cwd=tmp_path).stdout.splitlines()
    (line,) = (line for line in printed if "easy_dark.gif" in line)
    assert line.endswith("; the existing file is kept as easy_dark.kept-3.gif")
    assert not any(one.kept_as for one in make(tmp_path, FEW, force=True).films)


def test_a_file_that_no_batch_made_is_reported_and_kept(tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside.gif"
    out.mkdir()
    (out / "easy_dark.gif").write_bytes(b"mine")
    outside.write_bytes(b"precious")
    (out / "easy_light.gif").symlink_to(outside)
    reasons = {one.name: one.reason for one in make(tmp_path, FEW).films if one.reason}
    assert "no batch made it here; its date is 2" in reasons["easy_dark.gif"]
    assert "exists already, and it is a link;" in reasons["easy_light.gif"]
    forced = make(tmp_path, FEW, force=True)
    kept = [one.kept_as for one in forced.films if one.kept_as]
    assert kept == ["easy_dark.kept-1.gif", "easy_light.kept-1.gif"]
    assert (out / "easy_dark.kept-1.gif").read_bytes() == b"mine"
    assert (out / "easy_light.kept-1.gif").is_symlink()
    assert not (out / "easy_light.gif").is_symlink()
    assert outside.read_bytes() == b"precious"


def test_a_failure_leaves_the_other_films_alone(tmp_path: Path) -> None:
    """A film that stands in the way of a folder can't be written."""
    (tmp_path / "out" / "easy_dark.gif" / "full").mkdir(parents=True)
    report = make(tmp_path, FEW, force=True)
    assert statuses(report)["easy_dark.gif"] == "failed"
    assert list(statuses(report).values()).count("made") == 3
    assert report.exit_code == 1
    assert "is a folder" in next(film.reason for film in report.films if film.reason)
    assert "is a folder" in (tmp_path / "out" / "report.html").read_text()
    (tmp_path / "out" / "easy_dark.gif" / "full").rmdir()
    (tmp_path / "out" / "easy_dark.gif").rmdir()
    again = statuses(make(tmp_path, FEW))
    assert again.pop("easy_dark.gif") == "made"
    assert set(again.values()) == {"kept"}


def test_fail_fast_begins_nothing_after_a_failure(tmp_path: Path) -> None:
    text = QUICK.replace('duration = "1s"', "") + (
        '[[jobs]]\npuzzles = "medium.txt"\nsteps_per_frame = "1/999999"\nname = "eternal"\n'
        '[[jobs]]\npuzzles = "easy.txt"\nformats = "png"\nname = "short"\n'
    )
    report = make(tmp_path, text, fail_fast=True)
    assert statuses(report) == {"eternal.mp4": "failed", "short.png": "left"}
    assert "hours" in report.films[0].reason
    assert report.exit_code == 1
    assert statuses(make(tmp_path, text)) == {"eternal.mp4": "failed", "short.png": "made"}


def test_films_share_the_searches_of_a_puzzle_and_a_drawing_feeds_all_formats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[Engine] = []
    drawn: list[Film] = []
    draw = Film.parts_from

    class Counted(Engine):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            searched.append(self)

    def drawing(film: Film, first: int = 0, *, runs: bool = False) -> object:
        drawn.append(film)
        return draw(film, first, runs=runs)

    monkeypatch.setattr(engines, "Engine", Counted)
    monkeypatch.setattr(Film, "parts_from", drawing)
    make(tmp_path, FEW.replace('"gif"', '"mp4", "gif", "webp"'))
    assert len(searched) == 2  # a puzzle by two strategies
    assert len(drawn) == 2  # a puzzle in two themes: the MP4 is its own trial


def test_only_one_of_two_batches_in_one_folder_runs(tmp_path: Path) -> None:
    with BatchFolder(tmp_path / "out"), pytest.raises(OutputError, match="another batch is using"):
        make(tmp_path, FEW)
    assert not list((tmp_path / "out").glob("*.gif"))
    assert make(tmp_path, FEW).exit_code == 0


def test_leftovers_of_a_killed_run_are_removed(tmp_path: Path) -> None:
    left = tmp_path / "out" / ".undoku" / "work" / "group-3"
    left.mkdir(parents=True)
    (left / ".undoku-0123456789ab.mp4").write_bytes(b"partial")
    (tmp_path / "out" / ".undoku" / "record.jsonl").write_text('{"name": "easy_da')
    make(tmp_path, FEW)
    assert not left.exists()
    lines = (tmp_path / "out" / ".undoku" / "record.jsonl").read_text().splitlines()
    assert len([json.loads(line) for line in lines]) == 4


@pytest.mark.parametrize("link", ["sub", "sub/deeper", ".undoku", "report"])
def test_a_link_never_leads_out_of_the_folder(tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    place = tmp_path / "out" / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(outside)
    text = QUICK + ('[[jobs]]\npuzzles = "easy.txt"\nformats = "png"\nname = "sub/deeper/film"\n')
    try:
        report = make(tmp_path, text)
        assert report.exit_code == 1
    except OutputError as error:
        assert "is a link" in str(error)
    assert list(outside.iterdir()) == []


def test_batch_prints_a_line_for_each_film_and_where_the_report_is(
    undoku: Undoku, tmp_path: Path
) -> None:
    """Of files beside films and of pictures no frames are reported."""
    job = '[[jobs]]\npuzzles = "easy.txt"\nname = "x"\nformats = ["mp4", "png"]\n'
    write(tmp_path, FEW + job + 'captions = "srt"\n')
    done = undoku("batch", "films.toml", "-o", "out", "-j0", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    *unsorted, last = done.stdout.splitlines()
    *lines, film, picture, words = sorted(unsorted)
    assert len(lines) == 4
    assert lines[0].startswith("made    easy_dark.gif  ")
    assert film.startswith("made    x.mp4  10 frames, 1.00 s, ")
    assert re.match(r"made    x\.png  [\d,]+ bytes, in", picture)
    assert re.match(r"made    x\.srt  [\d,]+ bytes, in", words)
    assert last == f"7 made, 1 of them sidecars; {Path('out') / 'report.html'}"
    assert undoku("batch", "films.toml", "-o", "out", "-q", cwd=tmp_path) == (0, "", "")


def test_a_dry_run_states_the_exact_frames_and_makes_nothing(
    undoku: Undoku, tmp_path: Path
) -> None:
    text = FEW.replace('duration = "1s"', "steps_per_frame = 10")
    text = text.replace("gif", "mp4")
    write(tmp_path, text)
    planned = undoku("batch", "films.toml", "-o", "out", "--dry-run", "--json", cwd=tmp_path)
    lines = undoku("batch", "films.toml", "--dry-run", "-o", "out", cwd=tmp_path).stdout
    assert not (tmp_path / "out").exists()
    plan = json.loads(planned.stdout)
    assert lines.splitlines()[-1] == f"4 films, {plan['frames']:,} frames"
    made = {film.name: film.entry.frames for film in make(tmp_path, text).films if film.entry}
    assert {film["name"]: film["frames"] for film in plan["films"]} == made
    lines = undoku("batch", "films.toml", "--dry-run", "-o", "out", cwd=tmp_path).stdout
    size = (tmp_path / "out" / "easy_dark.mp4").stat().st_size
    assert lines.splitlines()[0].endswith(f"320×180, kept ({size:,} bytes)")


def test_a_dry_run_states_the_shape_that_a_platform_takes_and_what_is_kept(
    tmp_path: Path,
) -> None:
    job = '[[jobs]]\npuzzles = "easy.txt"\nname = "x"\nformats = ["mp4", "png"]\n'
    (film, picture) = planned_films(groups(tmp_path, job), tmp_path / "out")
    assert (film.width, film.height, picture.frames) == (1280, 720, 1)
    tall = groups(tmp_path, job.replace('["mp4", "png"]', '"mp4"') + 'for = "shorts"\n')
    (film,) = planned_films(tall, tmp_path / "out")
    assert (film.width, film.height) == (1080, 1920)
    make(tmp_path, FEW)
    forced = planned_films(groups(tmp_path, FEW), tmp_path / "out", force=True)
    assert not any(film.kept for film in forced)


def test_a_dry_run_reports_which_films_cannot_be_made(undoku: Undoku, tmp_path: Path) -> None:
    write(tmp_path, FILMS + '[[jobs]]\npuzzles = "easy.txt"\nname = "late"\nfrom_step = 999999\n')
    done = undoku("batch", "films.toml", "--dry-run", cwd=tmp_path, code=0)
    assert "late.mp4  can't be made: a race can't go from step 999,999" in done.stdout


def test_the_longest_films_are_begun_first_and_films_of_a_puzzle_together(tmp_path: Path) -> None:
    job = '[[jobs]]\npuzzles = "{}"\nduration = "{}s"\nname = "{}"\nstrategies = "mrv"\n'
    text = '[defaults]\nsize = "320x180"\n' + "".join(
        job.format(puzzle, seconds, name)
        for puzzle, seconds, name in (
            ("easy.txt", 2, "a"), ("medium.txt", 3, "b"), ("easy.txt", 9, "c"),
            ("medium.txt", 4, "d"), (EASY.grid, 5, "e"),
        )
    )  # fmt: skip
    tasks = [FilmTask(group, (0,), tmp_path) for group in groups(tmp_path, text)]
    order = [name for task in in_order(tasks) for name in task.group.names]
    assert order == ["c.mp4", "e.mp4", "a.mp4", "d.mp4", "b.mp4"]


def test_a_theme_that_has_changed_is_drawn_again(tmp_path: Path) -> None:
    """Also by the process that has drawn it before."""
    dark = (ROOT / "undoku" / "render" / "draw" / "themes" / "dark.toml").read_text()
    (tmp_path / "own.toml").write_text(dark)
    text = QUICK + (
        '[[jobs]]\npuzzles = "easy.txt"\nformats = "png"\nmatrix.themes = ["own.toml", "light"]\n'
    )
    make(tmp_path, text)
    before = tree(tmp_path / "out")
    (tmp_path / "own.toml").write_text(dark.replace("#1b202b", "#400000"))
    assert set(statuses(make(tmp_path, text)).values()) == {"made", "kept"}
    assert tree(tmp_path / "out") != before


# The keys of a manifest: every option of a film is a key, and each has its effect; what the
# journal keeps of a film, and the versions of the programs that make it.


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
    small = 'max_size = "40k"\nstrategies = "mrv"\nformats = ["gif", "mp4"]\n'
    assert made(tmp_path, JOBS + small) == {"film.gif": "made", "film.mp4": "made"}
    for suffix in ("gif", "mp4"):
        assert (tmp_path / "out" / f"film.{suffix}").stat().st_size <= 40_000
    text = JOBS.replace('size = "320x180"\n', "")
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
