"""Runs the steps of action.yml as GitHub does: those that run commands. Those that use other
actions are taken to have done their part."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.support.paths import ROOT

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
