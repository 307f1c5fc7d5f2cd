"""Compiles loops with numba, and makes files of machine code from the result.

This module and those that it imports are the only ones that import numba: a process whose loops are
all in files does not need it.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import Any

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import event
from numba.extending import lower_builtin, type_callable, typeof_impl

from undoku.machine_code import documented
from undoku.machine_code.entry_code import entry_code, flattened
from undoku.machine_code.known_loops import KnownLoop, record, recording
from undoku.machine_code.loop import Loop, count_bits, low_bit
from undoku.machine_code.object_files import ObjectFile, cache_folder
from undoku.machine_code.processors import Processor
from undoku.machine_code.signatures import (
    Kind,
    Signature,
    UnsupportedError,
    class_name,
    class_of,
    dtype_of,
    dtype_text,
)

__all__ = ["compile_for_others", "dispatcher_of", "machine_code", "numba_is_known"]

try:
    from undoku.machine_code.numba_internals import compiled_code, lean_dispatcher
except (ImportError, AttributeError):  # another numba
    _KNOWN = False
else:
    _KNOWN = True


def numba_is_known() -> bool:
    """Whether this is a tested version of numba which has all undocumented parts that
    `undoku.machine_code.numba_internals` uses."""
    return _KNOWN


class _Recorder(event.Listener):  # type: ignore[misc]
    """Records the loops that are compiled because others call them, with the time of each."""

    def __init__(self) -> None:
        self._begun: list[list[float]] = []

    def on_start(self, event: event.Event) -> None:
        self._begun.append([time.process_time(), 0.0])

    def on_end(self, event: event.Event) -> None:
        begun, within = self._begun.pop()
        taken = time.process_time() - begun
        if self._begun:
            self._begun[-1][1] += taken
        made = event.data["dispatcher"]
        for loop, known in _DISPATCHERS.items():
            if known is made:
                with suppress(UnsupportedError):
                    kinds = tuple(map(kind_of, event.data["args"]))
                    record(KnownLoop(loop.module, loop.name, kinds, "called", taken - within))


if recording():
    event.register("numba:compile", _Recorder())


# Functions with another meaning in compiled loops. ------------------------------------------


@type_callable(low_bit)  # type: ignore[untyped-decorator]
@type_callable(count_bits)  # type: ignore[untyped-decorator]
def _type_bits(_context: Any) -> Any:
    return lambda mask: types.int64 if isinstance(mask, types.Integer) else None


@lower_builtin(low_bit, types.Integer)  # type: ignore[untyped-decorator]
def _lower_low_bit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One machine instruction."""
    wide = context.cast(builder, arguments[0], signature.args[0], types.int64)
    return builder.cttz(wide, ir.Constant(ir.IntType(1), 1))


