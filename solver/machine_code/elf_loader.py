"""Loads object files of x86-64 Linux without LLVM, whose library takes 50 ms and 50 MB to load.

Loops are compiled for LLVM's large code model: all that their code names it names by whole
addresses, so that of the relocations of the ABI one kind occurs, R_X86_64_64. What has another
kind is left to LLVM (`solver.machine_code.llvm_loader`).

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

from solver.machine_code.signatures import UnsupportedError

__all__ = ["load_elf", "process_address"]

_RELOCATABLE, _X86_64 = 1, 62  # ET_REL, EM_X86_64
_PROGBITS, _SYMTAB, _RELA, _NOBITS = 1, 2, 4, 8  # SHT_…
_WRITE, _ALLOC, _EXECUTE = 0x1, 0x2, 0x4  # SHF_…
_ADDRESS = 1  # R_X86_64_64
_UNWINDING = ".eh_frame"
"""How to leave functions by a C++ exception, which none of a loop's ever is."""

_NOWHERE = -1
"""For the address of what has none."""

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_WORD = struct.Struct("<Q")

_LOADED: list[mmap.mmap] = []
"""What has been loaded: never given back, for functions of Python's point to it."""


class _ElfSection(NamedTuple):
    """A header of a section, as the ABI has it."""

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
    """The addresses of an object file's functions and variables, by their names.

    Raises UnsupportedError for a file of another format or processor, or with parts that occur in
    no loop, for a function that the process lacks, and where a process may not run what it has
    written.
    """
    if not sys.platform.startswith("linux"):
        raise UnsupportedError(sys.platform)
    try:
        return _loaded(code)
    except (struct.error, IndexError, ValueError, OSError) as error:
        raise UnsupportedError(str(error)) from None


def _loaded(code: bytes) -> dict[str, int]:
    sections = list(_sections(code))
    groups = _groups(code, sections)
    starts, ends = _laid_out(sections, groups)
    memory = mmap.mmap(-1, max(ends.values()), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for index, start in starts.items():
        if sections[index].kind == _PROGBITS:
            memory[start : start + sections[index].size] = _content(code, sections[index])
    addresses: list[int] = []
    found: dict[str, int] = {}
    for name, place, value in _symbols(code, sections):
        if place == 0:
            addresses.append(process_address(name) if name else 0)
        elif place in starts:
            addresses.append(base + starts[place] + value)
            found[name] = addresses[-1]
        else:
            addresses.append(_NOWHERE)
    for section in sections:
        if section.kind == _RELA and section.target in starts:
            for offset, what, addend in _RELOCATION.iter_unpack(_content(code, section)):
                kind, address = what & 0xFFFFFFFF, addresses[what >> 32]
                if kind != _ADDRESS or address == _NOWHERE:
                    raise UnsupportedError(f"a relocation of kind {kind}")
                _WORD.pack_into(memory, starts[section.target] + offset, address + addend)
    for protection, end in ends.items():
        start = starts[groups[protection][0]]
        if _protect()(base + start, end - start, protection):
            raise UnsupportedError("memory that is written may not be run")
    _LOADED.append(memory)
    return found


def _groups(code: bytes, sections: list[_ElfSection]) -> dict[int, list[int]]:
    """The numbers of the sections that belong into memory, by what may be done to them there."""
    names = sections[_HEADER.unpack_from(code)[-1]]
    groups: dict[int, list[int]] = {}
    for index, section in enumerate(sections):
        if section.flags & _ALLOC and _text(code, names, section.name) != _UNWINDING:
            if section.kind not in (_PROGBITS, _NOBITS):
                raise UnsupportedError(f"a section of kind {section.kind}")
            more = mmap.PROT_EXEC if section.flags & _EXECUTE else 0
            more |= mmap.PROT_WRITE if section.flags & _WRITE else 0
            groups.setdefault(mmap.PROT_READ | more, []).append(index)
    return groups


def _laid_out(
    sections: list[_ElfSection], groups: dict[int, list[int]]
) -> tuple[dict[int, int], dict[int, int]]:
    """Where each section begins, and where each group ends: groups have pages of their own."""
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
        raise UnsupportedError("not an object file of x86-64")
    for index in range(count):
        yield _ElfSection(*_SECTION.unpack_from(code, offset + index * size))


def _content(code: bytes, section: _ElfSection) -> bytes:
    content = code[section.offset : section.offset + section.size]
    if len(content) != section.size:
        raise UnsupportedError("a section beyond the end of the file")
    return content


def _text(code: bytes, strings: _ElfSection, offset: int) -> str:
    start = strings.offset + offset
    return code[start : code.index(b"\0", start)].decode("utf-8", "replace")


def _symbols(code: bytes, sections: list[_ElfSection]) -> Iterator[tuple[str, int, int]]:
    """The names of the symbols, the numbers of their sections, and where in these they are."""
    for section in sections:
        if section.kind == _SYMTAB:
            for name, _, _, place, value, _ in _SYMBOL.iter_unpack(_content(code, section)):
                yield _text(code, sections[section.link], name), place, value


@cache
def process_address(name: str) -> int:
    """Where the process has a function: of Python's, or of the system's. Raises UnsupportedError
    where it lacks it."""
    try:
        function = getattr(ctypes.pythonapi, name)
    except AttributeError:
        raise UnsupportedError(name) from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@cache
def _protect() -> Any:
    """The system's mprotect (POSIX), which returns 0 when it did what it was asked."""
    function = ctypes.CDLL(None).mprotect
    function.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return function
