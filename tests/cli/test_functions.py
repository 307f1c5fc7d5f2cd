"""Each command has a function of its name that gives the same, as lists of dicts or as objects."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import undoku as package
from tests.support.amounts import long
from tests.support.command import Done, Undoku
from tests.support.foreign_solvers import global_grid, rows_of
from tests.support.manifests import QUICK, write
from tests.support.puzzles import EASY, MEDIUM
from undoku import search
from undoku.errors import OutputError, ReadError, SettingsError
from undoku.render.delivery.captions import captions_sidecar
from undoku.render.delivery.fit import limits_for, write_fitted
from undoku.render.delivery.marks import highlights_sidecar
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.file_info import RECIPE, about_of, chapters_of
from undoku.solver.problem.sources import collection, parse_puzzle, read
from undoku.solver.trace.search_trace import Limits

COLLECTION = "two.sdm"
MANIFEST = (
    f'{QUICK}[[jobs]]\npuzzles = "easy.txt"\nstrategies = "mrv"\nformats = "gif"\nname = "a"\n'
)


@pytest.mark.parametrize(
    ("arguments", "made"),
    [
        (("solve", EASY.grid), lambda: package.solve(EASY.grid)),
        (
            ("solve", MEDIUM.grid, "-s", "mrv", "-s", "row-major", "--max-nodes", "300"),
            lambda: package.solve(MEDIUM.grid, "mrv", "row-major", max_nodes=300),
        ),
        (("stats", MEDIUM.grid), lambda: package.stats(MEDIUM.grid)),
        (("list", "strategies", "DLX"), lambda: package.strategies("DLX")),
        (
            ("study", COLLECTION, "-j", "0", "-s", "row-major", "mrv"),
            lambda: package.study(COLLECTION),
        ),
    ],
)
def test_a_function_gives_what_the_command_prints(
    undoku: Undoku,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    made: Callable[[], package.Results],
) -> None:
    write(tmp_path, "")
    monkeypatch.chdir(tmp_path)
    results = made()
    printed = json.loads(undoku(*arguments, "--json", cwd=tmp_path, code=0).stdout)
    assert without_seconds(printed) == without_seconds(json.loads(json.dumps(results.content)))
    assert {type(row) for row in results} == {dict}
    if arguments[0] != "list":
        table = undoku(*arguments, cwd=tmp_path, code=0).stdout
        assert table.split()[:4] == repr(results).split()[:4]
    assert results._repr_html_().count("<tr>") == len(results) + 1


def without_seconds(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: without_seconds(one) for key, one in content.items() if key != "seconds"}
    return [*map(without_seconds, content)] if isinstance(content, list) else content


def test_generated_puzzles_traces_and_charts_are_those_of_the_commands(
    undoku: Undoku, tmp_path: Path
) -> None:
    made = package.generate(2, seed=3, symmetry="half-turn")
    printed = undoku("generate", "-n", "2", "--seed", "3", "--symmetry", "half-turn", cwd=tmp_path)
    assert printed.stdout.split() == [str(puzzle) for puzzle in made]
    lines = undoku("trace", EASY.grid, "-s", "mrv", cwd=tmp_path).stdout
    assert lines == "".join(package.write_lines(package.trace(EASY.grid, "mrv")))
    package.chart(EASY.grid, "mrv", tmp_path / "a.svg")
    undoku("chart", EASY.grid, "-s", "mrv", "-o", "b.svg", cwd=tmp_path, code=0)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_film_of_a_watched_solver_beside_a_strategy(tmp_path: Path) -> None:
    grid = package.watch(rows_of(EASY.grid))
    global_grid(grid)
    small: Any = {"size": "320x180", "duration": "1s", "fps": 10}
    report = package.film(grid, "mrv", tmp_path / "vs.gif", **small)
    assert isinstance(report, package.Report)
    assert report.names == ("my solver", "mrv")
    counts = package.solve(grid, "mrv")
    assert [tally.nodes for tally in report.tallies] == [row["nodes"] for row in counts]
    assert counts[0]["seconds"] is None and counts[1]["seconds"] > 0  # only one search was timed
    assert [line.split()[-1] == "–" for line in repr(counts).splitlines()[1:3]] == [True, False]
    compared = package.compare(grid, tmp_path / "vs2.gif", "mrv", **small)
    assert isinstance(compared, package.Report)
    assert (tmp_path / "vs.gif").read_bytes() == (tmp_path / "vs2.gif").read_bytes()
    with pytest.raises(OutputError, match="exists already"):
        package.film(grid, tmp_path / "vs.gif", overwrite=False, **small)
    assert isinstance(package.film(grid), package.NotebookFilm)


def test_a_film_is_also_a_picture_of_a_step_or_fits_a_size(tmp_path: Path) -> None:
    package.film(EASY.grid, "mrv", tmp_path / "a.png", at_step=3, size="320x180")
    assert "step" in about_of(tmp_path / "a.png")[RECIPE]
    package.film(EASY.grid, "mrv", tmp_path / "b.png", filmstrip=2, size="320x180", fps=10)
    with Image.open(tmp_path / "b.png") as strip:
        assert strip.size[0] == 320
    package.film(
        EASY.grid, tmp_path / "c.gif", max_size="30kB", size="320x180", duration="1s", fps=20
    )
    assert (tmp_path / "c.gif").stat().st_size <= 30_000


@pytest.mark.parametrize(
    ("names", "asked", "message"),
    [
        (["a.png"], {"at_step": 3, "filmstrip": 2}, "one step or a filmstrip, not both"),
        (["a.png"], {"at_step": 3, "max_size": "2kB"}, "single pictures can't be fitted"),
        (["a.png"], {"filmstrip": 2, "platform": "github"}, "single pictures can't be fitted"),
        (["a.png"], {"at_step": 3, "captions": "a.srt"}, "captions need a film"),
        (["a.png"], {"at_step": 3, "marks": ["a.edl"]}, "marks need a film"),
        (["a.png"], {"at_step": 3, "stems": "stems", "sound": True}, "stems need a film"),
        (["a.mp4"], {"platform": "github", "stems": "stems", "sound": True}, "not fitted"),
        (["a.gif"], {"max_size": "2MB", "flash_safe": True}, "can't be flash-safe"),
        ([], {"at_step": 3}, "no file is named"),
        ([], {"max_size": "1MB"}, "no file is named"),
        ([], {"captions": "a.srt"}, "no file is named"),
    ],
)
def test_options_of_a_film_that_contradict_each_other_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], asked: Any, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match=message):
        package.film(EASY.grid, "mrv", *names, size="320x180", **asked)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("order", [0, long(1)])
def test_compare_takes_a_puzzle_a_trace_and_a_file_in_any_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: int
) -> None:
    """Also a trace in a file called "trace"."""
    monkeypatch.chdir(tmp_path)
    package.write_trace(package.trace(EASY.grid, "spiral"), "trace", "jsonl")
    both = [EASY.grid, "trace"]
    small: Any = {"size": "320x180", "duration": "1s", "fps": 10}
    for subjects, searches in (
        (both, ["spiral"]),
        ([*both, "mrv"], ["spiral", "mrv"]),
        ([EASY.grid, "a.gif"], ["row-major", "mrv"]),
    ):
        names = subjects[::-1] if order else subjects
        report = package.compare(*names, "b.gif", **small)
        assert isinstance(report, package.Report)
        assert sorted(report.names) == sorted(searches)


def test_puzzles_and_traces_are_short_and_readable_in_a_notebook() -> None:
    puzzle = parse_puzzle("12..34......21..")
    assert repr(puzzle) == "<puzzle 4×4, 6 givens: 12..34......21..>"
    table = puzzle._repr_html_()
    assert table and re.sub("<[^>]*>", ".", table).replace(".", "") == "123421"
    assert table.count("<td") == 16 and table.count("3px 1px 1px 3px") == 4  # corners of boxes
    queens = parse_puzzle("queens:8:c1")
    assert repr(queens) == "<puzzle '8 queens': 8 rows, 8 values, 1 given>"
    assert queens._repr_html_() is None
    trace = package.search(puzzle, "mrv")
    assert (repr(trace), trace._repr_html_()) == (
        "<trace of mrv>",
        "<code>&lt;trace of mrv&gt;</code>",
    )
    trace.tally()
    assert repr(trace) == "<trace of mrv, solved, steps: 10>"
    assert "<td>mrv</td><td>solved</td><td>11</td><td>10</td>" in trace._repr_html_()


def test_results_turn_into_tables_of_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    counts = pandas.DataFrame(package.solve(EASY.grid, "mrv", "row-major"))
    assert counts.set_index("strategy").nodes.to_dict() == {"mrv": 44, "row-major": 52}
    studied = pandas.DataFrame(package.study([EASY.grid, MEDIUM.grid]))
    assert studied.set_index("name").wins.to_dict() == {"row-major": 0, "mrv": 2}
    events = pandas.DataFrame(package.trace(EASY.grid, "mrv").read())
    assert list(events.columns) == ["op", "value", "cell"] and len(events) == 43
    assert len(pandas.DataFrame(package.strategies("DLX"))) == 2
    manifest = write(tmp_path, MANIFEST)
    films = pandas.DataFrame(package.batch(manifest, tmp_path / "films", jobs=0))
    assert films.status.tolist() == ["made"]


@pytest.mark.parametrize("name", ["film", "film.mp5"])
def test_a_name_that_is_no_films_is_told_so(name: str) -> None:
    with pytest.raises(ReadError, match=f"no file {name!r}.* the name of a film ends in .mp4"):
        package.film(EASY.grid, name)


FOREIGN = f'{{"undoku":1,"givens":"{EASY.grid.replace("0", ".")}"}}\n["place",1,3]\n'


def test_a_solver_is_piped_into_a_film_beside_a_strategy(undoku: Undoku, tmp_path: Path) -> None:
    words = ("-s", "mrv", "-o", "vs.gif", "--size", "320x180", "--duration", "1s", "--json")
    done = undoku("render", "-", *words, cwd=tmp_path, stdin=FOREIGN, code=0)
    results = json.loads(done.stdout)["results"]
    assert [(one["strategy"], one["nodes"]) for one in results] == [("my solver", 2), ("mrv", 44)]


@pytest.mark.parametrize(
    "line",
    [
        "{'undoku': 1, 'givens': '" + "." * 81 + "'}",
        '{"undoku":1,"givens":"' + "." * 81 + "\"}\n['place', 1, 3]",
        '{"undoku":1,"givens":"' + "." * 81 + "\"}\n('place', 1, 3)",
    ],
)
def test_lines_of_python_are_told_about_json(undoku: Undoku, tmp_path: Path, line: str) -> None:
    done = undoku("render", "-", "-o", "a.gif", cwd=tmp_path, stdin=f"{line}\n", code=2)
    assert "print lists and dicts of Python with json.dumps" in done.stderr


def test_a_trace_without_its_header_is_told_what_is_missing(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("solve", "-", cwd=tmp_path, stdin='["place",1,3]\n', code=2)
    assert 'begin with {"undoku":1,' in done.stderr


# The generate command as a person and a script use it.


def test_generate_prints_one_puzzle_a_line(undoku: Undoku, tmp_path: Path) -> None:
    first, again, other = (
        undoku("generate", "-n", "3", "--seed", seed, cwd=tmp_path, code=0).stdout for seed in "889"
    )
    assert [len(line) for line in first.splitlines()] == [81, 81, 81]
    assert first == again != other


def test_generate_writes_a_collection_in_the_format_of_its_suffix(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = undoku("generate", "-n", "4", "--givens", "30-32", "-o", "x.sdm", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    puzzles = list(collection(tmp_path / "x.sdm"))
    assert len(puzzles) == 4
    assert all(30 <= sum(value > 0 for value in puzzle.givens) <= 32 for puzzle in puzzles)
    again = undoku("generate", "-o", "x.sdm", cwd=tmp_path, code=3)
    assert "exists already" in again.stderr
    undoku("generate", "-o", "x.sdm", "-y", cwd=tmp_path, code=0)
    assert len(list(collection(tmp_path / "x.sdm"))) == 1


def test_generate_makes_other_boards_as_grids_that_can_be_read_back(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = undoku("generate", "--size", "9", "--extra", "diagonals", cwd=tmp_path, code=0)
    (tmp_path / "x.txt").write_text(done.stdout)
    puzzle = read(str(tmp_path / "x.txt"))
    assert [unit.kind for unit in puzzle.problem.units].count("diagonal") == 2
    assert search(puzzle, "mrv", Limits(exhaustive=True)).tally().solutions == 1


def test_generate_as_json_states_the_nodes_of_each_target(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku(
        "generate", "--target", "row-major>=2000", "--target", "mrv<=400", "--json", cwd=tmp_path
    )
    (found,) = json.loads(done.stdout)
    assert found["nodes"]["row-major"] >= 2000
    assert found["nodes"]["mrv"] <= 400
    assert found["givens"] == 81 - found["puzzle"].count(".")


def test_generate_as_json_counts_no_search_without_end(
    undoku: Undoku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`most` needs too many nodes to be counted, but a puzzle with it is found quickly."""
    monkeypatch.setattr("undoku.cli.generate.COUNTED", 100_000)
    done = undoku("generate", "--target", "most>=1000", "--json", cwd=tmp_path)
    (found,) = json.loads(done.stdout)
    assert found["nodes"] == {"most": 100_000}
    assert found["capped"] == ["most"]


