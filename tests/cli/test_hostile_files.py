"""Files of strangers: recipes, pipes, devices, folders that are gone, names with odd characters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngImageFile, PngInfo

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.films import make_film
from tests.support.made_fonts import make_font
from tests.support.puzzles import EASY
from tests.support.system import ROOT
from undoku import search
from undoku.cli.main import main
from undoku.cli.printing import print_json, table
from undoku.render.delivery.captions import captions_sidecar
from undoku.render.delivery.marks import highlights_text
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.timeline import Pace
from undoku.render.write.file_info import about_element
from undoku.render.write.recipe import recipe_of

SMALL = {"size": "320x180", "fps": 25, "steps_per_frame": 8, "card": "1s"}
SHORT = ("-s", "mrv", "--size", "320x180", "--fps", "10", "--duration", "1s")
HUGE = [
    "1e999999999", "1/0", "0/0", "9" * 5000, float("inf"), float("nan"), 10**4000, "1_0", "٣", None,
    [], {}, True, -1, "-5", 0.5,
]  # fmt: skip


@cache
def _recipe() -> str:
    return recipe_of([search(EASY.grid, "mrv")], settings_of(SMALL))


def page(folder: Path, settings: dict[str, Any], **more: object) -> Path:
    """A page with a recipe in which some settings have been replaced."""
    recipe = json.loads(_recipe())
    recipe["settings"] |= settings
    path = folder / "film.html"
    path.write_text("<!doctype html>" + about_element([("recipe", json.dumps(recipe | more))]))
    return path


@pytest.mark.parametrize(
    "field",
    ["fps", "intro", "key_interval", "margins", "duration", "steps_per_frame", "first", "at"],
)
def test_no_number_of_a_recipe_is_computed_that_is_not_written_out(
    undoku: Undoku, tmp_path: Path, field: str
) -> None:
    for value in HUGE:
        settings: dict[str, Any] = {field: value}
        if field == "margins":
            settings = {field: [value] * 4}
        elif field == "at":
            settings = {"pace": {"kind": "even", "cues": [{"step": 0, "at": value}]}}
        elif field in ("duration", "steps_per_frame", "first"):
            settings = {"pace": {"kind": "even", field: value}}
        page(tmp_path, settings)
        done = undoku("render", "--again", "film.html", "-o", "a.gif", "--dry-run", cwd=tmp_path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and "film.html" in done.stderr


def test_a_number_that_is_not_written_out_is_refused_in_every_format(
    undoku: Undoku, tmp_path: Path
) -> None:
    """A frame rate of 24000/1001 becomes one of as many characters that would be computed for
    ever."""
    small = ("--size", "320x180", "--fps", "24000/1001", "--every", "9", "--to-step", "18")
    for kind, more in (
        (("mp4", "gif", "webp", "webm", "mov", "html"), ()),
        (("png", "svg", "pdf"), ("--at-step", "5")),
    ):
        names = [word for suffix in kind for word in ("-o", f"film.{suffix}")]
        undoku("render", EASY.grid, "-s", "mrv", *small, *more, *names, cwd=tmp_path, code=0)
        for suffix in kind:
            path = tmp_path / f"film.{suffix}"
            if suffix == "png":  # its parts have checksums
                with Image.open(path) as picture:
                    assert isinstance(picture, PngImageFile)
                    texts = PngInfo()
                    for key, text in picture.text.items():
                        texts.add_text(key, text.replace("24000/1001", "1e99999999"))
                    picture.save(path, pnginfo=texts)
            else:
                path.write_bytes(path.read_bytes().replace(b"24000/1001", b"1e99999999"))
            again = ("render", "--again", path.name, "-o", "a.gif", "--dry-run")
            done = undoku(*again, cwd=tmp_path)
            assert done.returncode == 2 and done.stderr.count("\n") == 1, suffix
            assert path.name in done.stderr


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("theme", "mine.toml"), ("language", "mine.toml"), ("sound", "mine.toml"),
        ("voice", "take"), ("font", "mine.ttf"), ("font", "./mine"),
    ],
)  # fmt: skip
def test_a_recipe_opens_only_files_that_the_user_names_too(
    undoku: Undoku, tmp_path: Path, field: str, name: str
) -> None:
    page(tmp_path, {field: name})
    again = ("render", "--again", "film.html", "-o", "film.mp4", "--dry-run")
    message = undoku(*again, cwd=tmp_path, code=2).stderr
    assert f"opens another file, '{name}' for --{field}" in message
    allowed = undoku(*again, f"--{field}", name, cwd=tmp_path)
    if field != "voice":  # which is only read for the film
        assert f"there is no file '{name}'" in allowed.stderr


@pytest.mark.parametrize("field", ["font", "theme", "language", "sound", "voice", "code", "cues"])
def test_pipes_and_devices_are_refused_instead_of_waited_for(
    undoku: Undoku, tmp_path: Path, field: str
) -> None:
    name = {"font": "p.ttf", "voice": "p.wav", "code": "p.txt"}.get(field, "p.toml")
    os.mkfifo(tmp_path / name)
    arguments = ("render", EASY.grid, "-o", "film.mp4", f"--{field}", name)
    assert f"'{name}' is a pipe or a device" in undoku(*arguments, cwd=tmp_path, code=3).stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_pipe_beside_a_font_file_is_not_a_face_of_it(undoku: Undoku, tmp_path: Path) -> None:
    import matplotlib as mpl

    fonts = Path(mpl.get_data_path(), "fonts", "ttf")
    (tmp_path / "DejaVuSans.ttf").write_bytes((fonts / "DejaVuSans.ttf").read_bytes())
    os.mkfifo(tmp_path / "DejaVuSans-Bold.ttf")
    options = ("--size", "320x180", "--at-step", "3", "-o", "a.png", "--font", "./DejaVuSans.ttf")
    undoku("render", EASY.grid, *options, cwd=tmp_path, code=0)


@pytest.mark.parametrize(
    "command", [("info", "p"), ("batch", "p.toml"), ("render", "--again", "p")]
)
def test_a_file_to_be_read_as_a_whole_is_no_pipe(
    undoku: Undoku, tmp_path: Path, command: tuple[str, ...]
) -> None:
    os.mkfifo(tmp_path / command[-1])
    assert "is a pipe or a device" in undoku(*command, cwd=tmp_path, code=3).stderr


def process(folder: Path, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which runs the code `before` first."""
    code = f"import os, sys\n{before}\nsys.argv[0] = 'undoku'\n"
    code += "import runpy\nrunpy.run_module('undoku', run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )


