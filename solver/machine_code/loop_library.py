"""The LLVM code of a loop and of its callees, in parts that are linked at the end.

Numba links the code of each function with that of all its callees, optimises the whole and
translates it to machine code, so inner functions are optimised and translated again for each of
their callers. Python calls only a few of the loops. Here each loop stores its own code, as numba's
front end produces it, and the parts of its callees. Only for a loop that Python calls, the parts
are linked, each once, and optimised together.

`LoopCompiler` is a numba pipeline (its documented `pipeline_class`) that gives loops such a
library, and omits the passes that only print types.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, ClassVar

from llvmlite import binding
from numba import types
from numba.core import caching, codegen, compiler, typed_passes, typing
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass

__all__ = ["LoopCompiler", "LoopLibrary", "LoopResults"]


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

    def optimise(self, module: Any) -> None:
        """Optimise a module as numba does."""
        self._final_module, own = module, self._final_module
        self._optimize_final_module()
        self._final_module = own


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


class LoopResults(caching.CompileResultCacheImpl):  # type: ignore[misc]
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
