"""Manifests: what they expand to, and mistakes, each with its place."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.command import Undoku
from tests.support.manifests import QUICK, groups, tree, write
from tests.support.puzzles import EASY, MEDIUM
from tests.support.system import ROOT
from undoku.errors import PuzzleError, ReadError, SettingsError, StrategyError, UndokuError
from undoku.render.batch.film_names import check_name, filled, slug
from undoku.render.batch.jobs import films_of
from undoku.render.batch.manifest import COLLECTION, DEFAULTS, JOB, MATRIX, TOP, schema
from undoku.render.settings.kinds import OptionType

THEMES = ROOT / "undoku" / "render" / "draw" / "themes"
EXAMPLES = sorted((ROOT / "examples" / "manifests").glob("*.toml"))


def test_a_matrix_makes_a_film_of_every_combination(tmp_path: Path) -> None:
    found = groups(
        tmp_path,
        """
        [[jobs]]
        [jobs.matrix]
        puzzles = ["easy.txt", "medium.txt"]
        strategies = [["row-major", "mrv"], "mrv"]
        formats = ["mp4", "gif"]
        aspects = ["16:9", "1:1"]
        themes = ["dark", "light"]
        """,
    )
    names = [name for one in found for name in one.names]
    assert len(names) == len(set(names)) == 2 * 2 * 2 * 2 * 2
    assert len(found) == 16  # each draws both of its formats at once
    assert found[0].names == (
        "easy_row-major_mrv_16-9_dark.mp4",
        "easy_row-major_mrv_16-9_dark.gif",
    )
    assert (found[2].settings.width, found[2].settings.height) == (1080, 1080)
    assert found[1].settings.theme == "light"
    assert found[4].strategies == ("mrv",)
    assert str(found[-1].puzzle) == MEDIUM.grid.replace("0", ".")


def test_a_job_has_what_the_defaults_say_unless_it_says_otherwise(tmp_path: Path) -> None:
    first, second = groups(
        tmp_path,
        """
        [defaults]
        fps = 25
        duration = "30s"
        aspect = "9:16"
        formats = "gif"
        [[jobs]]
        puzzles = "easy.txt"
        name = "a"
        [[jobs]]
        puzzles = "easy.txt"
        size = "640x360"
        steps_per_frame = 3
        strategies = "mrv"
        max_nodes = 100
        name = "b"
        """,
    )
    assert (first.settings.width, first.names) == (720, ("a.gif",))
    assert first.settings.fps == 25
    assert first.settings.pace.duration == 30
    assert (second.settings.width, second.settings.height) == (640, 360)
    assert second.settings.pace.duration is None
    assert second.settings.pace.steps_per_frame == 3
    assert second.limits.max_nodes == 100
    assert first.strategies == ("row-major", "mrv")


def test_films_of_one_picture_are_one_pass_wherever_they_are_requested(tmp_path: Path) -> None:
    found = groups(
        tmp_path,
        """
        [[jobs]]
        puzzles = "easy.txt"
        name = "film"
        [[jobs]]
        puzzles = "easy.txt"
        formats = "gif"
        name = "picture"
        """,
    )
    assert [one.names for one in found] == [("film.mp4", "picture.gif")]


def test_gif_alone_gets_a_rate_that_it_can_hold(tmp_path: Path) -> None:
    text = '[[jobs]]\npuzzles = "easy.txt"\nformats = {}\n'
    (alone,) = groups(tmp_path, text.format('"gif"'))
    (beside,) = groups(tmp_path, text.format('["gif", "mp4"]'))
    assert alone.settings.fps == 50
    assert beside.settings.fps == 60


def test_puzzles_come_from_files_cells_and_collections(tmp_path: Path) -> None:
    found = groups(
        tmp_path,
        f"""
        [collections.pair]
        file = "two.sdm"
        [[jobs]]
        puzzles = ["two.sdm:2", "{EASY.grid}", "@pair"]
        strategies = "mrv"
        theme = "light"
        name = "{{job}}/{{puzzle}}-{{collection}}-{{number:02}}"
        """,
    )
    # Equal puzzles are one pass with two films.
    assert [one.names for one in found] == [
        ("1/two-2-single-02.mp4", "1/pair-002-pair-02.mp4"),
        ("1/puzzle-single-00.mp4", "1/pair-001-pair-01.mp4"),
    ]


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ("range = 2", [2]),
        ('range = "2-"', [2]),
        ('range = "1-2"', [1, 2]),
        ('givens = "30-81"', [1]),
        ('nodes = "row-major>=1000"', [2]),
        ('nodes = ["row-major>=1000", "mrv<=50"]', []),
    ],
)
def test_collections_have_ranges_and_filters(
    tmp_path: Path, filters: str, numbers: list[int]
) -> None:
    text = f"""
    [collections.c]
    file = "two.sdm"
    {filters}
    [[jobs]]
    puzzles = "@c"
    name = "{{number}}"
    """
    if not numbers:
        with pytest.raises(SettingsError, match="contains no such puzzle"):
            groups(tmp_path, text)
    else:
        assert [one.names[0] for one in groups(tmp_path, text)] == [f"{n}.mp4" for n in numbers]


def test_a_puzzle_that_is_skipped_keeps_its_number(tmp_path: Path) -> None:
    text = """
    [collections.c]
    file = "gap.sdm"
    skip = true
    range = "2-3"
    [[jobs]]
    puzzles = "@c"
    name = "{number}"
    """
    (tmp_path / "gap.sdm").write_text("\n".join([EASY.grid, EASY.grid[1:], MEDIUM.grid, EASY.grid]))
    assert [one.names[0] for one in groups(tmp_path, text)] == ["3.mp4"]


def test_a_title_may_hold_fields(tmp_path: Path) -> None:
    (found,) = groups(tmp_path, '[[jobs]]\npuzzles="easy.txt"\ntitle="{puzzle} by {strategies}"\n')
    assert found.settings.title == "easy by row-major_mrv"


JOBS = '[[jobs]]\npuzzles = "easy.txt"\n'


@pytest.mark.parametrize(
    ("text", "kind", "place", "sentence"),
    [
        ("jbos = 1\n", SettingsError, "jbos", "did you mean jobs?"),
        (JOBS + 'them = "dark"\n', SettingsError, "jobs[0].them", "did you mean theme?"),
        (JOBS + 'theme = "drak"\n', SettingsError, "jobs[0].theme", "there is no theme 'drak'"),
        ("[defaults]\n  fps = 0\n" + JOBS, SettingsError, "defaults.fps", "out of range"),
        ("[defaults]\nfps = nan\n" + JOBS, SettingsError, "defaults.fps", "is not a valid number"),
        (JOBS + "fps = inf\n", SettingsError, "jobs[0].fps", "is not a valid number"),
        (JOBS + "fps = true\n", SettingsError, "jobs[0].fps", "fps is not a number"),
        (JOBS + 'size = "100000x100000"\n', SettingsError, "jobs[0].size", "not a valid size"),
        (JOBS + 'size = "99998x99998"\n', SettingsError, "jobs[0].size", "pixels"),
        (JOBS + 'duration = "soon"\n', SettingsError, "jobs[0].duration", "duration"),
        (JOBS + 'theme = "my.toml"\n', ReadError, "jobs[0].theme", "there is no file"),
        (
            JOBS + 'strategies = ["mrv", "mrw"]\n',
            StrategyError,
            "jobs[0].strategies[1]",
            "did you mean mrv?",
        ),
        (
            JOBS + 'formats = ["gif", "mpeg"]\n',
            SettingsError,
            "jobs[0].formats[1]",
            "ends in no known format",
        ),
        (
            JOBS + 'matrix = {themes = ["drak"]}\n',
            SettingsError,
            "jobs[0].matrix.themes[0]",
            "there is no theme 'drak'",
        ),
        (
            JOBS + 'matrix.aspects = ["16:10"]\n',
            SettingsError,
            "jobs[0].matrix.aspects[0]",
            "aspects can't be '16:10'",
        ),
        (
            JOBS + 'matrix.puzzles = ["easy.txt"]\n',
            SettingsError,
            "jobs[0].matrix.puzzles",
            "the job has puzzles too",
        ),
        (JOBS + "matrix = 3\n", SettingsError, "jobs[0].matrix", "matrix is not a table"),
        (
            JOBS + "max_nodes = 0\n",
            SettingsError,
            "jobs[0].max_nodes",
            "is not a whole number of 1 or more",
        ),
        (JOBS + 'name = "{puzle}"\n', SettingsError, "jobs[0].name", "did you mean {puzzle}?"),
        (JOBS + 'name = "a{b"\n', SettingsError, "jobs[0].name", "a brace without a field"),
        (
            JOBS + 'size = "640x360"\naspect = "1:1"\n',
            SettingsError,
            "jobs[0].aspect",
            "aspect and size can't be combined",
        ),
        (JOBS + 'quality = "best"\n', SettingsError, "jobs[0].quality", "no quality 'best'"),
        (
            JOBS + 'duration = "9s"\nsteps_per_frame = 2\n',
            SettingsError,
            "jobs[0]",
            "a speed and a duration can't be combined",
        ),
        (
            '[[jobs]]\npuzzles = ["@pair"]\n',
            SettingsError,
            "jobs[0].puzzles[0]",
            "add [collections.pair]",
        ),
        ("[[jobs]]\nfps = 30\n", SettingsError, "jobs[0]", "has no puzzles"),
        (
            '[[jobs]]\npuzzles = ["-"]\n',
            SettingsError,
            "jobs[0].puzzles[0]",
            "can't use standard input",
        ),
        (
            '[[jobs]]\npuzzles = ["-:1"]\n',
            SettingsError,
            "jobs[0].puzzles[0]",
            "can't use standard input",
        ),
        (
            '[[jobs]]\npuzzles = "two.sdm"\n',
            SettingsError,
            "jobs[0].puzzles",
            "name one, such as two.sdm:1, or add [collections.two]",
        ),
        (
            '[[jobs]]\npuzzles = "nine.txt"\n',
            ReadError,
            "jobs[0].puzzles",
            "there is no file 'nine.txt'",
        ),
        (JOBS + "FPS = 30\n", SettingsError, "jobs[0].FPS", "did you mean fps?"),
        (
            JOBS + "captions = true\n",
            SettingsError,
            "jobs[0].captions",
            "not a text; choose one of srt, vtt",
        ),
        (JOBS + 'captions = "SRT"\n', SettingsError, "jobs[0].captions", "did you mean srt?"),
        ("[jobs]\npuzzles = 1\n", SettingsError, "jobs", "write [[jobs]]"),
        (
            '[collections.c]\nfile = "two.sdm"\n[[jobs]]\npuzzles = "@C"\n',
            SettingsError,
            "jobs[0].puzzles",
            "did you mean @c?",
        ),
        (
            JOBS + 'name = "x"\nformats = "png"\n[[jobs]]\npuzzles = "medium.txt"\n'
            'name = "X.png/y"\n',
            SettingsError,
            "jobs[1].name",
            "a film and a folder would have the same name",
        ),
        ('[[jobs]]\npuzzles = "53..7"\n', UndokuError, "jobs[0].puzzles", ""),
        ("[collections.c]\nrange = 1\n" + JOBS, SettingsError, "collections.c", "has no file"),
        (
            "[collections]\nc = 1\n" + JOBS,
            SettingsError,
            "collections.c",
            "collection 'c' is not a table",
        ),
        (
            'collections.c.file = "no"\n[[jobs]]\npuzzles="@c"\n',
            ReadError,
            "collections.c.file",
            "no file 'no'",
        ),
        (
            '[collections.c]\nfile = "two.sdm"\nrange = "5-2"\n[[jobs]]\npuzzles = "@c"\n',
            SettingsError,
            "collections.c.range",
            "ends before it begins",
        ),
        (
            '[collections.c]\nfile = "two.sdm"\nnodes = ["mrv<=5", "x"]\n'
            '[[jobs]]\npuzzles = "@c"\n',
            SettingsError,
            "collections.c.nodes[1]",
            "is not a target",
        ),
        (
            JOBS + 'name = "x"\n[[jobs]]\npuzzles = "medium.txt"\nname = "X"\n',
            SettingsError,
            "jobs[1].name",
            "two films would be called 'X.mp4'",
        ),
        ("[[jobs]\n", SettingsError, "line 1, column 7", "not valid TOML"),
        ("[[jobs]]\npuzzles = [1,\n", SettingsError, "line 2, column 13", "not valid TOML"),
        ("# nothing\n", SettingsError, "", "there is no job"),
    ],
)
def test_a_mistake_is_shown_in_its_place(
    tmp_path: Path, text: str, kind: type[UndokuError], place: str, sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        groups(tmp_path, text)
    error = caught.value
    assert sentence in str(error)
    assert f"films.toml, {place}, " in f"{error.place}, " or not place, str(error)


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"a = \xff\n", SettingsError, "byte 0xff at offset 4 is not UTF-8"),
        (None, ReadError, "there is no file"),
        (b"#" * (5 << 20), SettingsError, "longer than 4 MiB"),
    ],
    ids=["bytes", "missing", "long"],
)
def test_a_manifest_that_cannot_be_read_is_refused(
    tmp_path: Path, content: bytes | None, kind: type[UndokuError], message: str
) -> None:
    if content is not None:
        (tmp_path / "x.toml").write_bytes(content)
    with pytest.raises(kind, match=message):
        films_of(tmp_path / "x.toml")
    with pytest.raises(ReadError, match="can't be read"):
        films_of(tmp_path)


def test_files_are_searched_for_in_the_manifests_folder_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the same name in the working folder would be another puzzle."""
    (tmp_path / "here").mkdir()
    path = write(tmp_path, '[[jobs]]\npuzzles = ["other.txt"]\n')
    (tmp_path / "here" / "other.txt").write_text(MEDIUM.grid)
    monkeypatch.chdir(tmp_path / "here")
    for name in ("other.txt", "other.txt:1"):
        path.write_text(f'[[jobs]]\npuzzles = ["{name}"]\n')
        with pytest.raises(ReadError, match=f"there is no file '{name}'; names are relative"):
            films_of(path)
    (tmp_path / "here" / "my.toml").write_bytes((THEMES / "dark.toml").read_bytes())
    path.write_text('[[jobs]]\npuzzles = ["easy.txt"]\ntheme = "my.toml"\n')
    with pytest.raises(ReadError, match=r"there is no file .*my\.toml'"):
        films_of(path)
    path.write_text('[[jobs]]\npuzzles = ["other.txt"]\n')
    (tmp_path / "other.txt").write_text(EASY.grid)
    (found,) = films_of(path)
    assert str(found.puzzle) == EASY.grid.replace("0", ".")


