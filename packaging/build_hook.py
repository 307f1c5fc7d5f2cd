"""Puts machine code into wheels: a build hook of hatchling.

A wheel that `python -m build` or `pip wheel` makes carries the compiled loops for the levels of
this machine's architecture, and its tag says its platform. UNDOKU_MACHINE_CODE=none makes a pure
wheel instead; so does an architecture without levels. Editable installations compile what they
use.

It needs what the loops are compiled with, which hatchling asks for by `dependencies`.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_ARCHITECTURES = ("x86_64", "AMD64", "aarch64", "arm64")


class MachineCode(BuildHookInterface):  # type: ignore[type-arg,misc]
    """Compiles before a wheel is packed."""

    def dependencies(self) -> list[str]:
        """What compiling needs, as pyproject.toml has it."""
        if not self._wanted():
            return []
        names = ("numba", "numpy")
        listed = self.build_config.builder.metadata.core.dependencies
        return [text for text in listed if text.startswith(names)]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or not self._wanted():
            return
        folder = Path(tempfile.mkdtemp(prefix="undoku-build-"))
        self._folder = folder
        run = [sys.executable, "-c", _LEVELS]
        environment = os.environ | {"PYTHONPATH": self.root}
        levels = subprocess.run(
            run, env=environment, check=True, capture_output=True, text=True
        ).stdout.splitlines()
        for level in levels:
            self.app.display_info(f"compiling all loops for {level}")
            subprocess.run(
                [sys.executable, "-c", _MAKE, level, str(folder)], env=environment, check=True
            )
        build_data["force_include"] |= {
            str(path): path.relative_to(folder / "made").as_posix()
            for path in (folder / "made").rglob("*")
            if path.is_file()
        }
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform_tag()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            import shutil

            shutil.rmtree(self._folder, ignore_errors=True)

    def _wanted(self) -> bool:
        return (
            self.target_name == "wheel"
            and os.environ.get("UNDOKU_MACHINE_CODE") != "none"
            and platform.machine() in _ARCHITECTURES
        )


_LEVELS = """
from solver.machine_code.carrying import levels_of_this_machine
print(*(level.label for level in levels_of_this_machine()), sep="\\n")
"""

_MAKE = """
import os, subprocess, sys
from pathlib import Path
from solver.machine_code.carrying import environment_for, levels_of_this_machine
label, folder = sys.argv[1], Path(sys.argv[2])
(level,) = [one for one in levels_of_this_machine() if one.label == label]
subprocess.run(
    [sys.executable, "-m", "solver.machine_code.carrying", label, str(folder / "made")],
    env=os.environ | environment_for(level, folder / "cache"),
    check=True,
)
"""


def _platform_tag() -> str:
    """The platform in the wheel's name. The machine code asks the process for memcpy and the like
    alone, which the oldest glibc that the name of a wheel can state has."""
    if sys.platform == "linux" and platform.libc_ver()[0] == "glibc":
        return f"manylinux_2_17_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
