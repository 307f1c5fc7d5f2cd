"""The build backend of undoku: that of setuptools, and a C compiler where the machine has none.

    python packaging/build_backend.py

prints what a build on this machine requires, a line for each package. The loops are compiled by the
C compiler that CC names, or cc, gcc or clang; only if there is none, ziglang is required, a package
of 100 MB that contains clang.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).absolute().parent.parent

# Files in wheels get this date, 1980-01-01, so that wheels made from the same sources are equal.
os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")

Settings = Mapping[str, Any] | None


def compiler() -> list[str] | None:
    """The words of the command for the C compiler; None if the machine has none. On Windows it is
    left to setuptools to find Microsoft's."""
    if named := shlex.split(os.environ.get("CC", "")):
        return named
    found = next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    return ["cl"] if os.name == "nt" else [found] if found else None


def compiler_package() -> list[str]:
    """The package that contains a C compiler, if the machine has none."""
    if compiler():
        return []
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages: list[str] = about["dependency-groups"]["compiler"]
    return packages


def get_requires_for_build_wheel(settings: Settings = None) -> list[str]:
    return compiler_package()


def get_requires_for_build_editable(settings: Settings = None) -> list[str]:
    return compiler_package()


def get_requires_for_build_sdist(settings: Settings = None) -> list[str]:
    return []


def build_wheel(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    from setuptools import build_meta

    # What an earlier build has left there would be packed, too.
    for left in (ROOT / "build").glob("lib*"):
        shutil.rmtree(left)
    return str(build_meta.build_wheel(folder, settings, metadata))


def build_editable(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    from setuptools import build_meta

    return str(build_meta.build_editable(folder, settings, metadata))


def build_sdist(folder: str, settings: Any = None) -> str:
    from setuptools import build_meta

    return str(build_meta.build_sdist(folder, settings))


if __name__ == "__main__":
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    sys.stdout.write("\n".join([*about["build-system"]["requires"], *compiler_package()]) + "\n")
