"""The pages keep their word: their numbers and names are those of the code, their commands run, and
their pictures are what the commands make."""

from __future__ import annotations

import inspect
import re
import shlex
import shutil
import tomllib
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import undoku
from tests.support.command import Undoku, run_undoku
from tests.support.decoding import film_index
from tests.support.puzzles import EASY, MEDIUM
from tests.support.system import ROOT
from undoku.errors import EncoderError
from undoku.render.delivery import fit
from undoku.render.delivery.platforms import platforms
from undoku.render.draw import theme
from undoku.render.figures import chart, study_figure
from undoku.render.film import flash_meter
from undoku.render.film.palette import all_colours
from undoku.render.layout.block_measures import USUAL_COUNTERS
from undoku.render.panels.panel_registry import BUILTIN_PANELS
from undoku.render.settings.settings import FilmSettings
from undoku.render.settings.table import option
from undoku.render.sound.mix import load_mix
from undoku.render.timeline import timeline
from undoku.render.write import webp
from undoku.render.write.quality import KEY_FRAMES, QUALITIES
from undoku.solver.trace import header

PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))


def text_of(page: str) -> str:
    """The page on one line."""
    return " ".join((ROOT / page).read_text("utf-8").split())


WORDS = {2: "two", 3: "three", 4: "four", 6: "six", 7: "seven"}
MAX_COLOURS = max(
    len(all_colours(theme.load_theme(name), overlay=overlay, searches=3))
    for name in theme.theme_names()
    for overlay in (False, True)
)
LEFT_OUT = [kind.name for kind in sorted(BUILTIN_PANELS, key=lambda kind: kind.rank)][:-2]
FACTS = {
    "docs/film.md": [
        "in this order: " + ", ".join(LEFT_OUT),
        f"| counters | {' and digits '.join(kind.label() for kind in USUAL_COUNTERS)};",
        f"At up to {timeline.EYE} steps per second the cell",
        f"one of {WORDS[theme.SHADES]} shades",
        f"slows down to {timeline.EYE} steps per second",
        f"draws one to {WORDS[chart.MAX_SEARCHES]} searches",
        f"if they differ by a factor of more than {chart.MAX_LINEAR:,}",
        f"a contrast of at least {theme.READABLE}",
    ],
    "docs/formats.md": [
        f"at most {1000 // webp.MIN_DELAY} frames/s",
        f"up to {option('filmstrip').kind.schema['maximum']} moments",
        "(to {}, {} or {})".format(*fit.COLOURS),
        f"`--for github` ({', '.join(list(platforms())[1:])})",
        f"at most {MAX_COLOURS} colours",
        "`--colours 31` ({minimum} to {maximum})".format(
            **option("colours").kind.schema["anyOf"][1]
        ),
        "any field of {}×{} pixels".format(*flash_meter.FIELD),
        f"at most {WORDS[flash_meter.MAX_FLASHES]} of either kind in any second",
    ],
    "docs/batch.md": [
        f"With more than {study_figure.MAX_DOTS} puzzles, each dot stands for one hundredth",
    ],
    "docs/encoding.md": [
        f"A key frame every {KEY_FRAMES} frames",
        f"Threads are pinned to {FilmSettings().encoder_threads}",
        "`archive` differs from `standard` in crf {} instead of {}".format(
            *(
                re.findall(r"crf=(\d+)", QUALITIES[name].parameters)[0]
                for name in ("archive", "standard")
            )
        ),
    ],
    "docs/trace-format.md": [f"at most {header.MAX_LINE_BYTES:,} bytes"],
}


@pytest.mark.parametrize(("name", "fact"), [(n, f) for n, facts in FACTS.items() for f in facts])
def test_a_page_states_what_the_code_has(name: str, fact: str) -> None:
    assert fact in text_of(name)


