"""Files say how they were made, and the same film can be made from them again."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.puzzles import EASY, damaged
from tests.support.system import ROOT
from undoku import InputError, Limits, SettingsError, compare, search
from undoku.errors import UndokuError
from undoku.render.delivery.embed import alt_text, snippet
from undoku.render.delivery.write import Report
from undoku.render.settings.settings import FilmSettings
from undoku.render.write.file_info import about_of, chapters_of
from undoku.render.write.recipe import recipe_of, traces_and_settings
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.variants import jigsaw_geometry, with_diagonals

FORMATS = ["mp4", "webm", "gif", "webp", "apng", "png", "svg", "pdf"]
SMALL = ("--size", "320x180", "--fps", "10", "--duration", "1s")
TITLE = 'SECRET "quotes" = ; # \\ 数独'


@pytest.fixture(scope="module")
def films(undoku: Undoku, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film in each format, with TITLE and, where they can be stored, chapters."""
    folder = tmp_path_factory.mktemp("films")
    outputs = [word for suffix in FORMATS for word in ("-o", f"film.{suffix}")]
    undoku(
        *("render", EASY.grid, "-s", "mrv", "-s", "row-major", "--theme", "light", "--highlights"),
        *("--title", TITLE, *SMALL, *outputs),
        cwd=folder,
        code=0,
    )
    return folder


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_says_how_it_was_made_and_gives_the_same_film_again(
    undoku: Undoku, films: Path, tmp_path: Path, suffix: str
) -> None:
    """The same as a GIF: all but the comment, which names the command, is the same."""
    name = f"film.{suffix}"
    about = json.loads(undoku("info", name, "--json", cwd=films).stdout)
    assert about["title"] == TITLE
    assert about["puzzle"] == EASY.grid.replace("0", ".")
    assert about["strategies"] == "mrv, row-major"
    assert about["counts"] == (
        "Fewest options first: solved, 44 nodes, 43 steps, 0 backtracks; "
        "Row by row: solved, 52 nodes, 59 steps, 4 backtracks"
    )
    assert about["command"].startswith(f"undoku render {EASY.grid} --strategy mrv")
    undoku("render", "--again", str(films / name), "-o", "again.gif", cwd=tmp_path, code=0)
    again = tmp_path / "again.gif"
    first, second = (path.read_bytes() for path in (films / "film.gif", again))
    assert first[first.index(b"!\xf9") :] == second[second.index(b"!\xf9") :]
    assert json.loads(about["recipe"]) == json.loads(about_of(again)["recipe"])


def test_again_takes_options_that_differ(undoku: Undoku, tmp_path: Path) -> None:
    undoku("render", EASY.grid, "-s", "mrv", "-o", "film.gif", *SMALL, cwd=tmp_path)
    again = undoku("render", "--again", "film.gif", "-o", "wide.gif", "--size", "640x360",
                   "--json", cwd=tmp_path)  # fmt: skip
    content = json.loads(again.stdout)
    assert (content["outputs"][0]["width"], content["outputs"][0]["fps"]) == (640, 10)
    assert content["outputs"][0]["duration_s"] == 1


def test_a_film_that_was_faded_or_fitted_says_so(undoku: Undoku, tmp_path: Path) -> None:
    """The film that is made again must be as safe and as small."""
    undoku("render", EASY.grid, "-s", "mrv", "-o", "a.gif", *SMALL, "--flash-safe", cwd=tmp_path)
    undoku("render", "--again", "a.gif", "-o", "b.gif", cwd=tmp_path)
    recipe = json.loads(about_of(tmp_path / "b.gif")["recipe"])
    assert recipe["settings"]["flash_safe"] is True
    for option in ("--max-size 1MB", "--for x"):
        asked = (*option.split(), "-o", "c.gif", "-y")
        undoku("render", EASY.grid, "-s", "mrv", *SMALL, *asked, cwd=tmp_path)
        assert about_of(tmp_path / "c.gif")["command"].count(option) == 1


def test_info_prints_what_a_person_reads(undoku: Undoku, tmp_path: Path) -> None:
    undoku("render", EASY.grid, "-s", "mrv", "-o", "film.gif", *SMALL, cwd=tmp_path)
    done = undoku("info", "film.gif", cwd=tmp_path)
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert names == ["title", "puzzle", "strategies", "counts", "command"]