def test_a_manifest_may_come_from_standard_input(undoku: Undoku, tmp_path: Path) -> None:
    write(tmp_path, "")
    text = f"{QUICK}[[jobs]]\npuzzles = 'easy.txt'\nname = 'x'\n"
    done = undoku("batch", "-", "--dry-run", cwd=tmp_path, stdin=text)
    assert done.stdout.startswith("x.mp4  10 frames")
    wrong = undoku("batch", "-", cwd=tmp_path, stdin=text + "fsp = 3\n")
    assert "standard input, jobs[0].fsp, line 12, column 1: there is no key 'fsp'" in wrong.stderr


def test_too_many_films_are_refused_before_they_are_made(tmp_path: Path) -> None:
    themes = json.dumps(["dark"] * 1000)
    sizes = json.dumps(["640x360"] * 101)
    with pytest.raises(SettingsError, match="more than 100,000") as caught:
        groups(tmp_path, JOBS + f"matrix.themes = {themes}\nmatrix.sizes = {sizes}\n")
    assert ", jobs[0], line " in str(caught.value.place)


def test_python_gives_the_same_films_as_toml(tmp_path: Path) -> None:
    path = write(tmp_path, JOBS + 'matrix.themes = ["dark", "light"]\n')
    content = tomllib.loads(path.read_text())
    content["jobs"][0]["puzzles"] = str(tmp_path / "easy.txt")
    assert films_of(content) == films_of(path)
    with pytest.raises(SettingsError, match=r"the manifest, jobs\[0\].them: there is no key"):
        films_of({"jobs": [{"puzzles": EASY.grid, "them": "dark"}]})
    with pytest.raises(PuzzleError):
        films_of({"jobs": [{"puzzles": "." * 80}]})


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_manifests_that_the_schema_takes(path: Path) -> None:
    jsonschema.validate(tomllib.loads(path.read_text()), schema())
    assert films_of(path)