def test_the_number_of_loops_is_that_of_the_sources() -> None:
    (said,) = re.findall(r"about (\d+) loops", text_of("docs/start-up.md"))
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "undoku").rglob("*.py"))
    counted = len(re.findall(r"^@(?:loop|inner|narrow)$", sources, re.MULTILINE))
    assert abs(counted - int(said)) < 50


def test_the_profiles_of_the_page_of_formats_are_those_of_its_films(tmp_path: Path) -> None:
    profiles = []
    for encoder in ("direct", "x264"):
        path = tmp_path / f"{encoder}.mp4"
        undoku.film(EASY.grid, "mrv", path, size="320x180", duration="1s", encoder=encoder)
        profiles.append(film_index(path).profile)
    assert "{} or (x264) {} profile".format(*profiles) in text_of("docs/formats.md")


def test_the_help_says_how_long_a_direct_film_takes_as_it_was_measured() -> None:
    measured = (ROOT / "benchmarks" / "results" / "budgets.txt").read_text("utf-8")
    ratios = [float(ratio) for ratio in re.findall(r"x264:.* time × ([\d.]+)", measured)]
    assert "a ninth to a third of the time (direct)" in option("encoder").sentence
    assert "x264, which takes three to nine times the time," in text_of("docs/direct-h264.md")
    assert 1 / 10 < min(ratios) < 1 / 8
    assert 1 / 4 < max(ratios) < 2 / 5


def test_colours_are_not_limited_unless_they_are() -> None:
    assert FilmSettings().colours == 0
    assert "0 means no limit; default: 0" in " ".join(run_undoku("render", "--help").stdout.split())


def test_the_package_names_the_system_and_the_licenses_that_it_has() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    systems = [each for each in project["classifiers"] if each.startswith("Operating System")]
    assert systems == ["Operating System :: POSIX :: Linux"]
    assert project["license"] == "MIT"
    said = "ffmpeg, which has the GNU GPL 3, runs as a program of its own"
    assert f"[LICENSE](LICENSE) (MIT). imageio-ffmpeg's {said}" in text_of("README.md")


def test_the_formats_that_the_readme_names_need_no_ffmpeg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (said,) = re.findall(r"MP4 by `--encoder direct`, ([A-Z, a-zP]+) do not", text_of("README.md"))
    names = [tmp_path / f"a.{name.lower()}" for name in ("MP4", *re.split(", | and ", said))]
    assert len(names) == 6
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "nowhere"))
    for name in names:
        length = {"at_step": 9} if name.suffix in (".png", ".svg") else {"duration": "1s"}
        undoku.film(EASY.grid, "mrv", name, size="320x180", encoder="direct", **length)
    with pytest.raises(EncoderError, match="nowhere"):
        undoku.film(EASY.grid, "mrv", tmp_path / "a.webm", size="320x180", duration="1s")


