"""The joined file of the loops of a package."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Hashable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

from loop_source.program import Program, decorators
from loop_source.translate import Loop
from loop_source.types import LONG, NOTHING, OBJECT, Type

_HEAD = '''# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: nonecheck=False, infer_types=False, cdivision=False, cpow=True, auto_pickle=False
# Written when undoku is built; do not edit.
import cython
import numpy as np

cdef extern from *:
    """
    #include <string.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static long long undoku_low_bit(long long mask) {
        unsigned long index;
        _BitScanForward64(&index, (unsigned __int64) mask);
        return index;
    }
    static long long undoku_high_bit(long long mask) {
        unsigned long index;
        _BitScanReverse64(&index, (unsigned __int64) mask);
        return index;
    }
    #define undoku_count_bits(mask) ((long long) __popcnt64((unsigned __int64) (mask)))
    #define undoku_rarely() ((void) 0)
    #else
    #define undoku_low_bit(mask) ((long long) __builtin_ctzll((unsigned long long) (mask)))
    #define undoku_high_bit(mask) ((long long) (63 ^ __builtin_clzll((unsigned long long) (mask))))
    #define undoku_count_bits(mask) ((long long) __builtin_popcountll((unsigned long long) (mask)))
    /* The compiler takes branches that call a cold function for rare ones. */
    static __attribute__((cold, noinline)) void undoku_rarely(void) { __asm__ volatile(""); }
    #endif

    /* The elements of an array, which its caller keeps alive; its lengths are filled in. */
    static void *undoku_elements(
        PyObject *array, const char *letters, int bytes, int dims, int writable, Py_ssize_t *lengths
    ) {
        Py_buffer view;
        int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(array, &view, flags) < 0)
            return NULL;
        void *elements = view.buf;
        if (view.ndim != dims || view.itemsize != bytes || !strchr(letters, view.format[0])) {
            PyErr_Format(
                PyExc_ValueError,
                "an array of %d dimensions, %d bytes an element ('%s'), instead of %d, %d ('%s')",
                view.ndim, (int) view.itemsize, view.format, dims, bytes, letters
            );
            elements = NULL;
        }
        else
            memcpy(lengths, view.shape, dims * sizeof(Py_ssize_t));
        PyBuffer_Release(&view);
        return elements;
    }
    """
    long long _low_bit "undoku_low_bit"(long long) noexcept nogil
    long long _high_bit "undoku_high_bit"(long long) noexcept nogil
    long long _count_bits "undoku_count_bits"(long long) noexcept nogil
    void _rarely "undoku_rarely"() noexcept nogil
    void _copy "memmove"(void *, const void *, Py_ssize_t) noexcept nogil
    void *_elements "undoku_elements"(
        object, const char *, int, int, bint, Py_ssize_t *) except? NULL


cdef void *_address(object function) noexcept:
    return <void *> function


cdef long long _call_outside(void *function, long long first, long long second) noexcept with gil:
    return (<object> function)(first, second)


'''


_ARRAY = """ctypedef struct {name}:
    {element} *at
    Py_ssize_t {lengths}

cdef {name} {name}_of(object array, bint writable) except *:
    cdef Py_ssize_t n[{dims}]
    cdef void *at = _elements(array, {buffer}, writable, n)
    return {name}(<{element} *> at, {values})"""
"""The structure of an array: its elements and its lengths."""

_GROUP = """ctypedef struct {name}:
    {parts}

cdef {name} {name}_made(object group) except *:
    cdef {name} made
    {values}
    return made
"""
_OF_NUMBERS = """
cdef {name} {name}_of(object group) except *:
    return {name}_made(group)"""
_OF_ARRAYS = """
cdef class {name}Holder:
    cdef {name} parts

