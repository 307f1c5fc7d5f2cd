"""Everything that the program uses of numba beyond its documented interface.

Importing this module raises ImportError if numba is a version with which it was not tested or lacks
one of these parts; `undoku.machine_code.documented` is then used instead, which does the same
through the documented interface.

- **Linking** (`LoopLibrary`, `LoopCompiler`). Numba links the code of each function with that of
  all its callees, optimises the whole and translates it to machine code, so inner functions are
  optimised and translated again for each of their callers. Python calls only a few of the loops.
  Here each loop stores its own code, as numba's front end produces it, and the parts of its
  callees. Only for a loop that Python calls, the parts are linked, each once, and optimised
  together. `LoopCompiler` is a numba pipeline (its documented `pipeline_class`) that gives loops
  such a library, and omits the passes that only print types.
- **The cache of callees** (`_CheckedCache`), whose files are `object_files.CalleeFiles`.
- **Dispatchers** (`lean_dispatcher`) without reference counts, which pass integers as int64.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numba
from llvmlite import binding
from numba import types
from numba.core import (
    caching,
    codegen,
    compiler,
    config,
    cpu,
    dispatcher,
    serialize,
    typed_passes,
    typing,
)
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass

from undoku.machine_code.cache_locators import loop_cache
from undoku.machine_code.documented import wide_type
from undoku.machine_code.object_files import CalleeFiles

__all__ = ["TESTED", "CompiledCode", "compiled_code", "lean_dispatcher"]

TESTED = (0, 62), (0, 68)
"""The first and the last version of numba that this was tested with."""

_NEEDED = (
    (caching.FunctionCache, "load_overload save_overload _impl_class"),
    (caching.CompileResultCacheImpl, "reduce rebuild locator filename_base"),
    (codegen.JITCodeLibrary, "_raise_if_finalized _ensure_finalized _finalize_dynamic_globals"),
    (codegen.JITCodeLibrary, "_get_module_for_linking _optimize_final_module"),
    (config, "SLP_VECTORIZE"),
    (compiler.DefaultPassBuilder, "define_untyped_pipeline define_typed_pipeline"),
    (compiler.DefaultPassBuilder, "define_nopython_lowering_pipeline"),
    (cpu.CPUTargetOptions, "_nrt"),
    (dispatcher.Dispatcher, "get_call_template"),
    (typing.Context, "resolve_function_type"),
)
"""The parts of each class that are used below."""


def _check() -> None:
    """Raise ImportError if this is another numba than those that are known."""
    if not TESTED[0] <= tuple(map(int, numba.__version__.split(".")[:2])) <= TESTED[1]:
        raise ImportError(f"not tested with numba {numba.__version__}")
    for owner, names in _NEEDED:
        for name in names.split():
            if not hasattr(owner, name):
                raise ImportError(f"numba's {owner.__name__} has no {name}")


_check()


class LoopLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a loop; `parts` also has the code of its callees, by digest."""

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(owner, name)
        self.parts: dict[bytes, bytes] = {}
        self._for_numba: Any = None

    @property
    def codegen(self) -> Any:
        """The object to which numba passes the address of a function's environment."""
        return _NoCode

    def finalize(self) -> None:
        """Collect the parts of all callees, without optimisation."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            if isinstance(library, LoopLibrary):
                self.parts |= library.parts
                self._dynamic_globals += library._dynamic_globals
            else:
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        own = self._final_module.as_bitcode()
        self.parts[sha256(own).digest()] = own
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is no machine code."""
        self._ensure_finalized()
        return 0

    def linked(self) -> Any:
        """A new module with all parts. Other modules may contain the same functions."""
        self._ensure_finalized()
        whole = binding.parse_assembly("")
        whole.triple = self._final_module.triple
        whole.data_layout = self._final_module.data_layout
        for part in self.parts.values():
            module = binding.parse_bitcode(part)
            _relink(module, binding.Linkage.external, binding.Linkage.weak_odr)
            whole.link_in(module)
        return whole

    def _get_module_for_linking(self) -> Any:
        """The module that numba links into one of its functions that calls the loop."""
        if self._for_numba is None:
            self._for_numba = self.linked()
            _relink(self._for_numba, binding.Linkage.weak_odr, binding.Linkage.linkonce_odr)
        return self._for_numba

    def optimise(self, module: Any, *, superword: bool) -> None:
        """Optimise a module as numba does; `superword`: also vectorise straight-line code."""
        self._final_module, own = module, self._final_module
        before, config.SLP_VECTORIZE = config.SLP_VECTORIZE, int(superword)
        try:
            self._optimize_final_module()
        finally:
            self._final_module, config.SLP_VECTORIZE = own, before


def _relink(module: Any, before: binding.Linkage, after: binding.Linkage) -> None:
    for function in module.functions:
        if not function.is_declaration and function.linkage == before:
            function.linkage = after


