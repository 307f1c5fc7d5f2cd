"""The GitHub Action: its steps do what they should, in a separate environment."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.action_steps import run_action
from tests.support.paths import ROOT

COUNTS = {"a.mp4": "mrv: solved, 2 nodes", "b.gif": "mrv: solved, 3 nodes"}


def compare(folder: Path, found: dict[str, str], *options: str) -> tuple[int, str]:
    """The exit code and the comment for what a batch has found."""
    films = [{"name": name, "status": "made", "counts": counts} for name, counts in found.items()]
    films.append({"name": "failed.mp4", "status": "failed"})
    (folder / "report.json").write_text(json.dumps({"films": films}))
    done = subprocess.run(
        [sys.executable, ROOT / "action" / "compare_counts.py", "report.json", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "counts.json").write_text(json.dumps(COUNTS))
    return tmp_path


def test_counts_that_are_as_expected_pass(folder: Path) -> None:
    code, comment = compare(folder, COUNTS, "counts.json", "--films", "https://example.org/films")
    assert code == 0
    assert "### Counts as expected" in comment
    assert "| `a.mp4` | mrv: solved, 2 nodes |  |" in comment
    assert comment.endswith("[The films](https://example.org/films)\n")


@pytest.mark.parametrize(
    ("found", "reported"),
    [
        (COUNTS | {"a.mp4": "mrv: solved, 9 nodes"}, "**was: mrv: solved, 2 nodes**"),
        (COUNTS | {"c.mp4": "mrv: solved, 1 node"}, "**new**"),
        ({"a.mp4": COUNTS["a.mp4"]}, "**missing**"),
    ],
)
def test_counts_that_changed_fail(folder: Path, found: dict[str, str], reported: str) -> None:
    code, comment = compare(folder, found, "counts.json")
    assert code == 1
    assert "### Counts changed" in comment
    assert reported in comment


def test_counts_are_updated_where_that_is_requested(folder: Path) -> None:
    changed = COUNTS | {"a.mp4": "mrv: solved, 9 nodes"}
    assert compare(folder, changed, "counts.json", "--update")[0] == 0
    assert json.loads((folder / "counts.json").read_text()) == changed


def test_a_missing_file_of_counts_is_an_error_of_its_own(folder: Path) -> None:
    assert compare(folder, COUNTS, "none.json")[0] == 2
    assert compare(folder, COUNTS, "")[0] == 0


def test_the_action_names_scripts_and_inputs_that_exist() -> None:
    text = (ROOT / "action.yml").read_text()
    for name in re.findall(r"\$GITHUB_ACTION_PATH/([\w./]+)", text):
        assert (ROOT / name).is_file()
    declared = set(re.findall(r"^  (\w[\w-]*):$", text.partition("outputs:")[0], re.MULTILINE))
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == declared


def test_the_documented_workflow_names_inputs_that_exist() -> None:
    text = (ROOT / "docs" / "batch.md").read_text("utf-8")
    (workflow,) = [yaml.safe_load(one) for one in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]
    (step,) = [one for one in workflow["jobs"]["films"]["steps"] if "with" in one]
    declared = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    assert {name for name, one in declared.items() if one.get("required")} <= step["with"].keys()
    assert step["with"].keys() <= declared.keys()


@pytest.mark.parametrize("wrong", ["[]", "{", "7"])
def test_a_file_of_counts_that_is_not_an_object_is_refused(folder: Path, wrong: str) -> None:
    (folder / "counts.json").write_text(wrong)
    assert compare(folder, COUNTS, "counts.json")[0] == 2


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    """The environment of a runner: only Python and, in place of GitHub's own program, one that
    records its arguments."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python").symlink_to(sys.executable)
    posting = programs / "gh"
    posting.write_text(
        f'#!/bin/sh\necho "$GH_REPO $GH_TOKEN: $*" > {tmp_path}/asked\n'
        f'while [ "$1" != --body-file ]; do shift; done; cp "$2" {tmp_path}/posted\n'
    )
    posting.chmod(0o755)
    return {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(tmp_path / "home")}