@lower_builtin(count_bits, types.Integer)  # type: ignore[untyped-decorator]
def _lower_count_bits(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One machine instruction."""
    return builder.ctpop(context.cast(builder, arguments[0], signature.args[0], types.int64))


@typeof_impl.register(Loop)  # type: ignore[untyped-decorator]
def _type_loop(loop: Loop, _context: Any) -> Any:
    """A loop that another loop calls."""
    return types.Dispatcher(dispatcher_of(loop))


_DISPATCHERS: dict[Loop, Any] = {}


def dispatcher_of(loop: Loop) -> Any:
    """Numba's object for a loop."""
    if loop not in _DISPATCHERS:
        if _KNOWN:
            cached = cache_folder() is not None and loop.has_file
            made = lean_dispatcher(loop.py_func, exact=loop.exact, cached=cached)
        else:
            made = numbas_own(loop)
        _DISPATCHERS[loop] = made
    return _DISPATCHERS[loop]


# Conversion of types. ------------------------------------------------------------------------


def numba_type(kind: Kind) -> Any:
    """Numba's type for a kind in a signature. Raises ImportError or AttributeError if its class no
    longer exists."""
    if isinstance(kind, str):
        return {"bool": types.boolean, "none": types.none}.get(kind) or getattr(types, kind)
    if kind[0] == "array":
        _, dtype, dimensions, layout = kind
        return types.Array(numba.from_dtype(dtype_of(dtype)), dimensions, layout)
    if kind[0] == "tuple":
        return types.BaseTuple.from_types(list(map(numba_type, kind[1])))
    if kind[0] == "named":
        found = class_of(kind[1])
        if len(getattr(found, "_fields", ())) != len(kind[2]):
            raise UnsupportedError(f"{kind[1]} has other fields now")
        return types.BaseTuple.from_types(list(map(numba_type, kind[2])), found)
    if kind[0] == "function":
        return types.FunctionType(types.int64(*map(numba_type, kind[1])))
    raise UnsupportedError(str(kind))


def kind_of(found: Any) -> Kind:
    """The kind in a signature for one of numba's types. Raises UnsupportedError for others."""
    found = types.unliteral(found)
    if isinstance(found, types.Integer | types.Float):
        return str(found)
    if isinstance(found, types.Boolean):
        return "bool"
    if isinstance(found, types.NoneType):
        return "none"
    if isinstance(found, types.Array) and found.mutable and found.aligned:
        return (
            "array",
            dtype_text(numba.np.numpy_support.as_dtype(found.dtype)),
            found.ndim,
            found.layout,
        )
    if isinstance(found, types.BaseNamedTuple):
        return "named", class_name(found.instance_class), tuple(map(kind_of, found.types))
    if isinstance(found, types.BaseTuple):
        return "tuple", tuple(map(kind_of, found.types))
    if isinstance(found, types.FunctionType):
        return "function", tuple(map(kind_of, found.signature.args))
    raise UnsupportedError(str(found))


# Machine code. -------------------------------------------------------------------------------


def compile_for_others(loop: Loop, signature: Signature) -> None:
    """Compile a loop that only other loops call, into numba's cache."""
    dispatcher_of(loop).compile(tuple(map(numba_type, signature)))


_HARMLESS = frozenset(
    ("memcpy", "memset", "memmove", "memcmp", "bcmp", "floor", "ceil", "trunc", "rint", "round")
).union(("sqrt", "log", "log2", "log10", "exp", "exp2", "pow", "fmod", "sin", "cos", "tan", "atan"))
"""The functions that machine code may import from the process, besides Python's own interface."""

_NEVER = re.compile(
    r"^declare ([^@\n]*)@(numba_gil_ensure|numba_gil_release|numba_unpickle)\(([^)\n]*)\).*$",
    re.MULTILINE,
)
"""Called for a null pointer to a loop, which does not occur."""


def machine_code(loop: Loop, signature: Signature, name: str, processor: Processor) -> ObjectFile:
    """Compile a loop with an entry for Python; `name` becomes part of its symbols. Raises
    UnsupportedError if it can't be called without numba, and numba's own errors if it can't be
    compiled.
    """
    begun = time.perf_counter()
    made = compiled_code(dispatcher_of(loop), tuple(map(numba_type, signature)))
    text = str(made.library.linked())
    module = binding.parse_assembly(
        _NEVER.sub(r"define internal \1@\2(\3) {\n  unreachable\n}", text)
    )
    native = module.get_function(made.function)
    expected = ["ptr", "ptr", *flattened(signature)]
    if [str(argument.type) for argument in native.arguments] != expected:
        raise UnsupportedError("numba passes arguments in another way than expected")
    symbol, entry, table = (f"undoku_{kind}_{name}" for kind in ("native", "entry", "table"))
    native.name, native.linkage = symbol, binding.Linkage.external
    returns = kind_of(made.returns)
    code = entry_code(symbol, signature, returns, entry, table)
    module.link_in(binding.parse_assembly(code))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in (symbol, entry, table):
            value.linkage = binding.Linkage.internal
    made.library.optimise(module, superword=loop.superword)
    machine = binding.Target.from_triple(module.triple).create_target_machine(
        cpu=processor.name, features=processor.features, opt=3, codemodel="jitdefault", jit=True
    )
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options())
    passes = binding.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, builder)
    module.verify()
    return ObjectFile(
        module=loop.module,
        loop=loop.name,
        signature=signature,
        returns=returns,
        entry=entry,
        table=table,
        native=symbol,
        seconds=round(time.perf_counter() - begun, 2),
        needs=_needed(module),
        code=machine.emit_object(module),
    )


def _needed(module: Any) -> tuple[str, ...]:
    """The functions that a module imports from the process. Raises UnsupportedError for one that is
    not available in every process."""
    needed = tuple(
        function.name
        for function in module.functions
        if function.is_declaration and not function.name.startswith("llvm.")
    )
    for name in needed:
        if not name.startswith("Py") and name not in _HARMLESS:
            raise UnsupportedError(f"it needs {name}")
    return needed


def numbas_own(loop: Any) -> Any:
    """The loop as numba itself calls it: slower, but for arguments of any type."""
    return documented.lean(loop.py_func)


def allocating(function: Any) -> Any:
    """A function that may allocate arrays, which numba itself calls."""
    return documented.compiled(function)
