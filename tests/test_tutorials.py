"""What the tutorial, the cookbook, the guides and the notebooks tell a reader to do, done."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Undoku
from tests.support.system import ROOT

GUIDES = sorted(path.stem for path in (ROOT / "docs").glob("for-*.md"))


def blocks(name: str, language: str) -> list[str]:
    text = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)\n```", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the examples, as in a clone of the repository."""
    for name in ("code", "cues", "emitters", "puzzles"):
        shutil.copytree(ROOT / "examples" / name, tmp_path / "examples" / name)
    return tmp_path


def follow(undoku: Undoku, folder: Path, line: str) -> None:
    """Run a command of a page: undoku's, or a program whose output undoku reads."""
    program, _, command = line.rpartition(" | ")
    stdin = ""
    if program:
        words = [sys.executable, *shlex.split(program)[1:]]
        stdin = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout
    name, *arguments = shlex.split(command)
    assert name == "undoku"
    undoku(*arguments, cwd=folder, stdin=stdin, code=0)
    if "-o" in arguments:
        assert (folder / arguments[arguments.index("-o") + 1]).stat().st_size > 80


def test_the_cookbook_has_twenty_recipes_of_one_command() -> None:
    text = (ROOT / "docs" / "cookbook.md").read_text("utf-8")
    assert text.count("\n## ") == len(blocks("cookbook", "sh")) == 20
    assert not any("\n" in recipe for recipe in blocks("cookbook", "sh"))


SLOW = [
    recipe
    for recipe in blocks("cookbook", "sh")
    if re.search(r"--max-size|\.(mp4|wav|webm)", recipe)
]


@pytest.mark.parametrize(
    "recipe",
    [pytest.param(recipe, marks=[pytest.mark.long] * (recipe in SLOW))
     for recipe in blocks("cookbook", "sh")],
)  # fmt: skip
def test_a_recipe_of_the_cookbook_works(undoku: Undoku, clone: Path, recipe: str) -> None:
    follow(undoku, clone, recipe)


@pytest.mark.long
@pytest.mark.parametrize("guide", GUIDES)
def test_the_commands_of_a_guide_run(undoku: Undoku, clone: Path, guide: str) -> None:
    for line in "\n".join(blocks(guide, "sh")).splitlines():
        follow(undoku, clone, line)


def test_both_tutorials_have_the_same_steps() -> None:
    english, german = (blocks(name, "python") for name in ("tutorial", "tutorial-de"))
    plain = [block.replace(', language="de"', "").replace("Mein Löser", "My solver")
             for block in german]  # fmt: skip
    assert plain == english
    assert blocks("tutorial", "sh") == blocks("tutorial-de", "sh")


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("tutorial", {"mine.gif", "race.gif"}),
        pytest.param(
            "tutorial-de",
            {"mine.gif", "race.gif", "race.html", "step.png", "phone.mp4"},
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_reader_of_the_tutorial_gets_its_films(tmp_path: Path, name: str, made: set[str]) -> None:
    """The files are written as the page says, and its commands are run: two, or all."""
    for block in blocks(name, "python"):
        file = block.splitlines()[0].removeprefix("# ")
        (tmp_path / file).write_text(block, "utf-8")
    for line in blocks(name, "sh")[: len(made)]:
        command = [sys.executable, *line.split()[1:]]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert {path.name for path in tmp_path.iterdir() if path.suffix not in (".py", "")} == made


def run_notebook(name: str, changes: dict[str, str]) -> dict[str, Any]:
    """Execute the cells in order, as Jupyter does: the value of a last expression is displayed."""
    names: dict[str, Any] = {}
    notebook = json.loads((ROOT / "examples" / "notebooks" / name).read_text("utf-8"))
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        for old, new in changes.items():
            text = text.replace(old, new)
        if cell["cell_type"] == "code":
            tree = ast.parse(text)
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, name, "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), name, "eval"), names)
                assert value is None or repr(value)
    return names


def test_the_first_notebook_makes_a_film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_notebook("first-film.ipynb", {})
    assert [path.name for path in tmp_path.iterdir()] == ["first.gif"]


def test_the_lesson_runs_with_its_exercise_open_and_solved(
    capsys: pytest.CaptureFixture[str],
) -> None:
    import undoku

    steps = []
    solution = "return min(cells, key=lambda cell: len(options(grid, *cell)))"
    for changes in ({}, {"return cells[0]  # replace this line": solution}):
        names = run_notebook("lesson.ipynb", changes)
        steps.append(sum(undoku.stats(names["second"])[0][key] for key in ("places", "undos")))
    assert steps[0] > 5 * steps[1]
    assert "8 114 76" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["first-film.ipynb", "lesson.ipynb"])
def test_a_notebook_is_stored_without_outputs(name: str) -> None:
    cells = json.loads((ROOT / "examples" / "notebooks" / name).read_text("utf-8"))["cells"]
    assert all(not cell.get("outputs") for cell in cells)
