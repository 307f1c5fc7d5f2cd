"""The entry from Python to a loop, as LLVM intermediate code.

A loop compiled by numba is a function of machine integers and pointers: it returns a status, stores
its result at the address in the first argument and an error at the address in the second one, and
takes an array as seven or more numbers (the owner, the parent, the number of elements, their size,
the address, the shape, the strides), a tuple as its members, and a pointer to a loop as three
addresses.

The code written here takes Python objects (METH_FASTCALL), checks the type of each, and calls the
loop. For objects of other types it returns `MISMATCH`; then the caller must look for another
signature. Types are compared with the objects of a table, which is filled in when the code is
loaded (`table_of`). The layout of three structures is assumed: of the head of an object and of an
array, which `undoku.machine_code.loading` checks, and of an error that numba has pickled.
"""

from __future__ import annotations

from typing import Any

from undoku.machine_code.signatures import Kind, Signature, UnsupportedError, class_of, dtype_of

__all__ = ["FIXED", "MISMATCH", "entry_code", "flattened", "table_of"]

MISMATCH = NotImplemented
"""The result of an entry if its arguments have other types."""

FIXED = 8
"""The objects at the beginning of each table: see `table_of`."""

_MISMATCH, _NONE, _TRUE, _FALSE, _INT, _FLOAT, _ARRAY, _FAILED = range(FIXED)
_INTEGERS = {f"{sign}int{width}": width for sign in ("", "u") for width in (8, 16, 32, 64)}
_CONTIGUOUS, _FORTRAN, _ALIGNED = 0x1, 0x2, 0x100  # numpy's NPY_ARRAY_… flags


def flattened(signature: Signature) -> list[str]:
    """The machine types of the arguments of a loop."""
    return [machine for kind in signature for machine in _machine_types(kind)]


def _machine_types(kind: Kind) -> list[str]:
    if kind == "none":
        return ["ptr"]
    if kind == "bool":
        return ["i8"]
    if kind == "float64":
        return ["double"]
    if kind in _INTEGERS:
        return [f"i{_INTEGERS[kind]}"]
    if isinstance(kind, tuple):
        if kind[0] == "array":
            return ["ptr", "ptr", "i64", "i64", "ptr", *["i64"] * (2 * kind[2])]
        if kind[0] in ("tuple", "named"):
            return flattened(kind[-1])
        if kind[0] == "function":
            return ["ptr"] * 3
    raise UnsupportedError(str(kind))


def table_of(signature: Signature, failed: type, array: type) -> list[Any]:
    """The objects with which an entry compares types: the fixed ones, then the types of tuples and
    the dtypes of arrays in the order of the arguments. `failed` is the exception that an entry
    raises."""
    table: list[Any] = [MISMATCH, None, True, False, int, float, array, failed]

    def note(kind: Kind) -> None:
        if isinstance(kind, tuple):
            if kind[0] == "array":
                table.append(dtype_of(kind[1]))
            elif kind[0] in ("tuple", "named"):
                table.append(tuple if kind[0] == "tuple" else class_of(kind[1]))
                for member in kind[-1]:
                    note(member)

    for kind in signature:
        note(kind)
    return table


