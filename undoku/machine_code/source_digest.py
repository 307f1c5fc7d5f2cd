"""Digests of source files together with those of our sources that they import.

The machine code of a function depends on the code of its module and on everything that the module
imports: other compiled functions, constants, types. A digest therefore covers the code of a module
and, directly or not, of the sources named in its import statements, anywhere in the file. Comments
and docstrings do not count (`undoku.machine_code.code_digest`). Only files of the same package and
of this program's packages are included and, if a module does not belong to a package, the modules
in its folder; libraries are identified by their versions.
"""

from __future__ import annotations

import os
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from undoku.machine_code.code_digest import code_digest, remember_digests

__all__ = [
    "digest_of_compiled_sources",
    "function_digest",
    "source_digest",
    "sources_behind",
]

_OWN_ROOT = os.path.abspath(f"{__file__}/../../..")
_OWN_PACKAGES = ("undoku",)
_COMPILER = "undoku.machine_code.jit"
"""The compiler is not part of any digest: `undoku.machine_code` has versions of its own."""

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n#]*)|import[ \t]+([^\n#]*))",
    re.MULTILINE,
)
_DEFINITION = re.compile(rb"[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)")
_NAME = re.compile(r"([.\w]+)(?:\s+as\s+\w+)?")


class _Module(NamedTuple):
    """One of our modules: the folder it is imported from, its dotted name, its file."""

    root: str
    name: str
    path: str


def function_digest(code: CodeType) -> str:
    """The digest of the source file of a function and of the sources that it imports, and what
    tells the function from others of the same name in its file: how many precede it. A function
    without a definition of its name has the number of its line instead."""
    path = os.path.abspath(code.co_filename)
    try:
        status = os.stat(path)
        defined = _definitions(path, status.st_mtime_ns, status.st_size).get(code.co_name)
    except OSError:
        defined = None
    before = (
        f"line {code.co_firstlineno}"
        if defined is None
        else f"{sum(line < code.co_firstlineno for line in defined)} before"
    )
    return f"{source_digest(path)} {before}"


@cache
def _definitions(path: str, modified: int, size: int) -> dict[str, list[int]]:
    """The lines at which a file defines functions, counted from 1, by their names."""
    del modified, size  # keys of the cache
    found: dict[str, list[int]] = {}
    for number, line in enumerate(Path(path).read_bytes().splitlines(), 1):
        if match := _DEFINITION.match(line):
            found.setdefault(match[1].decode("utf-8", "replace"), []).append(number)
    return found


def source_digest(path: str) -> str:
    """The digest of the code in a source file and in the sources that it imports; it does not
    depend on their folders, times, comments and docstrings."""
    return _digest(_behind(_module_at(os.path.abspath(path))))


@cache
def digest_of_compiled_sources() -> str:
    """The digest of the code in all sources of this program from which machine code is made."""
    behind: dict[_Module, str] = {}
    for package in _OWN_PACKAGES:
        for path in Path(_OWN_ROOT, package).rglob("*.py"):
            if b"undoku.machine_code.jit import" in path.read_bytes():
                behind |= _behind(_module_at(str(path)))
    return _digest(behind)


def sources_behind(path: str) -> set[str]:
    """The paths of a source file and of all our sources that it imports, directly or not."""
    return {module.path for module in _behind(_module_at(os.path.abspath(path)))}


def _digest(digests: dict[_Module, str]) -> str:
    parts = sorted((module.name, digest) for module, digest in digests.items())
    return sha256(repr(parts).encode()).hexdigest()[:32]


def _behind(module: _Module) -> dict[_Module, str]:
    """The digests of the code of a module and of all modules that it imports."""
    found: dict[_Module, str] = {}
    waiting = [module]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found[module], imported = _content(module)
            waiting += imported
    remember_digests()
    return found


def _content(module: _Module) -> tuple[str, tuple[_Module, ...]]:
    """The digest of one file, and those of our modules that its import statements may refer to."""
    try:
        # A process may load a module again after it was edited.
        status = os.stat(module.path)
        return _read(module, status.st_mtime_ns, status.st_size)
    except OSError:  # a program without sources does not change either
        return "", ()


@cache
def _read(module: _Module, modified: int, size: int) -> tuple[str, tuple[_Module, ...]]:
    del modified, size  # keys of the cache
    content = Path(module.path).read_bytes()
    found: dict[_Module, None] = {}
    for match in _IMPORT.finditer(content):
        source, names, modules = (part.decode("utf-8", "replace") for part in match.groups(b""))
        if modules:
            for name in _NAME.findall(modules):
                found |= dict.fromkeys(_imported(module, name, []))
        else:
            found |= dict.fromkeys(_imported(module, source, _NAME.findall(names)))
    return code_digest(content), tuple(found)


def _imported(importer: _Module, source: str, names: list[str]) -> list[_Module]:
    """The modules behind `from source import names`, as it stands in `importer`."""
    if source == _COMPILER:
        return []
    if source.startswith("."):
        level = len(source) - len(source.lstrip("."))
        package = importer.name.split(".")
        if os.path.basename(importer.path) != "__init__.py":
            package.pop()
        package = package[: len(package) - level + 1]
        source = ".".join([*package, *filter(None, [source.lstrip(".")])])
    top, own = source.partition(".")[0], importer.name.partition(".")[0]
    if top == own:
        root = importer.root
    elif top in _OWN_PACKAGES:
        root = _OWN_ROOT
    elif own == importer.name and "." not in source:  # neither is in a package
        path = f"{importer.root}/{source}.py"
        return [_Module(importer.root, source, path)] if os.path.isfile(path) else []
    else:
        return []
    base = f"{root}/{source.replace('.', '/')}"
    if os.path.isfile(f"{base}.py"):
        return [_Module(root, source, f"{base}.py")]
    parts = [
        _Module(root, f"{source}.{name}", path)
        for name in names
        if os.path.isfile(path := f"{base}/{name}.py")
    ]
    if len(parts) < max(1, len(names)) and os.path.isfile(path := f"{base}/__init__.py"):
        parts.append(_Module(root, source, path))
        for name in names:
            if os.path.isfile(path := f"{base}/{name}/__init__.py"):
                parts.append(_Module(root, f"{source}.{name}", path))
    return parts


@cache
def _module_at(path: str) -> _Module:
    folder, file = os.path.split(path)
    names = [] if file == "__init__.py" else [os.path.splitext(file)[0]]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        names.insert(0, package)
    return _Module(folder, ".".join(names), path)
