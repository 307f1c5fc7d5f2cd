"""Compiles the loops of each package to an extension module: see packaging/loop_source."""

from __future__ import annotations

import ast
import logging
import os
import platform
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, str(Path(__file__).absolute().parent / "packaging"))

from build_backend import compiler
from loop_source.joined import packages_with_loops, write_package

# The oldest processors that numpy's own wheels support: on x86-64 those that count bits. Products
# and sums are not fused, which only some processors can do, so films are equal on all of them.
X86_64 = platform.machine() in ("x86_64", "AMD64")
ZIG = [sys.executable, "-m", "ziglang", "cc", f"-mcpu={'x86_64_v2' if X86_64 else 'baseline'}"]
COMPILER = compiler() or ZIG
FLAGS = ["-O3", "-g0", "-w", "-fwrapv", "-fno-math-errno", "-ffp-contract=off"]
FLAGS += ["-march=x86-64-v2"] if X86_64 and COMPILER != ZIG else []
FLAGS = ["/O2"] if os.name == "nt" else [*FLAGS, *shlex.split(os.environ.get("CFLAGS", ""))]

# One extension for all versions of Python from 3.11 on; free-threaded ones have no limited API.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")


def extension(package: str) -> Extension:
    """The extension module with the loops of a package."""
    return Extension(
        f"{package}.compiled",
        [f"build/loops/{package.replace('.', '_')}.c"],
        extra_compile_args=FLAGS,
        extra_link_args=["-s"] if sys.platform == "linux" else [],
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED else [],
        py_limited_api=LIMITED,
    )


class BuildLoops(build_ext):  # type: ignore[misc]  # setuptools has no types
    """Writes the sources, has Cython translate them to C and compiles this: several packages at the
    same time, and in a checkout that was built before only those that changed."""

    def run(self) -> None:
        self.parallel = os.cpu_count() or 1
        super().run()

    def build_extensions(self) -> None:
        if sys.platform == "linux":  # flags of Python itself differ from machine to machine
            linker = [*COMPILER, "-shared", *shlex.split(os.environ.get("LDFLAGS", ""))]
            self.compiler.set_executables(compiler_so=[*COMPILER, "-fPIC"], linker_so=linker)
        super().build_extensions()

    def build_extension(self, extension: Extension) -> None:
        package = extension.name.removesuffix(".compiled")
        c_file = Path(extension.sources[0])
        source = c_file.with_suffix(".pyx")
        built = Path(self.get_ext_filename(extension.name))
        text = f"# {shlex.join([*COMPILER[-2:], *FLAGS])}\n{write_package(Path(), package)}"
        if source.exists() and source.read_text("utf-8") == text:
            if _is_newer(built, source):
                target = self.get_ext_fullpath(extension.name)
                self.mkpath(str(Path(target).parent))
                self.copy_file(str(built), target)
                return
        else:
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text, "utf-8")
            source.with_suffix(".d").write_text(_dependencies(text), "utf-8")
        self.announce(f"compiling the loops of {package}", level=logging.INFO)
        cython = [sys.executable, "-m", "cython", "-3", "--module-name", extension.name]
        subprocess.run([*cython, "-o", str(c_file), str(source)], check=True)
        super().build_extension(extension)


def _is_newer(file: Path, other: Path) -> bool:
    return file.exists() and file.stat().st_mtime_ns > other.stat().st_mtime_ns


def _dependencies(text: str) -> str:
    """What the Makefile includes: the files whose loops and constants are in a joined source."""
    found = re.search(r"^FILES = (.*)$", text, re.MULTILINE)
    files = " ".join(ast.literal_eval(found[1])) if found else ""
    return f".venv/installed .venv/installed-dev: {files}\n{files}:\n"


if __name__ == "__main__":
    setup(
        ext_modules=[extension(package) for package in packages_with_loops(Path())],
        cmdclass={"build_ext": BuildLoops},
        options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {},
    )
