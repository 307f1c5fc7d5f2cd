"""A build hook of hatchling that adds machine code to wheels.

With UNDOKU_MACHINE_CODE=all, which a release sets, a wheel contains the compiled loops for the
levels of this machine's architecture, and its tag names the platform. Without it, and on other
architectures, the wheel is pure Python, and loops are compiled when they are used.

The hook needs the packages that compile the loops; hatchling gets them from `dependencies`.
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
    """Compiles the loops before a wheel is packed."""

    def dependencies(self) -> list[str]:
        """The packages that compiling needs, from pyproject.toml."""
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
        # pip's isolated environment of a build finds its packages by PYTHONPATH.
        found = [self.root, *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(found)}
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
            and os.environ.get("UNDOKU_MACHINE_CODE") == "all"
            and platform.machine() in _ARCHITECTURES
        )


_LEVELS = """
from undoku.machine_code.carrying import levels_of_this_machine
print(*(level.label for level in levels_of_this_machine()), sep="\\n")
"""

_MAKE = """
import os, subprocess, sys
from pathlib import Path
from undoku.machine_code.carrying import environment_for, levels_of_this_machine
label, folder = sys.argv[1], Path(sys.argv[2])
(level,) = [one for one in levels_of_this_machine() if one.label == label]
subprocess.run(
    [sys.executable, "-m", "undoku.machine_code.carrying", label, str(folder / "made")],
    env=os.environ | environment_for(level, folder / "cache"),
    check=True,
)
"""


def _platform_tag() -> str:
    """The platform in the wheel's name. The machine code imports only functions such as memcpy,
    which exist in the oldest glibc that a wheel's name can state."""
    if sys.platform == "linux" and platform.libc_ver()[0] == "glibc":
        return f"manylinux_2_17_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