@pytest.mark.parametrize("arguments", [("render", EASY.grid, "-o", "a.gif"), ("solve", EASY.grid)])
def test_a_working_folder_that_was_removed_is_reported(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = process(tmp_path, *arguments, before="os.mkdir('x'); os.chdir('x'); os.rmdir('../x')")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "undoku: the working folder was removed; change to another one\n"


@pytest.mark.parametrize("number", [long(4), long(5), 6, long(8), long(10)])
def test_a_few_file_descriptors_give_a_film_or_a_sentence(tmp_path: Path, number: int) -> None:
    before = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({number}, {number}))"
    options = ("--size", "320x180", "--at-step", "9", "-o", "a.png", "-q")
    done = process(tmp_path, "render", EASY.grid, *options, before=before)
    assert "Traceback" not in done.stderr
    assert "damaged" not in done.stderr
    assert (done.returncode == 0) == (tmp_path / "a.png").exists()


def test_too_little_memory_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_DATA, (100 << 20,) * 2)"
    done = process(tmp_path, "render", EASY.grid, "-o", "a.mp4", before=limit)
    assert (done.returncode, done.stderr) == (3, "undoku: there is not enough memory for this\n")
    assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [
        ("render", EASY.grid, *SHORT, "--captions", "a.srt", "-o", "a.gif"),
        ("chart", EASY.grid, "-o", "a.svg"),
        ("trace", EASY.grid, "-o", "a.jsonl"),
        ("trace", EASY.grid),
        ("list", "themes"),
        ("render", EASY.grid, *SHORT, "-o", "-", "-q"),
    ],
)
def test_a_run_whose_report_cannot_be_printed_fails_and_leaves_no_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert main(arguments) == 3
    message = "standard output can't be written: No space left on device\n"
    assert capsys.readouterr().err.endswith(message)
    assert not [*tmp_path.iterdir()]


def test_a_help_that_cannot_be_printed_is_a_failure(tmp_path: Path) -> None:
    """Python's own text at the end of the process included."""
    done = process(tmp_path, "--help", before="os.dup2(os.open('/dev/full', os.O_WRONLY), 1)")
    message = "undoku: standard output can't be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (3, message)