@pytest.fixture
def rendered(tmp_path: Path, runner: dict[str, str]) -> Path:
    """A repository in which a report is made instead of the films."""
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "counts.json").write_text(json.dumps(COUNTS))
    films = [{"name": name, "counts": counts} for name, counts in COUNTS.items()]
    (tmp_path / "report.json").write_text(json.dumps({"films": films}))
    programs = Path(runner["PATH"].partition(":")[0])
    (programs / "bash").write_text(f'#!/bin/sh\ncp {tmp_path}/report.json "$REPORT"\n')
    (programs / "bash").chmod(0o755)
    return repository


INPUTS = {"manifest": "films.toml", "counts": "counts.json"}


def test_a_pull_request_gets_a_comment_with_the_counts_and_the_films(
    rendered: Path, runner: dict[str, str]
) -> None:
    done = run_action(rendered, INPUTS, runner)
    assert (done.code, done.outputs) == (0, {"films": "undoku-films", "changed": "false"})
    asked = (rendered.parent / "asked").read_text()
    assert asked.startswith("someone/films a token: pr comment 7 --body-file ")
    posted = (rendered.parent / "posted").read_text()
    assert "| `a.mp4` | mrv: solved, 2 nodes |  |" in posted
    assert "[The films](https://example.org/films)" in posted
    assert done.summary == posted


def test_counts_that_change_are_commented_on_and_then_fail(
    rendered: Path, runner: dict[str, str]
) -> None:
    (rendered / "counts.json").write_text(json.dumps(COUNTS | {"b.gif": "mrv: solved, 4 nodes"}))
    done = run_action(rendered, INPUTS, runner)
    assert (done.code, done.outputs["changed"]) == (1, "true")
    assert "::error::counts changed" in done.printed
    assert "**was: mrv: solved, 4 nodes**" in (rendered.parent / "posted").read_text()


@pytest.mark.parametrize(
    ("inputs", "event"), [(INPUTS, "push"), (INPUTS | {"comment": "false"}, "pull_request")]
)
def test_no_comment_is_made_if_it_is_not_requested(
    rendered: Path, runner: dict[str, str], inputs: dict[str, str], event: str
) -> None:
    done = run_action(rendered, inputs, runner, event)
    assert done.code == 0
    assert "### Counts as expected" in done.summary
    assert not (rendered.parent / "asked").exists()


def test_counts_that_are_missing_fail_before_anything_is_commented(
    rendered: Path, runner: dict[str, str]
) -> None:
    done = run_action(rendered, INPUTS | {"counts": "none.json"}, runner)
    assert done.code == 2
    assert done.printed == (
        "counts can't be compared: 'none.json': No such file or directory; "
        "--update writes a file of counts\n"
    )
    assert not (rendered.parent / "asked").exists()


@pytest.mark.long
def test_the_action_renders_a_manifest_in_an_empty_environment(
    tmp_path: Path, runner: dict[str, str]
) -> None:
    """Installed as the action does it, into an environment that has nothing."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "environment"], check=True)
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "puzzle.txt").write_text((ROOT / "examples/puzzles/easy.txt").read_text())
    (repository / "films.toml").write_text(
        '[[jobs]]\nname = "film"\npuzzles = ["puzzle.txt"]\nstrategies = ["mrv"]\n'
        'formats = ["gif"]\nsize = "320x180"\nduration = "3s"\n'
    )
    # How a registry is reached is the machine's affair.
    environment = {name: text for name, text in os.environ.items() if name.startswith("PIP_")}
    environment |= runner | {"PATH": f"{tmp_path / 'environment' / 'bin'}:{runner['PATH']}"}
    inputs = {"manifest": "films.toml", "folder": "films", "jobs": "1"}
    done = run_action(repository, inputs, environment)
    assert done.code == 0, done.printed
    assert (repository / "films" / "film.gif").read_bytes()[:3] == b"GIF"
    counts = {"film.gif": re.findall(r"`film.gif` \| (.*?) \|", done.summary)[0]}
    assert "nodes" in counts["film.gif"]
    for expected, code in ((counts, 0), ({"film.gif": "mrv: solved, 1 node"}, 1)):
        (repository / "counts.json").write_text(json.dumps(expected))
        again = run_action(repository, inputs | {"counts": "counts.json"}, environment)
        assert again.code == code, again.printed