def test_the_schema_in_the_documentation_is_the_present_one() -> None:
    written = json.loads((ROOT / "docs" / "manifest.schema.json").read_text())
    assert written == schema()
    jsonschema.Draft202012Validator.check_schema(written)


@pytest.mark.parametrize(
    "content",
    [
        {"jobs": []},
        {"jobs": [{"them": "dark"}]},
        {"jobs": [{"fps": True}]},
        {"jobs": [{"aspect": "16:10"}]},
        {"jobs": [{"matrix": {"aspects": ["2:1"]}}]},
        {"collections": {"c": {}}, "jobs": [{}]},
        {"films": []},
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(content: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content, schema())
    with pytest.raises(SettingsError):
        films_of(content)


def test_every_key_has_its_sentence() -> None:
    for table in (TOP, DEFAULTS, JOB, MATRIX, COLLECTION):
        assert all(key.sentence.endswith(".") for key in table.values())


KINDS = {
    repr(key.kind): key.kind for table in (DEFAULTS, MATRIX, COLLECTION) for key in table.values()
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_schema_of_a_kind_takes_what_the_reader_takes(kind: OptionType) -> None:
    """The reader's check and the schema come from one declaration; this test compares them."""
    schema = jsonschema.Draft202012Validator(kind.schema)
    values: tuple[object, ...] = (
        True, False, 0, 1, 2, -1, 100, 255, 256, 10**9, 1.5, "", "x", "srt", "16:9", "1280x720",
        [], ["x"], ["16:9"], ["x", 1], [["x"]], [[]], {},
    )  # fmt: skip
    for value in values:
        named = value if isinstance(value, list) else [value]
        chosen = not kind.choices or all(one in kind.choices for one in named)
        assert schema.is_valid(value) == (kind.takes(value) and chosen), value


# Hostile manifests: each gets a sentence, and nothing is written outside the folder; names of
# films.


NAMES = [
    "../x", "../../x", "a/../../x", "a/..", "..", ".", "", "/x", "/etc/x", "//x", "/dev/null",
    "/dev/sda", "/proc/self/mem", "a//b", "a/", "a/./b", "..\\x", "C:\\x", "C:x", "\\\\host\\x",
    "-y", "--help", "-i/dev/zero", "a/-b", "%d", "z%03d", "x%n", "pipe:1", "pipe:", "file:x",
    "tcp://host:1", "a:b", "concat:a|b", "con", "CON", "nul", "a/aux", "com1", "lpt9.txt", "x\0y",
    "x\ny", "x\ty", "\x1b[2J", "\u202egpj", ".hidden", "a/.b", ".undoku/lock", ".undoku/work/x",
    "report", "report/x", "Report/stills/x", "x.", "x ", " x", "x*", "x?", '"x"', "<x>", "x|y",
    "a/b/c/d/e/f/g/h/i/j", "x" * 400, "é" * 100, "{", "}", "{}", "{0}", "{puzzle", "{puzzle.x}",
    "{__class__}", "{puzzle!r}", "{puzzle:099}", "{theme:02}", "{x}{y}",
]  # fmt: skip

SETTINGS: list[tuple[str, object]] = [
    ("size", "100000x100000"), ("size", "99998x99998"), ("size", "0x0"), ("size", "1x1"),
    ("size", "-16x9"), ("size", "1280"), ("size", "321x181"), ("size", "9999999999x2"),
    ("fps", 0), ("fps", -1), ("fps", 10**9), ("fps", "1/0"), ("fps", "0/0"), ("fps", "x"),
    ("fps", 10**400), ("duration", "-5s"), ("duration", 0), ("duration", "99999h"),
    ("duration", "0s"), ("steps_per_frame", 0), ("steps_per_frame", "1/0"), ("intro", "1d"),
    ("intro", -1), ("card", 10**30), ("loop", 10**9), ("max_nodes", 0), ("clock", "--now"),
    ("theme", "/dev/zero"), ("theme", "../../etc/passwd"), ("theme", ""),
    ("theme", "\0.toml"), ("theme", "x" * 300 + ".toml"), ("quality", "crf=0:x"),
    ("quality", "-vf"), ("formats", ["../mp4"]), ("formats", ["mp4/.."]), ("formats", ["sh"]),
    ("formats", [""]), ("formats", ["%06d.png"]), ("formats", "pipe:"), ("formats", []),
    ("strategies", []), ("strategies", ["mrv"] * 50), ("strategies", "mrv; rm -rf /"),
    ("puzzles", "/dev/zero"), ("puzzles", "-"), ("puzzles", "@x"), ("puzzles", "/"),
    ("puzzles", "/proc/self/environ"), ("puzzles", "films.toml"), ("puzzles", []),
    ("puzzles", "1" * 81), ("name", 3), ("name", ["a"]), ("output", "/tmp"), ("folder", "/tmp"),
    ("matrix", {"themes": ["dark"] * 2}), ("matrix", {"sizes": ["1x1"]}), ("matrix", []),
]  # fmt: skip

TEXTS = [
    "fps = nan", "fps = inf", "fps = -inf", "duration = nan", "steps_per_second = nan",
    "intro = 1e400", "from_step = -1", "to_step = 1.5", "loop = true",
    "x = " + "[" * 3000 + "]" * 3000, "a.b.c.d = 1", 'name = """\n../x"""',
    "fps = 0x" + "f" * 4000,
]  # fmt: skip


def cases() -> Iterator[str]:
    for name in NAMES:
        yield f"name = {json.dumps(name)}"
    for key, value in SETTINGS:
        yield f"{key} = {_toml(value)}"
    yield from TEXTS


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + "}"
    return json.dumps(value)


@pytest.mark.parametrize("line", list(cases()), ids=lambda line: ascii(line[:40]))
def test_a_hostile_manifest_gets_a_sentence_and_writes_nothing(
    undoku: Undoku, tmp_path: Path, line: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    puzzles = "" if line.startswith("puzzles") else f'puzzles = "{EASY.grid}"\n'
    write(home, f"{QUICK}[[jobs]]\n{puzzles}{line}\n")
    before = tree(tmp_path)
    done = undoku("batch", "films.toml", "-o", "out", "-j0", cwd=home)
    assert done.returncode in (2, 3), done.stdout
    first = done.stderr.splitlines()[0]
    assert first.startswith("undoku: ")
    assert len(first) > 30
    assert "Traceback" not in done.stderr
    assert tree(tmp_path) == before


@given(st.text(max_size=40))
def test_a_name_that_is_taken_stays_inside_its_folder(name: str) -> None:
    try:
        check_name(name)
    except SettingsError:
        return
    inside = Path("/films")
    path = inside / name
    assert path.is_relative_to(inside)
    assert ".." not in path.parts
    assert not any(part.startswith(("-", ".")) for part in name.split("/"))


@given(st.text(max_size=40))
def test_a_slug_is_always_a_part_of_a_good_name(text: str) -> None:
    assert "/" not in slug(text)
    check_name("x" + slug(text)[:40].rstrip(".-"))


def test_a_field_is_filled_and_padded() -> None:
    assert filled("{a}-{n:03}", {"a": "x", "n": "7"}) == "x-007"