def test_a_closed_standard_error_loses_messages_only() -> None:
    command = [sys.executable, "-m", "undoku", "solve", EASY.grid, "-s", "mrv"]
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command]
    done = subprocess.run(closed, capture_output=True, text=True, check=True)
    assert "mrv" in done.stdout and done.stdout.splitlines()[-1].startswith("solution")


def test_control_characters_of_names_do_not_reach_the_terminal(
    undoku: Undoku, tmp_path: Path
) -> None:
    arguments = ("render", EASY.grid, *SHORT, "--label", "a\x1b[2Jb", "-o", "\x1b.gif")
    for more in ((), ("--embed", "html"), ("--embed", "markdown")):
        done = undoku(*arguments, "-y", *more, cwd=tmp_path, code=0)
        assert "\x1b" not in done.stdout + done.stderr
    assert "\x1b" not in undoku("trace", EASY.grid, "-o", "\x1b.jsonl", cwd=tmp_path).stdout


def test_an_overlong_title_is_refused_at_once(undoku: Undoku, tmp_path: Path) -> None:
    for command in (("chart", EASY.grid, "-o", "a.png"), ("render", EASY.grid, "-o", "a.gif")):
        done = undoku(*command, "--title", "x" * 100_000, cwd=tmp_path, code=2)
        assert "the text has 100,000 characters; write at most 5,000" in done.stderr
        assert len(done.stderr) < 300


def test_a_version_without_metadata_is_reported(tmp_path: Path) -> None:
    hidden = "import importlib.metadata as m\ndef none(name): raise m.PackageNotFoundError(name)\n"
    done = process(tmp_path, "--version", before=hidden + "m.version = none")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("undoku: the metadata of undoku is missing")


@pytest.mark.parametrize(
    ("module", "name", "code"),
    [
        ("undoku.cli.main", "SIGINT", 130),
        ("undoku.errors", "SIGINT", 130),
        ("argparse", "SIGTERM", 143),
        ("numpy", "SIGINT", 130),
    ],
)
def test_a_signal_while_modules_are_loaded_ends_the_command(
    tmp_path: Path, module: str, name: str, code: int
) -> None:
    finder = f"""
import signal
class Finder:
    @staticmethod
    def find_spec(name, *rest):
        if name == {module!r}:
            os.kill(os.getpid(), signal.{name})
for known in [name for name in sys.modules if name.partition(".")[0] in ("argparse", "numpy")]:
    del sys.modules[known]
sys.meta_path.insert(0, Finder)
"""
    done = process(tmp_path, "solve", EASY.grid, before=finder)
    message = "undoku: interrupted\n" if name == "SIGINT" else ""
    assert (done.returncode, done.stdout, done.stderr) == (code, "", message)


# Texts of others (titles, names, comments) can't steer a terminal, a player or a page.


EVIL = "a\x1b[2J\x9b31m\u202eb\n\n2\n00:00:00,000 --> 01:00:00,000\u2028\x7f"
SHOWN = r"a\x1b[2J\x9b31m\u202eb\n\n2\n00:00:00,000 --> 01:00:00,000\u2028\x7f"