class _Writer:
    """Writes the body of one entry."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.entries = FIXED
        self._count = 0

    def new(self, text: str) -> str:
        """Append `name = text`; returns the name."""
        self._count += 1
        self.lines.append(f"  %v{self._count} = {text}")
        return f"%v{self._count}"

    def need(self, condition: str) -> None:
        """Continue if a condition holds."""
        self._count += 1
        self.lines.append(f"  br i1 {condition}, label %b{self._count}, label %mismatch")
        self.lines.append(f"b{self._count}:")

    def object(self, index: int) -> str:
        """An object of the table."""
        place = self.new(f"getelementptr ptr, ptr @TABLE, i64 {index}")
        return self.new(f"load ptr, ptr {place}")

    def field(self, machine: str, structure: str, offset: int) -> str:
        place = self.new(f"getelementptr i8, ptr {structure}, i64 {offset}")
        return self.new(f"load {machine}, ptr {place}")

    def same(self, one: str, other: str, machine: str = "ptr") -> str:
        return self.new(f"icmp eq {machine} {one}, {other}")

    def typed(self, value: str, index: int) -> None:
        """Continue if the type of an object is the one in the table."""
        self.need(self.same(self.field("ptr", value, 8), self.object(index)))

    def unpack(self, kind: Kind, value: str) -> list[str]:
        """The machine values of an object; continues if it is of that kind."""
        if kind == "none":
            self.need(self.same(value, self.object(_NONE)))
            return ["ptr null"]
        if kind == "bool":
            true = self.same(value, self.object(_TRUE))
            false = self.same(value, self.object(_FALSE))
            self.need(self.new(f"or i1 {true}, {false}"))
            return [f"i8 {self.new(f'zext i1 {true} to i8')}"]
        if kind == "int64":
            self.typed(value, _INT)
            number = self.new(f"call i64 @PyLong_AsLongLong(ptr {value})")
            # -1 is a valid result, or means that the number is too large.
            unlikely = self.same(number, "-1", "i64")
            self._count += 1
            ask, on = f"ask{self._count}", f"on{self._count}"
            self.lines.append(f"  br i1 {unlikely}, label %{ask}, label %{on}\n{ask}:")
            error = self.new("call ptr @PyErr_Occurred()")
            self.lines.append(f"  br i1 {self.same(error, 'null')}, label %{on}, label %overflow")
            self.lines.append(f"{on}:")
            return [f"i64 {number}"]
        if kind == "float64":
            self.typed(value, _FLOAT)
            return [f"double {self.new(f'call double @PyFloat_AsDouble(ptr {value})')}"]
        if kind[0] == "function":
            self.typed(value, _INT)
            address = self.new(f"call ptr @PyLong_AsVoidPtr(ptr {value})")
            return ["ptr null", "ptr null", f"ptr {address}"]
        if kind[0] == "array":
            return self._array(kind, value)
        if kind[0] in ("tuple", "named"):
            self.typed(value, self.entries)
            self.entries += 1
            count = self.new(f"call i64 @PyTuple_Size(ptr {value})")
            self.need(self.same(count, str(len(kind[-1])), "i64"))
            values = []
            for index, member in enumerate(kind[-1]):
                item = self.new(f"call ptr @PyTuple_GetItem(ptr {value}, i64 {index})")
                values += self.unpack(member, item)
            return values
        raise UnsupportedError(str(kind))

    def _array(self, kind: Kind, value: str) -> list[str]:
        _, dtype, dimensions, layout = kind
        self.typed(value, _ARRAY)
        self.need(self.same(self.field("ptr", value, 56), self.object(self.entries)))
        self.entries += 1
        self.need(self.same(self.field("i32", value, 24), str(dimensions), "i32"))
        mask = _ALIGNED | _CONTIGUOUS | (0 if layout == "C" else _FORTRAN)
        wanted = _ALIGNED | {"C": _CONTIGUOUS, "F": _FORTRAN, "A": 0}[layout]
        flags = self.new(f"and i32 {self.field('i32', value, 64)}, {mask}")
        self.need(self.same(flags, str(wanted), "i32"))
        size = dtype_of(dtype).itemsize
        count = "1"
        extents = []
        for offset in (32, 40) if dimensions else ():
            numbers = self.field("ptr", value, offset)
            extents += [self.field("i64", numbers, 8 * axis) for axis in range(dimensions)]
        for extent in extents[:dimensions]:
            count = self.new(f"mul i64 {count}, {extent}")
        address = self.field("ptr", value, 16)
        return [
            "ptr null",
            "ptr null",
            f"i64 {count}",
            f"i64 {size}",
            f"ptr {address}",
            *(f"i64 {extent}" for extent in extents),
        ]

    def boxed(self, kind: Kind, value: str) -> str:
        """The Python object for a machine value."""
        if kind == "none":
            none = self.object(_NONE)
            self.lines.append(f"  call void @Py_IncRef(ptr {none})")
            return none
        if kind == "bool":
            one = self.new(f"icmp ne i8 {value}, 0")
            return self.new(f"call ptr @PyBool_FromLong(i64 {self.new(f'zext i1 {one} to i64')})")
        if kind == "float64":
            return self.new(f"call ptr @PyFloat_FromDouble(double {value})")
        if kind in _INTEGERS:
            signed = not kind.startswith("u")
            if _INTEGERS[kind] < 64:
                widen = "sext" if signed else "zext"
                value = self.new(f"{widen} i{_INTEGERS[kind]} {value} to i64")
            maker = "PyLong_FromLongLong" if signed else "PyLong_FromUnsignedLongLong"
            return self.new(f"call ptr @{maker}(i64 {value})")
        assert kind[0] == "tuple"
        made = self.new(f"call ptr @PyTuple_New(i64 {len(kind[1])})")
        machine = _result_type(kind)
        for index, member in enumerate(kind[1]):
            item = self.boxed(member, self.new(f"extractvalue {machine} {value}, {index}"))
            self.new(f"call i32 @PyTuple_SetItem(ptr {made}, i64 {index}, ptr {item})")
        return made


def _result_type(kind: Kind) -> str:
    if isinstance(kind, tuple) and kind[0] == "tuple":
        members = [_result_type(member) for member in kind[1]]
        if any(member.startswith(("{", "[")) for member in members):
            raise UnsupportedError(str(kind))
        same = len(set(kind[1])) == 1
        return f"[{len(members)} x {members[0]}]" if same else f"{{ {', '.join(members)} }}"
    if isinstance(kind, tuple):
        raise UnsupportedError(str(kind))
    (machine,) = _machine_types(kind)
    return machine


_DECLARED = """
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyLong_AsVoidPtr(ptr)
declare double @PyFloat_AsDouble(ptr)
declare i64 @PyTuple_Size(ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyLong_FromUnsignedLongLong(i64)
declare ptr @PyFloat_FromDouble(double)
declare ptr @PyBool_FromLong(i64)
declare ptr @PyErr_Occurred()
declare void @PyErr_Clear()
declare void @PyErr_SetObject(ptr, ptr)
declare ptr @PyBytes_FromStringAndSize(ptr, i64)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
"""


def entry_code(loop: str, signature: Signature, result: Kind, entry: str, table: str) -> str:
    """An LLVM module with a function `entry` that calls the function `loop`, and a variable `table`
    for the addresses of the objects of `table_of`.

    Raises UnsupportedError for a type that can't be passed this way.
    """
    writer = _Writer()
    values: list[str] = []
    writer.need(writer.same("%count", str(len(signature)), "i64"))
    for index, kind in enumerate(signature):
        place = writer.new(f"getelementptr ptr, ptr %arguments, i64 {index}")
        values += writer.unpack(kind, writer.new(f"load ptr, ptr {place}"))
    machine = _result_type(result)
    thread = writer.new("call ptr @PyEval_SaveThread()")
    passed = ", ".join(["ptr %result", "ptr %error", *values])
    status = writer.new(f"call i32 @{loop}({passed})")
    writer.lines.append(f"  call void @PyEval_RestoreThread(ptr {thread})")
    # 0: done, -2: done, and the result is None; other values mean an error or a generator.
    ended = writer.new(f"or i1 {writer.same(status, '0', 'i32')}, "
                       f"{writer.same(status, '-2', 'i32')}")  # fmt: skip
    writer.lines.append(f"  br i1 {ended}, label %done, label %failed\ndone:")
    made = writer.boxed(result, writer.new(f"load {machine}, ptr %result"))
    writer.lines.append(f"  ret ptr {made}")
    writer.lines.append("overflow:\n  call void @PyErr_Clear()\n  br label %mismatch")
    writer.lines.append("mismatch:")
    mismatch = writer.object(_MISMATCH)
    writer.lines.append(f"  call void @Py_IncRef(ptr {mismatch})\n  ret ptr {mismatch}")
    writer.lines.append("failed:")
    failed = writer.object(_FAILED)
    writer.lines.append("  %pickled = load ptr, ptr %error")
    described = writer.same(status, "1", "i32")
    writer.lines.append(f"  br i1 {described}, label %described, label %unknown\ndescribed:")
    content = writer.field("ptr", "%pickled", 0)
    size = writer.new(f"sext i32 {writer.field('i32', '%pickled', 8)} to i64")
    text = writer.new(f"call ptr @PyBytes_FromStringAndSize(ptr {content}, i64 {size})")
    writer.lines.append(f"  call void @PyErr_SetObject(ptr {failed}, ptr {text})")
    writer.lines.append(f"  call void @Py_DecRef(ptr {text})\n  ret ptr null\nunknown:")
    none = writer.object(_NONE)
    writer.lines.append(f"  call void @PyErr_SetObject(ptr {failed}, ptr {none})\n  ret ptr null")
    body = "\n".join(writer.lines)
    taken = ", ".join(["ptr", "ptr", *flattened(signature)])
    code = (
        f"{_DECLARED}\n"
        f"@TABLE = global [{writer.entries} x ptr] zeroinitializer\n"
        f"declare i32 @{loop}({taken})\n"
        "define ptr @ENTRY(ptr %self, ptr %arguments, i64 %count) {\n"
        f"  %result = alloca {machine}\n  %error = alloca ptr\n"
        f"  store ptr null, ptr %error\n{body}\n}}\n"
    )
    return code.replace("@TABLE", f"@{table}").replace("@ENTRY", f"@{entry}")