class _NoCode:
    """Replaces numba's generator of machine code."""

    @staticmethod
    def set_env(name: str, environment: object) -> None:
        """Nothing needs the environment of a loop."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(typed_passes.NativeLowering):  # type: ignore[misc]
    """Makes only the LLVM code of a loop, not machine code."""

    _name = "loop_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = LoopLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=False, analysis_only=True)
class _NoAnnotation(AnalysisPass):  # type: ignore[misc]
    """Replaces the annotated text of a function."""

    _name = "loop_without_annotation"

    def __init__(self) -> None:  # abstract in the base
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        state.type_annotation = ""
        return False


_REPLACED = {
    typed_passes.NativeLowering: _Lowering,
    typed_passes.AnnotateTypes: _NoAnnotation,
}


class _OperatorTypes(typing.Context):  # type: ignore[misc]
    """Numba's table of function types, with a cache for the results of operators: numba searches
    all implementations of an operator each time it occurs.
    """

    _known: ClassVar[dict[tuple[Any, tuple[Any, ...]], Any]] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        if (
            kws
            or not isinstance(func, types.Function)
            or getattr(func.typing_key, "__module__", "") != "_operator"
            or not all(isinstance(kind, _PLAIN) for kind in args)
        ):
            return super().resolve_function_type(func, args, kws)
        key = func, tuple(args)
        if key not in self._known:
            self._known[key] = super().resolve_function_type(func, args, kws)
        return self._known[key]


_PLAIN = (types.Number, types.Boolean, types.Array, types.BaseTuple)


class LoopCompiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's pipeline for loops."""

    def __init__(self, typingctx: Any, *others: Any) -> None:
        super().__init__(typingctx, *others)
        self.state.typingctx = _OperatorTypes.__new__(_OperatorTypes)
        self.state.typingctx.__dict__ = (
            typingctx.__dict__
        )  # the same table through another attribute

    def define_pipelines(self) -> list[Any]:
        builder = compiler.DefaultPassBuilder
        manager = PassManager("loop")
        for part in (
            builder.define_untyped_pipeline(self.state),
            builder.define_typed_pipeline(self.state),
            builder.define_nopython_lowering_pipeline(self.state),
        ):
            manager.passes += [
                (_REPLACED.get(one, one), description) for one, description in part.passes
            ]
        manager.finalize()
        return [manager]


class _LoopResults(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """The part of a loop that numba's cache stores."""

    def reduce(self, result: Any) -> Any:
        result.fndesc.typemap = result.fndesc.calltypes = None
        parts = tuple(result.library.parts.values())
        return parts, result.fndesc, result.environment, result.signature, result.reload_init

    def rebuild(self, target_context: Any, kept: Any) -> Any:
        parts, description, environment, signature, reload_init = kept
        for function in reload_init:
            function()
        library = LoopLibrary(target_context.codegen(), description.qualname)
        library.parts = {sha256(part).digest(): part for part in parts}
        library._finalized = True
        return compiler.compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=target_context.get_executable(library, description, environment),
            typing_error=None,
            type_annotation="",
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=description,
            library=library,
            call_helper=None,
            environment=environment,
            metadata=None,
            reload_init=reload_init,
        )


class _CheckedCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of a loop, in files that are checked before they are used."""

    _impl_class = _LoopResults

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = CalleeFiles(
            Path(self._impl.locator.get_cache_path(), self._impl.filename_base),
            f"{self._impl.locator.get_source_stamp()} {numba.__version__}",
            serialize.dumps,
        )


_WIDENING: dict[type, type] = {}


def _widening(kind: type) -> type:
    """A kind of dispatchers, derived from one of numba's, whose callers pass integers as int64."""

    class Widening(kind):  # type: ignore[misc]
        __slots__ = ()

        def get_call_template(self, args: Any, kws: Any) -> Any:
            wide = {name: wide_type(kind) for name, kind in kws.items()}
            return super().get_call_template(tuple(map(wide_type, args)), wide)

    return _WIDENING.setdefault(kind, Widening)


def lean_dispatcher(function: Callable[..., Any], *, exact: bool, cached: bool) -> Any:
    """Numba's object for a loop: without an entry for Python, and without reference counts. Other
    loops pass their integers as int64, unless `exact`. `cached`: its code is stored."""
    made = numba.njit(
        nogil=True,
        _nrt=False,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=LoopCompiler,
    )(function)
    if cached:
        with loop_cache("fast"):
            made._cache = _CheckedCache(function)
    if not exact:
        made.__class__ = _WIDENING.get(type(made)) or _widening(type(made))
    return made


class CompiledCode(NamedTuple):
    """What numba's front end has made of a loop for one signature: its library, the name of its
    function there, and numba's type of its result."""

    library: LoopLibrary
    function: str
    returns: Any


def compiled_code(made: Any, arguments: tuple[Any, ...]) -> CompiledCode:
    """Compile a dispatcher of `lean_dispatcher` for arguments of numba's types."""
    made.compile(arguments)
    overload = made.overloads[arguments]
    return CompiledCode(
        overload.library, overload.fndesc.llvm_func_name, overload.signature.return_type
    )