def harmless(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def test_tables_show_names_as_text_and_stay_aligned() -> None:
    tally = search(EASY.grid, "mrv").tally()
    head, first, second, wide = table([(EVIL, tally), ("mrv", tally), ("数独", tally)]).splitlines()
    assert first.startswith(SHOWN)
    assert head.index("outcome") == first.index("solved") == second.index("solved")
    assert wide.index("solved") == head.index("outcome") - 2  # two wide characters
    head, widest, first = table([("数独" * 9, tally), ("mrv", tally)]).splitlines()
    assert widest.index("solved") + 18 == first.index("solved") == head.index("outcome")


def test_json_keeps_every_text_in_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    content = {"name": EVIL, "数独": ["é", "\udcff", "\U000e0001", "a\u200db"]}
    print_json(content)
    printed = capsys.readouterr().out
    assert json.loads(printed) == content
    assert "数独" in printed and "é" in printed
    assert harmless(printed.replace("\u200d", ""))


@pytest.mark.parametrize("name", ["a.gif", "a.png", "a.svg", "a.mp4", "a.webm"])
def test_info_shows_the_texts_of_a_file_as_text(undoku: Undoku, tmp_path: Path, name: str) -> None:
    undoku("render", EASY.grid, *SHORT, "-o", name, "--title", EVIL, cwd=tmp_path, code=0)
    done = undoku("info", name, cwd=tmp_path)
    assert harmless(done.stdout), ascii(done.stdout)
    assert r"\u202eb" in done.stdout
    assert harmless(undoku("info", name, "--json", cwd=tmp_path).stdout)


def test_captions_and_lists_of_highlights_hold_texts_that_players_cannot_misread() -> None:
    """A title with line breaks would end its caption and begin another."""
    pace = Pace(duration=Fraction(9))
    whole, evil = (
        make_film("row-major", "mrv", pace=pace, highlights=True, title=title)
        for title in ("x", EVIL)
    )
    evil.names = (EVIL, "mrv")
    for suffix in (".srt", ".vtt"):
        text, plain = (captions_sidecar(Path(f"film{suffix}")).of(one) for one in (evil, whole))
        assert harmless(text), ascii(text)
        assert text.count("\n\n") == plain.count("\n\n")
    listed = highlights_text(evil)
    assert harmless(listed)
    assert json.loads(listed)["title"] == evil.title


def test_characters_that_no_font_has_are_named_in_one_warning(
    undoku: Undoku, tmp_path: Path
) -> None:
    """On stderr, once for a run, however many files it writes; and not when quiet."""
    words = ["render", EASY.grid, "-s", "mrv", "--at-step", "3", "--size", "320x180", "--title",
             "mrv \U0010fffd\U0010fffc \U0010fffd"]  # fmt: skip
    done = undoku(*words, "-o", "a.png", "-o", "a.svg", cwd=tmp_path, code=0)
    (line,) = [line for line in done.stderr.splitlines() if "warning" in line]
    assert line.count("U+10FFFD") == line.count("U+10FFFC") == 1
    assert "--font" in line
    assert not undoku(*words, "-o", "b.png", "--quiet", cwd=tmp_path).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("chart", "-s", "mrv", "--label", "a \U0010fffd", "-o", "a.png"),
        ("solve", "-s", "mrv", "--label", "a \U0010fffd"),
        ("stats", "-s", "mrv", "--label", "a \U0010fffd"),
        ("trace", "-o", "a.jsonl"),
        ("generate", "--count", "1"),
    ],
)
def test_every_command_that_searches_can_be_quiet(
    undoku: Undoku, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """It then prints only results and errors; missing letters are a warning."""
    grid = () if "generate" in words else (EASY.grid,)
    done = undoku(*words, *grid, "-q", cwd=tmp_path, code=0)
    assert done.stdout and not done.stderr
    if "chart" in words:
        assert "U+10FFFD" in undoku(*words, *grid, "-y", cwd=tmp_path).stderr


def pixels(path: Path) -> Any:
    return np.asarray(Image.open(path).convert("RGB"))


def test_a_film_can_use_the_users_own_font(undoku: Undoku, tmp_path: Path) -> None:
    """Its letters are drawn from that file, also when the film is made again."""
    make_font(tmp_path / "Boxes.ttf", "ZQX", advance=2000)
    words = ["render", EASY.grid, "-s", "mrv", "--at-step", "3", "--size", "640x360"]
    given = ["--title", "ZQX ✓", "--font", "Boxes.ttf"]
    assert not undoku(*words, *given, "-o", "own.png", cwd=tmp_path).stderr.count("warning")
    undoku(*words, "--title", "ZQX ✓", "-o", "usual.png", cwd=tmp_path)
    own, usual = (pixels(tmp_path / name) for name in ("own.png", "usual.png"))
    top = slice(0, 36)
    assert (own[top] > 128).sum() > 2 * (usual[top] > 128).sum()
    undoku("render", "--again", "own.png", *given[2:], "-o", "again.png", cwd=tmp_path, code=0)
    assert np.array_equal(pixels(tmp_path / "again.png"), own)


def test_a_font_that_is_a_folder_is_refused(undoku: Undoku, tmp_path: Path) -> None:
    (tmp_path / "folder.ttf").mkdir()
    words = ["render", EASY.grid, "-s", "mrv", "--at-step", "3", "-o", "a.png"]
    done = undoku(*words, "--font", "folder.ttf", cwd=tmp_path, code=3)
    assert "'folder.ttf' can't be read: Is a directory" in done.stderr
