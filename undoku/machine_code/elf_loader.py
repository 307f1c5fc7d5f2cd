"""Loads object files of x86-64 Linux without LLVM, whose library takes 50 ms and 50 MB to load.

Loops are compiled for LLVM's large code model: their code refers to everything by its absolute
64-bit address, so only one kind of relocation occurs, R_X86_64_64. Files with other relocations
are loaded by LLVM (`undoku.machine_code.llvm_loader`).

Sources: System V Application Binary Interface, chapter 4 (object files); its AMD64 supplement,
section 4.4 (relocations).
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from undoku.machine_code.signatures import UnsupportedError

__all__ = ["load_elf", "process_address"]

_RELOCATABLE, _X86_64 = 1, 62  # ET_REL, EM_X86_64
_PROGBITS, _SYMTAB, _RELA, _NOBITS = 1, 2, 4, 8  # SHT_…
_WRITE, _ALLOC, _EXECUTE = 0x1, 0x2, 0x4  # SHF_…
_ADDRESS = 1  # R_X86_64_64
_UNWINDING = ".eh_frame"
"""The section for unwinding the stack after C++ exceptions, which do not occur in loops."""

_NO_ADDRESS = -1
"""The address of a symbol that is neither imported nor in memory."""

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_WORD = struct.Struct("<Q")

_LOADED: list[mmap.mmap] = []
"""The memory of all loaded files. It is never released, because Python functions point to it."""


class _ElfSection(NamedTuple):
    """A section header, with the fields of the ABI in their order."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    target: int
    alignment: int
    entry_size: int


def load_elf(code: bytes) -> dict[str, int]:
    """Load an object file; returns the addresses of its functions and variables by their names.

    Raises UnsupportedError if the file has another format or processor or unexpected parts, if the
    process lacks a function that it needs, or if the system does not allow memory that was written
    to be executed.
    """
    if not sys.platform.startswith("linux"):
        raise UnsupportedError(sys.platform)
    try:
        return _load(code)
    except (struct.error, IndexError, ValueError, OSError) as error:
        raise UnsupportedError(str(error)) from None


def _load(code: bytes) -> dict[str, int]:
    sections = list(_sections(code))
    groups = _groups(code, sections)
    starts, ends = _place_sections(sections, groups)
    memory = mmap.mmap(-1, max(ends.values()), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for index, start in starts.items():
        if sections[index].kind == _PROGBITS:
            memory[start : start + sections[index].size] = _content(code, sections[index])
    addresses: list[int] = []
    found: dict[str, int] = {}
    for name, section_number, value in _symbols(code, sections):
        if section_number == 0:
            addresses.append(process_address(name) if name else 0)
        elif section_number in starts:
            addresses.append(base + starts[section_number] + value)
            found[name] = addresses[-1]
        else:
            addresses.append(_NO_ADDRESS)
    for section in sections:
        if section.kind == _RELA and section.target in starts:
            for offset, kind_and_symbol, addend in _RELOCATION.iter_unpack(_content(code, section)):
                kind = kind_and_symbol & 0xFFFFFFFF
                address = addresses[kind_and_symbol >> 32]
                if kind != _ADDRESS or address == _NO_ADDRESS:
                    raise UnsupportedError(f"it has a relocation of kind {kind}")
                _WORD.pack_into(memory, starts[section.target] + offset, address + addend)
    for protection, end in ends.items():
        start = starts[groups[protection][0]]
        if _protect()(base + start, end - start, protection):
            raise UnsupportedError("memory that was written can't be executed")
    _LOADED.append(memory)
    return found


def _groups(code: bytes, sections: list[_ElfSection]) -> dict[int, list[int]]:
    """The numbers of the sections that are loaded into memory, by their memory protection."""
    names = sections[_HEADER.unpack_from(code)[-1]]
    groups: dict[int, list[int]] = {}
    for index, section in enumerate(sections):
        if section.flags & _ALLOC and _text(code, names, section.name) != _UNWINDING:
            if section.kind not in (_PROGBITS, _NOBITS):
                raise UnsupportedError(f"it has a section of kind {section.kind}")
            protection = mmap.PROT_EXEC if section.flags & _EXECUTE else 0
            protection |= mmap.PROT_WRITE if section.flags & _WRITE else 0
            groups.setdefault(mmap.PROT_READ | protection, []).append(index)
    return groups


def _place_sections(
    sections: list[_ElfSection], groups: dict[int, list[int]]
) -> tuple[dict[int, int], dict[int, int]]:
    """The offset of each section in memory, and of the end of each group; every group begins on a
    new page, because protection applies to whole pages."""
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    end = 0
    for protection, indices in groups.items():
        end = _rounded(end, mmap.PAGESIZE)
        for index in indices:
            starts[index] = _rounded(end, max(1, sections[index].alignment))
            end = starts[index] + sections[index].size
        ends[protection] = end
    return starts, ends


def _rounded(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def _sections(code: bytes) -> Iterator[_ElfSection]:
    identity, kind, machine, _, _, _, offset, *_, size, count, _ = _HEADER.unpack_from(code)
    if identity[:6] != b"\x7fELF\x02\x01" or (kind, machine) != (_RELOCATABLE, _X86_64):
        raise UnsupportedError("it is not an object file for x86-64")
    for index in range(count):
        yield _ElfSection(*_SECTION.unpack_from(code, offset + index * size))


def _content(code: bytes, section: _ElfSection) -> bytes:
    content = code[section.offset : section.offset + section.size]
    if len(content) != section.size:
        raise UnsupportedError("a section is beyond the end of the file")
    return content


def _text(code: bytes, strings: _ElfSection, offset: int) -> str:
    start = strings.offset + offset
    return code[start : code.index(b"\0", start)].decode("utf-8", "replace")


def _symbols(code: bytes, sections: list[_ElfSection]) -> Iterator[tuple[str, int, int]]:
    """(name, number of its section, offset in the section) of each symbol; section 0 means that it
    is imported."""
    for section in sections:
        if section.kind == _SYMTAB:
            for name, _, _, section_number, value, _ in _SYMBOL.iter_unpack(
                _content(code, section)
            ):
                yield _text(code, sections[section.link], name), section_number, value


@cache
def process_address(name: str) -> int:
    """The address of a function of Python's C interface or of a system library in this process.
    Raises UnsupportedError if there is none."""
    try:
        function = getattr(ctypes.pythonapi, name)
    except AttributeError:
        raise UnsupportedError(name) from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@cache
def _protect() -> Any:
    """The system's mprotect (POSIX), which returns 0 on success."""
    function = ctypes.CDLL(None).mprotect
    function.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return function