def test_the_readme_lists_every_command_and_no_other() -> None:
    listed = re.findall(
        r"^\| `([a-z]+)` \| \S", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    known = re.findall(
        r"^ {4}([a-z]+) {2,}\S|^ {4}([a-z]+)$", run_undoku("--help").stdout, re.MULTILINE
    )
    assert sorted(listed) == sorted(one or other for one, other in known)
    assert len(listed) > 9
    for name in listed:
        assert run_undoku(name, "--help").stdout.startswith(f"usage: undoku {name}")


def test_the_exit_codes_of_the_readme_are_those_of_the_help() -> None:
    reported = re.findall(r"^  (\d+)  ", run_undoku("--help").stdout, re.MULTILINE)
    (sentence,) = re.findall(r"Exit codes: (.*?terminated \(SIGTERM\))\.", text_of("README.md"))
    assert sorted(re.findall(r"\d+", sentence), key=int) == reported


def blocks(page: str, language: str) -> list[str]:
    """The examples of a page in a language."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_python_of_the_readme_runs_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _, example = blocks("README.md", "python")
    found: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), found)
    (message,) = re.findall(r"# (\d+)$", example, re.MULTILINE)
    assert capsys.readouterr().out == f"{message}\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.gif", "film.mp4"]
    picture = found["picture"]
    assert isinstance(picture, undoku.Picture)
    assert picture.pixels.shape == (360, 640, 3)
    assert picture.pixels.dtype == np.uint8


@pytest.mark.parametrize("page", [name for name in PAGES if blocks(name, "python")])
def test_the_imports_of_a_pages_python_can_be_made(page: str) -> None:
    for example in blocks(page, "python"):
        compile(example, page, "exec")
        for line in example.splitlines():
            if re.match(r"(from|import) (?!backtracker)", line):  # the reader's own file
                exec(line, {})


def files_named(page: str) -> list[str]:
    """The files of the code and of the benchmarks' results that a page names."""
    return re.findall(
        r"`((?:undoku|benchmarks|tests|docs)/[\w./-]+)`", (ROOT / page).read_text("utf-8")
    )


NAMING = [name for name in ("README.md", "examples/README.md", *PAGES) if files_named(name)]


def test_pages_name_files_and_have_python() -> None:
    """Otherwise the tests of them would say nothing."""
    assert sum(len(files_named(page)) for page in NAMING) > 50
    assert sum(len(blocks(page, "python")) for page in PAGES) > 3


@pytest.mark.parametrize("page", NAMING)
def test_a_file_that_a_page_names_exists(page: str) -> None:
    for name in files_named(page):
        path = ROOT / name
        assert path.is_file() or any(path.rglob("*.*")), f"{page} names {name}"


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_whole_tables_and_no_numbers_that_begin_a_list(page: str) -> None:
    """A row without a table is shown as text, and "1440." at the beginning of a line as an item."""
    text = (ROOT / page).read_text("utf-8")
    assert not re.findall(r"^\d{3,}\. .*", text, re.MULTILINE)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert re.match(r"\|.*\n\|[ |-]+\|\n", table), table


@pytest.mark.parametrize("page", PAGES)
def test_the_toml_of_a_page_can_be_parsed(page: str) -> None:
    for block in blocks(page, "toml"):
        assert tomllib.loads(block)


def test_the_manifest_of_the_page_on_batches_names_its_films(
    tmp_path: Path, undoku: Undoku
) -> None:
    """Of a collection without its bounds, which would take searches."""
    (block,) = blocks("docs/batch.md", "toml")
    text = re.sub("^(range|givens|nodes) = .*$", "", block, flags=re.MULTILINE)
    (tmp_path / "films.toml").write_text(text, "utf-8")
    shutil.copy(ROOT / "examples" / "puzzles" / "medium.txt", tmp_path)
    (tmp_path / "puzzles.sdm").write_text(f"{EASY.grid}\n{MEDIUM.grid}\n")
    undoku("batch", "films.toml", "-o", "films", "--dry-run", cwd=tmp_path, code=0)


def test_the_mix_of_the_page_on_sound_can_be_read(tmp_path: Path) -> None:
    (block,) = blocks("docs/sound.md", "toml")
    (tmp_path / "mix.toml").write_text(block, "utf-8")
    mix = load_mix(str(tmp_path / "mix.toml"))
    assert (mix.pitch.root, mix.pitch.low, mix.pitch.high) == (220, 120, 1320)
    assert [search.pan for search in mix.searches] == [-1, None]


SHOWING = ["README.md", "examples/README.md"]


def commands(page: str) -> list[list[str]]:
    """The undoku commands of a page's sh blocks, without the first word."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("undoku ")]


def output_of(command: list[str]) -> str:
    return command[command.index("-o") + 1] if "-o" in command else ""


PICTURES = [
    command for page in SHOWING for command in commands(page) if "media/" in output_of(command)
]
MADE_ELSEWHERE = {
    ROOT / name
    for page in SHOWING
    for name in re.findall(
        r"^.*(?:--screenshot=|--wins )(\S+)", (ROOT / page).read_text("utf-8"), re.MULTILINE
    )
}
MADE_ELSEWHERE |= {ROOT / "docs/media/vs.gif"}
MADE_ELSEWHERE |= {
    ROOT / f"examples/media/{name}.gif" for name in ("eight-queens", "tour", "maze", "word-search")
}
"""Pictures that a browser takes of a page, that a study of some minutes draws, or programs."""
OTHERS = [command for command in commands("README.md") if command not in PICTURES]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the examples in it, as the commands want it."""
    for name in ("puzzles", "problems", "manifests"):
        shutil.copytree(ROOT / "examples" / name, tmp_path / "examples" / name)
    for name in ("docs/media", "examples/media"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        # Other tests make films in this way.
        pytest.param(c, id=output_of(c), marks=[pytest.mark.long] * output_of(c).endswith(".gif"))
        for c in PICTURES
        if "fifty-minutes" not in " ".join(c)
    ],
)
def test_a_picture_is_what_the_command_beside_it_makes(
    undoku: Undoku, desk: Path, command: list[str]
) -> None:
    """Pixel by pixel, except for shades that depend on the version of a font library."""
    undoku(*command, cwd=desk, code=0)
    name = output_of(command)
    check_picture(ROOT / name, desk / name)