def test_boards_of_another_size_are_printed_and_written(undoku: Undoku, tmp_path: Path) -> None:
    """A usual one on a line; one with further units with them."""
    words = ("generate", "-n", "2", "--size", "6")
    done = undoku(*words, "-o", "x.sdm", "--json", cwd=tmp_path)
    written = (tmp_path / "x.sdm").read_text().split()
    assert [one["puzzle"] for one in json.loads(done.stdout)] == written
    assert undoku(*words, cwd=tmp_path).stdout.split() == written
    assert [puzzle.size for puzzle in collection(tmp_path / "x.sdm")] == [6] * 2
    for one in json.loads(undoku(*words, "--extra", "groups", "--json", cwd=tmp_path).stdout):
        assert [unit.kind for unit in read(one["puzzle"]).problem.units].count("group") == 6


# Captions and lists of highlights appear with their film or not at all, and belong to it.


SMALL = ("--size", "320x180", "--fps", "20", "-s", "mrv", "--duration", "4s")
TOLD = ("--captions", "a.srt", "--highlights")


def rendered(undoku: Undoku, *arguments: str, cwd: Path, code: int = 0) -> Done:
    return undoku("render", MEDIUM.grid, *SMALL, *arguments, cwd=cwd, code=code)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_film_comes_with_its_texts_and_names_them(undoku: Undoku, tmp_path: Path) -> None:
    done = rendered(undoku, *TOLD, "-o", "a.mp4", cwd=tmp_path)
    assert done.stdout.splitlines() == ["a.mp4", "a.srt", "a.highlights.json"]
    assert names(tmp_path) == ["a.highlights.json", "a.mp4", "a.srt"]
    done = rendered(undoku, *TOLD, "-o", "a.mp4", "-y", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["beside"] == ["a.srt", "a.highlights.json"]


def test_a_film_or_text_that_exists_is_refused_before_the_film_is_made(
    undoku: Undoku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for existing in ("a.srt", "a.highlights.json", "a.mp4"):
        for path in tmp_path.iterdir():
            path.unlink()
        (tmp_path / existing).write_text("mine")
        with monkeypatch.context() as patch:
            patch.setattr(Film, "parts_from", None)  # nothing is drawn
            done = rendered(undoku, *TOLD, "-o", "a.mp4", cwd=tmp_path, code=3)
        assert done.stderr.strip().endswith("give another name, or -y to replace it")
        assert f"'{existing}' exists already" in done.stderr
        assert names(tmp_path) == [existing]
        assert (tmp_path / existing).read_text() == "mine"
    done = rendered(undoku, *TOLD, "-o", "a.mp4", "-y", cwd=tmp_path)
    assert names(tmp_path) == ["a.highlights.json", "a.mp4", "a.srt"]


def film() -> Film:
    settings = FilmSettings(320, 180, Fraction(20), Pace(duration=Fraction(4)), highlights=True)
    return Film([search(MEDIUM.grid, "mrv")], settings)


@pytest.mark.parametrize("failing", ["a.gif", "a.srt", "a.highlights.json"])
def test_when_one_file_fails_none_appears(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """Another program makes a file of that name while the film is drawn."""
    made = film()
    sidecars = [captions_sidecar(tmp_path / "a.srt"), highlights_sidecar(tmp_path / "a.gif")]
    drawn = Film.parts_from

    def draw(*arguments: object, **named: object) -> object:
        (tmp_path / failing).write_text("theirs")
        return drawn(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Film, "parts_from", draw)
    with pytest.raises(OutputError, match="exists already"):
        write_film(made, [tmp_path / "b.gif", tmp_path / "a.gif"], sidecars=sidecars)
    assert names(tmp_path) == [failing]
    assert (tmp_path / failing).read_text() == "theirs"


def test_the_texts_of_a_fitted_film_describe_the_fitted_film(tmp_path: Path) -> None:
    settings = FilmSettings(
        320, 180, Fraction(30), Pace(Fraction(60)), hold=Fraction(1), highlights=True
    )
    made = Film([search(MEDIUM.grid, "row-major")], settings)
    path = tmp_path / "a.mp4"
    sidecars = [captions_sidecar(tmp_path / "a.vtt"), highlights_sidecar(path)]
    fitted = write_fitted(made, path, limits_for(path, 120_000, None), sidecars=sidecars)
    assert path.stat().st_size <= 120_000
    assert not fitted.unchanged
    seconds = fitted.report.outputs[0].duration
    message = (tmp_path / "a.vtt").read_text("utf-8").rstrip().splitlines()
    ends = [line.split(" --> ")[1] for line in message if " --> " in line]
    minutes, end = ends[-1].removeprefix("00:").split(":")
    assert abs(int(minutes) * 60 + Fraction(end) - seconds) <= Fraction(1, 1000)
    found = json.loads((tmp_path / "a.highlights.json").read_text("utf-8"))["highlights"]
    starts = {round(float(start), 6) for start, _ in chapters_of(path)}
    assert {entry["seconds"] for entry in found} == starts - {0.0}
    assert names(tmp_path) == ["a.highlights.json", "a.mp4", "a.vtt"]


@pytest.mark.parametrize("single", [("--at-step", "9"), ("--filmstrip", "2")])
def test_a_single_picture_has_no_list(
    undoku: Undoku, tmp_path: Path, single: tuple[str, ...]
) -> None:
    rendered(undoku, *single, "--highlights", "-o", "a.png", cwd=tmp_path)
    assert names(tmp_path) == ["a.png"]


def test_a_search_without_highlights_has_an_empty_list(undoku: Undoku, tmp_path: Path) -> None:
    undoku(
        *("render", EASY.grid, "-s", "mrv", "--max-nodes", "5", "--highlights"),
        *("--size", "320x180", "--duration", "2s", "-o", "frames/%03d.png"),
        cwd=tmp_path,
        code=0,
    )
    assert json.loads((tmp_path / "frames.highlights.json").read_text("utf-8")) == {
        "title": "One search, step by step",
        "highlights": [],
    }