cdef {name} {name}_of(object group) except *:
    cdef dict remembered = group.__dict__
    cdef {name}Holder holder = remembered.get({package!r})
    if holder is None:
        holder = {name}Holder.__new__({name}Holder)
        holder.parts = {name}_made(group)
        remembered[{package!r}] = holder
    return holder.parts"""
"""The structure of a group that has arrays is made once for each tuple, which remembers it."""


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
        """Write the structure of an array or a group, and the function that makes it from the
        Python object, if it is new."""
        if not (kind.dims or kind.group) or kind.struct in self._names.values():
            return
        self._names[kind.struct] = kind.struct
        for part in self._program.fields(kind.group).values() if kind.group else ():
            self._define(part)
        self._parts.append(self._group(kind, kind.group) if kind.group else _array(kind))

    def _group(self, kind: Type, group: tuple[str, str]) -> str:
        parts = self._program.fields(group)
        values = [
            f"made.{one} = {_converted(of, f'group[{number}]')}"
            for number, (one, of) in enumerate(parts.items())
        ]
        has_arrays = any(of.dims or of.group for of in parts.values())
        return (_GROUP + (_OF_ARRAYS if has_arrays else _OF_NUMBERS)).format(
            name=kind.struct,
            parts="\n    ".join(f"{of.in_c} {one}" for one, of in parts.items()),
            values="\n    ".join(values),
            package=self._package,
        )

    def table(self, module: str, node: ast.AnnAssign) -> str:
        """The name of a constant table, which is made when the extension module is loaded."""
        assert isinstance(node.target, ast.Name)
        assert node.value is not None
        key = (module, node.target.id)
        if key not in self._names:
            kind = self._program.type_of(module, node.annotation)
            value = self._expression(module, node.value)
            name = self._name(key, f"{node.target.id}_table")
            self._add_table(name, kind, f"np.ascontiguousarray({value})")
        return self._names[key]

    def numbers(self, values: tuple[int, ...]) -> str:
        """The name of a table of numbers."""
        if values not in self._names:
            name = self._name(values, "numbers")
            self._add_table(name, replace(LONG, dims=1), f"np.array({list(values)}, np.int64)")
        return self._names[values]

    def _add_table(self, name: str, kind: Type, made: str) -> None:
        self._define(kind)
        converted = _converted(replace(kind, constant=True), f"{name}_array")
        self._parts.append(f"{name}_array = {made}\ncdef {kind.struct} {name} = {converted}")

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
        taken = {one: kind for one, kind in parameters.items() if kind.group or kind.dims}
        passed = {
            one: f"cython.address({one}_)" if taken[one].group else f"{one}_" for one in taken
        }
        head = [
            one if one in taken else f"{one}: {kind.written}" for one, kind in parameters.items()
        ]
        lines = [f"def {module.replace('.', '_')}__{node.name}({', '.join(head)}):"]
        for one, kind in taken.items():
            lines += [f"    {one}_: {kind.struct} = {_converted(kind, one)}"]
        called = f"{name}({', '.join(passed.get(one, one) for one in parameters)})"
        if returned == NOTHING:
            lines += ["    with cython.nogil:", f"        {called}"]
        else:
            lines += [f"    result: {returned.written}", "    with cython.nogil:"]
            lines += [f"        result = {called}", "    return result"]
        self._parts.append("\n".join(lines))


def _array(kind: Type) -> str:
    return _ARRAY.format(
        name=kind.struct,
        element=replace(kind, dims=0).in_c,
        dims=kind.dims,
        lengths=", ".join(f"n{axis}" for axis in range(kind.dims)),
        values=", ".join(f"n[{axis}]" for axis in range(kind.dims)),
        buffer=kind.buffer,
    )


def _converted(kind: Type, value: str) -> str:
    """A Python object as a value in C: the structure of an array or a group, the address of a
    function, or a number."""
    if kind.group:
        return f"{kind.struct}_of({value})"
    if kind == OBJECT:
        return f"_address({value})"
    return f"{kind.struct}_of({value}, {not kind.constant})" if kind.dims else value


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
