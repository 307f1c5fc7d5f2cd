"""Installs a package of one module into a folder, as an installer does, without its build system.

A build needs the network where its back end is not installed. Of a pure package nothing is built:
an installer copies its module and writes, beside it, what the project says about itself.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path


def install(project: Path, target: Path) -> None:
    """Install the project in a folder into `target`, which then goes on Python's path."""
    about = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    name, version = about["project"]["name"], about["project"]["version"]
    modules = about["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    target.mkdir(exist_ok=True)
    for module in modules:
        shutil.copy(project / module, target)
    folder = target / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = []
    for group, entries in about["project"]["entry-points"].items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in entries.items())]
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n")
