"""Loads object files for any processor and system with LLVM's loader."""

from __future__ import annotations

from functools import cache

from llvmlite import binding

from undoku.machine_code.elf_loader import process_address
from undoku.machine_code.object_files import ObjectFile

__all__ = ["load_with_llvm"]


def load_with_llvm(file: ObjectFile) -> dict[str, int]:
    """Load a file; returns the addresses of its functions and variables by their names.

    Raises UnsupportedError if the process lacks a function that the file needs; LLVM would end the
    process in this case.
    """
    for name in file.needs:
        binding.add_symbol(name, process_address(name))
    engine = _engine()
    engine.add_object_file(binding.ObjectFileRef.from_data(file.code))
    engine.finalize_object()
    return {
        file.entry: engine.get_function_address(file.entry),
        file.native: engine.get_function_address(file.native),
        file.table: engine.get_global_value_address(file.table),
    }


@cache
def _engine() -> binding.ExecutionEngine:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    return binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
