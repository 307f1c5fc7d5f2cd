"""The GitHub Action: its steps do what they should, in a separate environment."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.support.system import ROOT

COUNTS = {"a.mp4": "mrv: solved, 2 nodes", "b.gif": "mrv: solved, 3 nodes"}
CHANGED = COUNTS | {"a.mp4": "mrv: solved, 9 nodes"}
INPUTS = {"manifest": "films.toml", "counts": "counts.json"}


def report_of(counts: dict[str, str]) -> str:
    """What a batch reports that has made films with these counts, and one that failed."""
    films = [{"name": name, "counts": text} for name, text in counts.items()]
    return json.dumps({"films": [*films, {"name": "failed.mp4", "status": "failed"}]})


def test_the_action_and_the_documentation_name_scripts_and_inputs_that_exist() -> None:
    text = (ROOT / "action.yml").read_text()
    for name in re.findall(r"\$GITHUB_ACTION_PATH/([\w./]+)", text):
        assert (ROOT / name).is_file()
    declared = yaml.safe_load(text)["inputs"]
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == declared.keys()
    page = (ROOT / "docs" / "batch.md").read_text("utf-8")
    (workflow,) = [yaml.safe_load(one) for one in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    (step,) = [one for one in workflow["jobs"]["films"]["steps"] if "with" in one]
    required = {name for name, one in declared.items() if one.get("required")}
    assert required <= step["with"].keys() <= declared.keys()


def test_all_files_name_the_project_as_its_metadata_do() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    address = urls["Homepage"]
    assert all(url.startswith(address) for url in urls.values())
    files = [
        *ROOT.glob("*.md"),
        *ROOT.glob("*.cff"),
        ROOT / "action.yml",
        *ROOT.glob("docs/**/*.md"),
    ]
    texts = {file.name: file.read_text("utf-8") for file in files}
    named = {
        (name, found)
        for name, text in texts.items()
        for found in re.findall(r"https://github\.com/[\w-]+/undoku\b", text)
        + [f"https://github.com/{one}" for one in re.findall(r"uses: ([\w-]+/undoku)@", text)]
    }
    assert {"CITATION.cff", "SECURITY.md", "CONTRIBUTING.md"} <= {name for name, _ in named}
    assert {found for _, found in named} == {address}
    citation = yaml.safe_load(texts["CITATION.cff"])
    assert citation["version"] == version("undoku")
    assert citation["license"] == "MIT"


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=str)
def test_workflows_are_yaml_whose_jobs_run_somewhere(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow[True]  # "on", which YAML 1.1 reads as a truth value
    for job in workflow["jobs"].values():
        assert job["runs-on"]
        assert all(("uses" in step) != ("run" in step) for step in job["steps"])


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
    """A repository in which the file report.json beside it is copied instead of making films."""
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "counts.json").write_text(json.dumps(COUNTS))
    (tmp_path / "report.json").write_text(report_of(COUNTS))
    making = tmp_path / "programs" / "bash"
    making.write_text(f'#!/bin/sh\ncp {tmp_path}/report.json "$REPORT"\n')
    making.chmod(0o755)
    return repository


@pytest.mark.parametrize(
    ("found", "note"),
    [
        (COUNTS, ""),
        (CHANGED, "**was: mrv: solved, 2 nodes**"),
        (COUNTS | {"c.mp4": "mrv: solved, 1 node"}, "**new**"),
        ({"a.mp4": COUNTS["a.mp4"]}, "**missing**"),
    ],
)
def test_a_pull_request_gets_a_comment_with_the_counts_and_fails_if_they_changed(
    rendered: Path, runner: dict[str, str], found: dict[str, str], note: str
) -> None:
    (rendered.parent / "report.json").write_text(report_of(found))
    done = run_action(rendered, INPUTS, runner)
    changed = "true" if note else "false"
    assert (done.code, done.outputs) == (bool(note), {"films": "undoku-films", "changed": changed})
    assert ("::error::counts changed" in done.printed) == bool(note)
    asked = (rendered.parent / "asked").read_text()
    assert asked.startswith("someone/films a token: pr comment 7 --body-file ")
    assert done.summary == (rendered.parent / "posted").read_text()
    assert done.summary.startswith(f"### Counts {'changed' if note else 'as expected'}\n")
    assert f"| `a.mp4` | {found['a.mp4']} | {note if found is CHANGED else ''} |" in done.summary
    assert note in done.summary
    assert done.summary.endswith(f"[The films]({FILMS})\n")


def test_a_film_that_fails_fails_the_action_after_its_films_and_counts_were_stored(
    rendered: Path, runner: dict[str, str]
) -> None:
    making = rendered.parent / "programs" / "bash"
    making.write_text(making.read_text() + "exit 1\n")
    done = run_action(rendered, INPUTS, runner)
    assert (done.code, done.outputs["changed"]) == (1, "false")
    assert "::error::films could not be made" in done.printed
    assert done.summary.endswith(f"[The films]({FILMS})\n")
    making.write_text("#!/bin/sh\nexit 2\n")
    assert run_action(rendered, INPUTS, runner).code == 2


@pytest.mark.parametrize(
    ("inputs", "event"),
    [
        (INPUTS, "push"),
        (INPUTS | {"comment": "false"}, "pull_request"),
        ({"manifest": "films.toml"}, "push"),
    ],
)
def test_no_comment_is_made_if_it_is_not_requested(
    rendered: Path, runner: dict[str, str], inputs: dict[str, str], event: str
) -> None:
    done = run_action(rendered, inputs, runner, event)
    assert done.code == 0
    assert ("### Counts as expected" in done.summary) == ("counts" in inputs)
    assert not (rendered.parent / "asked").exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, ": 'counts.json': No such file or directory; --update writes a file of counts\n"),
        *((wrong, ", a file is not as expected: ") for wrong in ("[]", "{", "7")),
    ],
)
def test_counts_that_cannot_be_read_fail_before_anything_is_commented(
    rendered: Path, runner: dict[str, str], content: str | None, why: str
) -> None:
    (rendered / "counts.json").unlink()
    if content:
        (rendered / "counts.json").write_text(content)
    done = run_action(rendered, INPUTS, runner)
    assert done.code == 2
    assert done.printed.startswith(f"counts can't be compared{why}")
    assert not (rendered.parent / "asked").exists()


def test_counts_are_updated_where_that_is_requested(tmp_path: Path) -> None:
    report, counts = tmp_path / "report.json", tmp_path / "counts.json"
    report.write_text(report_of(CHANGED))
    script = ROOT / "action" / "compare_counts.py"
    subprocess.run([sys.executable, script, report, counts, "--update"], check=True)
    assert json.loads(counts.read_text()) == CHANGED


PIP = "python -m pip --quiet --disable-pip-version-check"
BUILT = f"{PIP} wheel --no-deps --wheel-dir WHEELS {ROOT}"
DOWNLOADED = (
    "gh release download v1.0.0 --repo someone/undoku --dir WHEELS --pattern "
    "undoku-*-macosx*arm64.whl"
)


@pytest.mark.parametrize(
    ("before", "released", "asked"),
    [(True, False, []), (False, True, [DOWNLOADED]), (False, False, [DOWNLOADED, BUILT])],
)
def test_the_wheel_is_the_cached_one_or_that_of_the_release_or_is_built(
    tmp_path: Path, before: bool, released: bool, asked: list[str]
) -> None:
    """With programs that record how they are called, and store a wheel where one is wanted."""
    programs, wheels = tmp_path / "programs", tmp_path / "wheels"
    wheel = wheels / "undoku-1.0.0-cp311-abi3-any.whl"
    for folder in (programs, wheels) if before else (programs,):
        folder.mkdir()
    if before:
        wheel.touch()
    for name, stores in (("gh", released), ("python", True), ("undoku", True)):
        lines = f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/asked\n'
        lines += f"touch {wheel}\n" if stores else "exit 1\n"
        (programs / name).write_text(lines)
        (programs / name).chmod(0o755)
    environment = {
        "PATH": f"{programs}:/usr/bin:/bin", "RUNNER_OS": "macOS", "RUNNER_ARCH": "ARM64",
        "WHEELS": str(wheels), "ACTION_REF": "v1.0.0", "ACTION_REPOSITORY": "someone/undoku",
        "MANIFEST": "films.toml", "FOLDER": "films", "JOBS": "2", "REPORT": f"{tmp_path}/report",
    }  # fmt: skip
    subprocess.run(["bash", ROOT / "action" / "render.sh"], env=environment, check=True)
    found = (tmp_path / "asked").read_text().replace(str(wheels), "WHEELS").splitlines()
    assert found == [
        *asked,
        f"{PIP} install WHEELS/{wheel.name}",
        "undoku batch films.toml --output films --jobs 2 --json",
    ]


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


# Runs the steps of action.yml as GitHub does: those that run commands. Those that use other
# actions are taken to have done their part.


FILMS = "https://example.org/films"
"""The link that the step which uploads the films gives."""


class ActionRun(NamedTuple):
    """What the steps did: the exit code of the last one that ran, the outputs of the action, what
    they printed, and the summary of the job."""

    code: int
    outputs: dict[str, str]
    printed: str
    summary: str


def run_action(
    folder: Path,
    inputs: Mapping[str, str],
    environment: Mapping[str, str],
    event: str = "pull_request",
) -> ActionRun:
    """Run the steps in `folder`, a checked-out repository, with this environment alone."""
    reported = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    temporary = folder.parent / "runner"
    temporary.mkdir(exist_ok=True)
    values = {
        "runner.temp": str(temporary),
        "github.event_name": event,
        "github.repository": "someone/films",
        "github.action_ref": "v1.0.0",
        "github.action_repository": "someone/undoku",
        "github.event.pull_request.number": "7",
        "github.token": "a token",
        "steps.upload.outputs.artifact-url": FILMS,
    }
    for name, declared in reported["inputs"].items():
        values[f"inputs.{name}"] = inputs.get(name, _filled(declared.get("default", ""), values))
    summary, output = temporary / "summary", temporary / "output"
    printed, code = "", 0
    for step in reported["runs"]["steps"]:
        if "uses" in step or not _holds(step.get("if", ""), values):
            continue
        output.write_text("")
        given = {name: _filled(text, values) for name, text in step.get("env", {}).items()}
        done = subprocess.run(
            ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder,
            env={
                **environment,
                **given,
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        printed += done.stdout + done.stderr
        code = done.returncode
        for line in output.read_text().splitlines():
            name, _, text = line.partition("=")
            values[f"steps.{step['id']}.outputs.{name}"] = text
        if code:
            break
    outputs = {name: _filled(one["value"], values) for name, one in reported["outputs"].items()}
    return ActionRun(code, outputs, printed, summary.read_text() if summary.exists() else "")


def _filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its expressions replaced; those of steps that did not run are empty."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        return values.get(name, "") if name.startswith("steps.") else values[name]

    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", value, text)


def _holds(condition: str, values: Mapping[str, str]) -> bool:
    """Whether a condition of the form `a == 'b' && c == 'd'` holds."""
    for part in filter(None, condition.split(" && ")):
        found: Any = re.fullmatch(r"([\w.-]+) == '(\w+)'", part)
        if values.get(found[1], "") != found[2]:
            return False
    return True
