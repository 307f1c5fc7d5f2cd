"""undoku completion: what shells offer after the words of a command line."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import run_undoku as undoku
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("so", ["solve"]),
        ("render p.txt --strat", ["--strategy"]),
        ("render p.txt -s mrv-r", ["mrv-random:"]),
        ("study p.sdm --strategies row", ["row-major"]),
        ("list the", ["themes"]),
        ("list themes ", []),
        ("trace p.txt --format json", ["jsonl", "jsonl.gz"]),
        ("render --embed=ht", ["--embed=html"]),
        ("render --embed = ht", ["html"]),  # as bash parts it
        ("completion z", ["zsh"]),
        ("render ex", []),  # files
        ("render --theme ", []),
        ("render --ramp --dry", ["--dry-run"]),  # an option without a value precedes
        ("nonsense --", []),
    ],
)
def test_commands_options_strategies_and_values_are_offered(line: str, offered: list[str]) -> None:
    words = "".join(f"{word}\n" for word in line.split(" "))
    done = undoku("completion", "words", stdin=words, code=0)
    assert done.stdout.split() == offered


SCRIPTS = {
    "bash": """
COMP_WORDS=(undoku render puzzle.txt -s mr); COMP_CWORD=4; _undoku; printf '%s\\n' "${COMPREPLY[@]}"
COMP_WORDS=(undoku ""); COMP_CWORD=1; _undoku; printf '%s\\n' "${COMPREPLY[@]}"
complete -p undoku
""",
    "zsh": """
compadd() { shift; print -rl -- $@ }; _files() { print files }
words=(undoku render puzzle.txt -s mr); CURRENT=5; _undoku
words=(undoku ""); CURRENT=2; _undoku
words=(undoku render pu); CURRENT=3; _undoku
""",
    "fish": """
complete -C 'undoku render puzzle.txt -s mr'
complete -C 'undoku '
""",
}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_of_a_shell_offers_the_same(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    command = tmp_path / "undoku"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m undoku "$@"\n')
    command.chmod(0o755)
    script = undoku("completion", shell, code=0).stdout + SCRIPTS[shell]
    if shell == "zsh":
        script = f"compdef() {{ :; }}\n{script}"
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run(
        [program, "-c", script], env=path, capture_output=True, encoding="utf-8", check=False
    )
    offered = done.stdout.split()
    assert offered[0] == "mrv", done.stderr
    assert {"solve", "render", "play", "completion"} <= set(offered)
    assert "-F" in offered or shell != "bash"
    assert offered[-1] == "files" or shell != "zsh"