def check_picture(old_path: Path, new_path: Path) -> None:
    """All pictures of a film, the laps among them, are the same, except for shades."""
    with Image.open(old_path) as shown, Image.open(new_path) as made:
        frames = getattr(made, "n_frames", 1)
        assert frames == getattr(shown, "n_frames", 1)
        for number in range(frames):
            shown.seek(number)
            made.seek(number)
            old, new = (np.asarray(picture.convert("RGB"), np.int16) for picture in (shown, made))
            assert old.shape == new.shape
            assert (np.abs(old - new).max(2) > 48).mean() < 0.01


@pytest.mark.long
def test_the_film_of_a_solver_in_the_readme_is_what_its_python_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(ROOT / "examples")
    example, _ = blocks("README.md", "python")
    assert "my_solver" in example and "undoku" not in inspect.getsource(import_module("my_solver"))
    exec(compile(example, "README.md", "exec"), {})
    check_picture(ROOT / "docs" / "media" / "vs.gif", tmp_path / "vs.gif")


@pytest.mark.long
def test_the_film_of_a_solver_in_its_page_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks("docs/your-solver.md", "python")[0], "your-solver.md", "exec"), {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vs.gif", "vs.mp4"]


def test_every_picture_of_a_page_has_its_command() -> None:
    shown = 0
    for page in SHOWING:
        folder = (ROOT / page).parent
        made = {ROOT / output_of(command) for command in PICTURES} | MADE_ELSEWHERE
        for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", (ROOT / page).read_text("utf-8")):
            assert folder / name in made
            shown += 1
    assert shown > 10


@pytest.mark.long
def test_the_commands_of_the_readme_run_one_after_the_other(undoku: Undoku, desk: Path) -> None:
    """As a stranger would: in order, word for word."""
    for command in OTHERS:
        undoku(*command, cwd=desk, code=0)


def test_every_page_that_is_linked_exists() -> None:
    links = 0
    for page in [*SHOWING, *PAGES]:
        folder = (ROOT / page).parent
        for name in re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", (ROOT / page).read_text("utf-8")):
            assert (folder / name).exists(), f"{page} links to {name}"
            links += 1
    assert links > 50


def test_the_page_of_formats_has_every_format_and_its_measured_bytes() -> None:
    """As the benchmark's page says it."""
    from undoku.render.write.formats import formats

    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    results = (ROOT / "benchmarks" / "results" / "formats.txt").read_text("utf-8")
    for entry in formats():
        row = re.search(rf"^\| {re.escape(entry.name)} \| (.*)$", page, re.MULTILINE)
        measured = re.search(rf"^{re.escape(entry.name)} {{2,}}([\d,]+) ", results, re.MULTILINE)
        assert row and measured, f"{entry.name} is missing"
        assert f"`{entry.suffix}`" in row[1]
        assert row[1].endswith(f"| {measured[1]} |")