@pytest.mark.parametrize(
    ("name", "content", "code", "message"),
    [
        ("none.gif", None, 3, "there is no file"),
        ("text.gif", b"hello", 2, "not a picture that can be read"),
        ("text.mp4", b"hello", 2, "not a film that can be read"),
        ("empty.gif", b"", 2, "not a picture that can be read"),
    ],
)
def test_a_file_that_says_nothing_is_refused(
    undoku: Undoku, tmp_path: Path, name: str, content: bytes | None, code: int, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    for arguments in (("info", name), ("render", "--again", name, "-o", "x.gif")):
        done = undoku(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (code, "")
        assert message in done.stderr


def test_a_film_of_a_recorded_trace_has_no_recipe(undoku: Undoku, tmp_path: Path) -> None:
    undoku("trace", EASY.grid, "-o", "a.jsonl", cwd=tmp_path)
    undoku("render", "a.jsonl", "-o", "film.gif", *SMALL, cwd=tmp_path)
    assert "recipe" not in about_of(tmp_path / "film.gif")
    done = undoku("render", "--again", "film.gif", "-o", "x.gif", cwd=tmp_path)
    assert done.returncode == 2
    assert "was made from a recorded trace; give that trace instead" in done.stderr


def test_a_recipe_holds_boards_of_any_shape_and_all_settings() -> None:
    regions = "".join(
        str(row // 2 * 2 + column // 2 + 1) for row in range(4) for column in range(4)
    )
    geometry = with_diagonals(jigsaw_geometry([int(mark) for mark in regions]))
    puzzle = Puzzle((1,) + (0,) * 15, geometry)
    traces = [search(puzzle, "mrv", Limits(max_nodes=7, exhaustive=True))]
    settings = FilmSettings(width=640, height=360, theme="light", loop=3)
    found, same = traces_and_settings(recipe_of(traces, settings), "film")
    assert same == settings
    assert found[0].header == traces[0].header
    assert found[0].tally().outcome == traces[0].tally().outcome
    assert (found[0].read() == traces[0].read()).all()


@pytest.mark.parametrize(
    "recipe",
    ["", "[]", "{}", '{"undoku_film":2}', '{"undoku_film":1,"searches":[{}],"settings":{}}',
     '{"undoku_film":1,"searches":[],"settings":{"nonsense":1}}', "[" * 100_000],
)  # fmt: skip
def test_a_damaged_recipe_is_one_sentence(recipe: str) -> None:
    with pytest.raises(SettingsError, match="recipe"):
        traces_and_settings(recipe, "film.gif")


class Parsed(HTMLParser):
    """The tags of a snippet, and that each is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: dict[str, dict[str, str | None]] = {}
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = dict(attrs)
        if tag not in ("img", "source"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_gif_is_embedded_with_a_still_for_reduced_motion(undoku: Undoku, tmp_path: Path) -> None:
    for language in ("html", "markdown"):
        done = undoku("render", EASY.grid, "-o", "my film.gif", "-y", *SMALL, "--embed", language,
                      cwd=tmp_path)  # fmt: skip
        assert done.returncode == 0, done.stderr
        tags = Parsed(done.stdout).tags
        assert tags["source"]["media"] == "(prefers-reduced-motion: reduce)"
        assert tags["source"]["srcset"] == "my%20film.still.png"
        assert (tags["img"]["src"], tags["img"]["width"]) == ("my%20film.gif", "320")
        assert "Row by row solves the puzzle in 59 steps" in str(tags["img"]["alt"])
        assert (tmp_path / "my film.still.png").exists()


def test_a_film_is_embedded_with_controls_and_a_poster(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("render", EASY.grid, "-o", "film.mp4", *SMALL, "--embed", "html", cwd=tmp_path)
    tags = Parsed(done.stdout).tags
    assert "controls" in tags["video"]
    assert tags["video"]["poster"] == "film.still.png"
    assert tags["source"] == {"src": "film.mp4", "type": "video/mp4"}
    assert (tmp_path / "film.still.png").exists()


def test_a_page_shows_a_pdf_as_a_picture_that_links_to_it(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("render", EASY.grid, "-o", "strip.pdf", "--filmstrip", "3", "--size", "640x360",
                  "--embed", "html", cwd=tmp_path)  # fmt: skip
    tags = Parsed(done.stdout).tags
    assert tags["a"] == {"href": "strip.pdf"}
    assert (tags["img"]["src"], tags["img"]["height"]) == ("strip.still.png", "360")
    assert '"picture":{"filmstrip":3}' in about_of(tmp_path / "strip.still.png")["recipe"]
    done = undoku("render", EASY.grid, "-o", "strip.pdf", "-y", "--at-step", "3", "--size",
                  "320x180", "--embed", "markdown", cwd=tmp_path)  # fmt: skip
    assert done.stdout.endswith("](strip.still.png)](strip.pdf)\n")


@pytest.mark.parametrize(
    ("name", "files", "words"),
    [
        # The still of a film with a per cent sign in its name is one picture, not a sequence.
        ("5% d.gif", {"5% d.gif", "5_ d.still.png"}, ['="5_%20d.still.png"', 'src="5%25%20d.gif"']),
        ("a.svg", {"a.svg"}, ["![Backtracking", "](a.svg)\n"]),
        ("frames/%04d.png", set(), ["an image sequence can't be embedded"]),
    ],
)
def test_a_still_is_made_of_films_alone_and_sequences_are_not_embedded(
    undoku: Undoku, tmp_path: Path, name: str, files: set[str], words: list[str]
) -> None:
    done = undoku("render", EASY.grid, "-o", name, *SMALL, "--embed", "markdown", cwd=tmp_path)
    assert done.returncode == (0 if files else 2), done.stderr
    assert all(word in done.stdout + done.stderr for word in words)
    assert {path.name for path in tmp_path.iterdir()} == files


def test_hostile_names_are_escaped_in_snippets(tmp_path: Path) -> None:
    report = compare(EASY.grid, ["mrv"], tmp_path / "a.png", size="320x180")
    assert isinstance(report, Report)
    names = ['"><script>alert(1)</script>']
    for language in ("html", "markdown"):
        text = snippet(language, report.outputs[0], tmp_path / "a.png", names, report.tallies)
        assert "<script" not in text
    assert alt_text(["mrv"], report.tallies).startswith("A backtracking search, step by step: mrv")


def test_a_still_beside_a_film_never_replaces_a_file_unasked(
    undoku: Undoku, tmp_path: Path
) -> None:
    """It is refused before the film is made; with --force it is made once for films of the same
    name."""
    (tmp_path / "film.still.png").write_text("precious")
    arguments = (
        "render",
        EASY.grid,
        *["-o", "film.gif", "-o", "film.webp", "--embed", "html"],
        *SMALL,
    )
    refused = undoku(*arguments, cwd=tmp_path)
    assert refused.returncode == 3
    assert "'film.still.png' exists already" in refused.stderr
    assert (tmp_path / "film.still.png").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["film.still.png"]
    (tmp_path / "film.still.png").unlink()
    done = undoku(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("film.still.png") == 2


# Foreign files: only the named file is opened, and one sentence reports what is wrong.


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


@pytest.mark.parametrize(
    "suffix", [name if name in ("mp4", "svg") else long(name) for name in FORMATS]
)
@pytest.mark.parametrize("kind", LISTS)
def test_a_list_that_names_a_film_is_not_followed(
    undoku: Undoku, films: Path, tmp_path: Path, kind: str, suffix: str
) -> None:
    """Whatever its suffix: the film that it names is neither read nor mentioned."""
    assert about_of(films / f"film.{suffix}")["title"] == TITLE
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


@pytest.mark.parametrize("suffix", ("mp4", long("webm"), long("gif"), long("svg")))
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


@pytest.mark.parametrize("suffix", FORMATS)
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
        ("a.pdf", b"%PDF-" + b"/Keywords (" * 400_000),
        ("a.pdf", b"%PDF-<x:xmpmeta>" + b"<desc>" * 400_000 + b"</x:xmpmeta>"),
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
