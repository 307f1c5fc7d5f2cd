"""The joined file of the loops of a package."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Hashable
from copy import deepcopy
from pathlib import Path

from loop_source.program import Program, decorators
from loop_source.translate import Loop
from loop_source.types import NOTHING, Type

_HEAD = '''# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: nonecheck=False, infer_types=False, cdivision=False, cpow=True, auto_pickle=False
# Written when undoku is built; do not edit.
import cython
import numpy as np

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static long long undoku_low_bit(long long mask) {
        unsigned long index;
        _BitScanForward64(&index, (unsigned __int64) mask);
        return index;
    }
    #define undoku_count_bits(mask) ((long long) __popcnt64((unsigned __int64) (mask)))
    #else
    #define undoku_low_bit(mask) ((long long) __builtin_ctzll((unsigned long long) (mask)))
    #define undoku_count_bits(mask) ((long long) __builtin_popcountll((unsigned long long) (mask)))
    #endif
    """
    long long _low_bit "undoku_low_bit"(long long) noexcept nogil
    long long _count_bits "undoku_count_bits"(long long) noexcept nogil


cdef long long _call_outside(object function, long long first, long long second) noexcept with gil:
    return function(first, second)


'''


def packages_with_loops(root: Path) -> list[str]:
    """The packages of undoku that have loops, as "undoku.h264"; each gets an extension module
    `compiled` with its loops."""
    parts = {file.relative_to(root).parts[:2] for file in _files_with_loops(root, "undoku")}
    return sorted(".".join(part) for part in parts)


def write_package(root: Path, package: str) -> str:
    """The joined source of all loops of a package. Raises LoopError if one can't be translated."""
    program = Program(root)
    joined = _Joined(program, package)
    for file in _files_with_loops(root, package.replace(".", "/")):
        name = ".".join(file.relative_to(root).with_suffix("").parts)
        program.used.add(name)
        for node in program.module(name).definitions.values():
            if "loop" in decorators(node) and isinstance(node, ast.FunctionDef):
                joined.export(name, node)
    files = sorted(program.module(one).path.relative_to(root).as_posix() for one in program.used)
    sources = "".join((root / file).read_text("utf-8") for file in files)
    digest = hashlib.sha256(sources.encode()).hexdigest()
    return f"{joined.text()}\n\nFILES = {tuple(files)}\nDIGEST = {digest!r}\n"


def _files_with_loops(root: Path, folder: str) -> list[Path]:
    files = sorted(root.glob(f"{folder}/**/*.py"))
    return [file for file in files if re.search(r"^@loop$", file.read_text("utf-8"), re.MULTILINE)]


class _Joined:
    """The definitions of a joined file, each written after those that it uses."""

    def __init__(self, program: Program, package: str) -> None:
        self._program = program
        self._package = package
        self._parts: list[str] = []
        self._names: dict[Hashable, str] = {}  # the name of each definition in the joined file

    def text(self) -> str:
        return _HEAD + "\n\n".join(self._parts) + "\n"

    def _name(self, key: Hashable, wanted: str) -> str:
        """A new name for a definition."""
        taken = set(self._names.values())
        while wanted in taken:
            wanted += "_"
        self._names[key] = wanted
        return wanted

    def loop(self, module: str, node: ast.FunctionDef, types: tuple[Type, ...]) -> str:
        """The name of a loop for arguments of these types, which is written if it is new."""
        types = tuple(kind.whole for kind in types)
        key = (module, node.name, types)
        if key not in self._names:
            name = self._name(key, node.name)
            for kind in types:
                self._define(kind)
            self._parts.append(Loop(self._program, self, module, node, types, name).text())
        return self._names[key]

    def _define(self, kind: Type) -> None:
        """Write the extension type of a group, and the function that makes it from the tuple, which
        remembers it: it takes 0.3 µs for each array."""
        if kind.group is None or kind.group in self._names:
            return
        name = self._names[kind.group] = kind.name
        fields = self._program.fields(kind.group)
        for part in fields.values():
            self._define(part)
        lines = ["@cython.final", "@cython.cclass", f"class {name}:"]
        lines += [f"    {one}: {of.written}" for one, of in fields.items()]
        lines += ["", "", "@cython.cfunc", f"def {name}_of(group) -> {name}:"]
        lines += ["    remembered: dict = group.__dict__"]
        lines += [f"    made: {name} = remembered.get({self._package!r})"]
        lines += ["    if made is not None:", "        return made"]
        lines += [f"    made = {name}.__new__({name})"]
        for number, (field, of) in enumerate(fields.items()):
            value = f"group[{number}]"
            lines.append(f"    made.{field} = {f'{of.name}_of({value})' if of.group else value}")
        lines += [f"    remembered[{self._package!r}] = made", "    return made"]
        self._parts.append("\n".join(lines))

    def table(self, module: str, node: ast.AnnAssign) -> str:
        """The name of a constant table, which is made when the extension module is loaded."""
        assert isinstance(node.target, ast.Name)
        assert node.value is not None
        key = (module, node.target.id)
        if key not in self._names:
            kind = self._program.type_of(module, node.annotation)
            value = self._expression(module, node.value)
            name = self._name(key, f"{node.target.id}_table")
            made = f"np.ascontiguousarray({value})"
            self._parts.append(f"{name} = cython.declare({kind.written}, {made})")
        return self._names[key]

    def numbers(self, values: tuple[int, ...]) -> str:
        """The name of a table of numbers."""
        if values not in self._names:
            name = self._name(values, "numbers")
            made = f"np.array({list(values)}, np.int64)"
            self._parts.append(f"{name} = cython.declare(cython.longlong[::1], {made})")
        return self._names[values]

    def _expression(self, module: str, node: ast.AST) -> str:
        """A Python expression, after the definitions that it uses."""
        node = _without_annotations(node)
        for one in ast.walk(node):
            if not isinstance(one, ast.Name):
                continue
            origin, name, found = self._program.find(module, one.id)
            if found is None or ("Python", origin, name) in self._names:
                continue
            self._names["Python", origin, name] = name
            written = self._expression(origin, found)
            if isinstance(found, ast.AnnAssign):
                written = f"{name} = {written}"
            self._parts.append(written)
        return ast.unparse(node)

    def export(self, module: str, node: ast.FunctionDef) -> None:
        """Write a Python function that calls a loop without the GIL."""
        parameters = self._program.parameters(module, node)
        name = self.loop(module, node, tuple(parameters.values()))
        returned = self._program.returned(module, node)
        head = [one if kind.group else f"{one}: {kind.written}" for one, kind in parameters.items()]
        groups = {one: kind.name for one, kind in parameters.items() if kind.group}
        called = f"{name}({', '.join(f'{one}_' if one in groups else one for one in parameters)})"
        lines = [f"def {module.replace('.', '_')}__{node.name}({', '.join(head)}):"]
        lines += [f"    {one}_: {group} = {group}_of({one})" for one, group in groups.items()]
        if returned == NOTHING:
            lines += ["    with cython.nogil:", f"        {called}"]
        else:
            lines += [f"    result: {returned.written}", "    with cython.nogil:"]
            lines += [f"        result = {called}", "    return result"]
        self._parts.append("\n".join(lines))


def _without_annotations(node: ast.AST) -> ast.AST:
    """A definition without annotations; of an annotated assignment its value."""
    plain = deepcopy(node)
    if isinstance(plain, ast.AnnAssign) and plain.value is not None:
        return plain.value
    for one in ast.walk(plain):
        if isinstance(one, ast.FunctionDef):
            one.returns = None
        elif isinstance(one, ast.arg):
            one.annotation = None
    return plain
