"""Batches: what is made, what is kept, what fails alone, and how often anything runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Undoku
from tests.support.manifests import QUICK, groups, tree, write
from tests.support.paths import ROOT
from tests.support.puzzles import EASY, MEDIUM
from undoku.errors import OutputError
from undoku.render.batch.batch import BatchReport, make_films, planned_films
from undoku.render.batch.batch_folder import BatchFolder
from undoku.render.batch.jobs import films_of
from undoku.render.batch.tasks import FilmTask, in_order
from undoku.render.film.film import Film
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
    report = make(tmp_path, watch=lambda film, *counts: calls.append((film.name, *counts)))
    names = [
        f"{puzzle}_{theme}.{suffix}"
        for puzzle in ("easy", "medium")
        for theme in ("dark", "light")
        for suffix in ("gif", "png")
    ]
    assert statuses(report) == dict.fromkeys(names, "made")
    assert report.exit_code == 0
    assert [counts for _, *counts in calls] == [[number, 8] for number in range(1, 9)]
    assert {name for name, _, _ in calls} == {*names}
    files = tree(tmp_path / "out")
    assert {*names, "report.html", ".undoku/record.jsonl", ".undoku/lock"} <= files.keys()
    assert len([name for name in files if name.startswith("report/stills/")]) == len(names)
    assert len(files) == 2 * len(names) + 3
    for film in report.films:
        assert film.entry is not None
        assert film.entry.bytes == (tmp_path / "out" / film.name).stat().st_size
        assert "row-major: solved" in film.entry.counts
    make_films(groups(tmp_path, FILMS), tmp_path / "again", jobs=2)
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
    make(tmp_path)
    (tmp_path / "out" / "easy_dark.gif").unlink()
    changed = statuses(make(tmp_path))
    assert [name for name, status in changed.items() if status == "made"] == ["easy_dark.gif"]
    text = FILMS.replace('name = "{puzzle}_{theme}"', 'title = "x"\nname = "{puzzle}_{theme}"')
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
    make(tmp_path, FILMS.replace('"gif"', '"mp4", "gif", "webp"'))
    assert len(searched) == 4  # two puzzles by two strategies
    assert len(drawn) == 4  # two puzzles in two themes: the MP4 is its own trial


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
    text = FEW.replace('duration = "1s"', "steps_per_frame = 10\ntitle_card = 0")
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
