"""The compiled LZW encoder of GIF images, which chooses between transparent and opaque pixels.

Source: Welch, "A technique for high-performance data compression" (1984), in the variant of the
GIF89a specification (appendix F). An unchanged pixel may be written as transparent or as its
colour: the search in the dictionary follows both and takes the longer string. A full dictionary is
kept until its compression gets worse. (Choosing a shorter string so that the next one is longer was
measured, too: files get larger, because the dictionary grows more slowly, and boxes with long
unchanged runs depend on it.)

The codes of transparent runs are also in a table by length, so a long unchanged run needs no search
in the dictionary: a box around two distant changes takes time by its codes, not by its pixels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undoku.h264.loops import I32, I64, U8, U32, group, inner, loop

SLOTS = 1 << 14  # of the dictionary's hash table: four for each of the 4,096 codes
EMPTY = 0xFFFFFFFF
CODES = 4096
PATIENCE = 128  # codes between two checks of a full dictionary's compression
BRANCHES = 4  # strings followed at once where unchanged pixels allow two values
WALKED = 16  # a longer unchanged run is looked up by its length, not pixel by pixel
ACCUMULATOR, BITS, POSITION, BLOCK = range(4)  # registers of the bit writer


@group
class Dictionary(NamedTuple):
    """The encoder's dictionary and registers; the memory is reused for every image."""

    table: U32
    """(SLOTS,): hash table from strings to codes."""
    first: U8
    """(CODES,): the first symbol of each string."""
    run_codes: I32
    """(CODES + 1,): at n, the code of a run of n transparent pixels."""
    run_lengths: I32
    """(CODES,): the length of a string that has only transparent pixels, 0 for other strings."""
    nodes: I32
    """(2 × BRANCHES,): the strings that the search follows."""
    bits: I64
    """(4,): the registers of the bit writer."""


def new_dictionary() -> Dictionary:
    """An empty dictionary."""
    return Dictionary(
        np.zeros(SLOTS, np.uint32),
        np.zeros(CODES, np.uint8),
        np.zeros(CODES + 1, np.int32),
        np.zeros(CODES, np.int32),
        np.zeros(2 * BRANCHES, np.int32),
        np.zeros(4, np.int64),
    )


def room_for(pixels: int) -> int:
    """The maximum number of bytes that the image data of `pixels` pixels can take."""
    return pixels * 12 // 8 * 256 // 255 + CODES


@inner
def _find(table: U32, node: int, symbol: int) -> int:
    """The code of the string `node` + `symbol`, or -1."""
    key = node << 8 | symbol
    slot = (key * 40503 >> 5) & (SLOTS - 1)
    while True:
        entry = int(table[slot])
        if entry == EMPTY:
            return -1
        if entry >> 12 == key:
            return entry & 0xFFF
        slot = (slot + 1) & (SLOTS - 1)


@inner
def _insert(table: U32, node: int, symbol: int, code: int) -> int:
    """Insert the string `node` + `symbol`; returns its slot, or -1 if it has a code already."""
    key = node << 8 | symbol
    slot = (key * 40503 >> 5) & (SLOTS - 1)
    while True:
        entry = int(table[slot])
        if entry == EMPTY:
            table[slot] = key << 12 | code
            return slot
        if entry >> 12 == key:
            return -1
        slot = (slot + 1) & (SLOTS - 1)


@inner
def _put(out: U8, bits: I64, code: int, width: int) -> None:
    """Append a code, lowest bit first, in sub-blocks of at most 255 bytes."""
    accumulator = int(bits[ACCUMULATOR]) | code << int(bits[BITS])
    held = int(bits[BITS]) + width
    position, block = int(bits[POSITION]), int(bits[BLOCK])
    while held >= 8:
        if position - block == 256:
            out[block] = 255
            block = position
            position += 1
        out[position] = accumulator & 0xFF
        position += 1
        accumulator >>= 8
        held -= 8
    bits[ACCUMULATOR], bits[BITS], bits[POSITION], bits[BLOCK] = accumulator, held, position, block


@inner
def _match(
    table: U32,
    symbols: U8,
    loose: U8,
    size: int,
    clear: int,
    at: int,
    run: int,
    run_codes: I32,
    longest_run: int,
    nodes: I32,
) -> tuple[int, int]:
    """The longest string of the dictionary that matches the pixels from `at` on: (length, code).

    `run` is how many pixels from `at` on are unchanged, and run_codes[n] the code of n transparent
    ones, for n up to `longest_run`.
    """
    count = 1
    if run > WALKED:
        if longest_run < run:
            return longest_run, int(run_codes[longest_run])
        length = run
        nodes[0] = run_codes[run]
    else:
        length = 1
        nodes[0] = symbols[at]
        if loose[at]:
            nodes[0] = 0
            if 0 < symbols[at] < clear:
                nodes[1] = symbols[at]
                count = 2
    now, then = 0, BRANCHES
    while at + length < size:
        symbol = int(symbols[at + length])
        found = 0
        for number in range(count):
            node = int(nodes[now + number])
            if loose[at + length]:
                code = _find(table, node, 0)
                if code >= 0 and found < BRANCHES:
                    nodes[then + found] = code
                    found += 1
            code = _find(table, node, symbol) if 0 < symbol < clear else -1
            if code >= 0 and found < BRANCHES:
                nodes[then + found] = code
                found += 1
        if found == 0:
            break
        length += 1
        now, then, count = then, now, found
    return length, int(nodes[now])


@loop
def encode(
    symbols: U8,
    loose: U8,
    size: int,
    starts: I32,
    ends: I32,
    least: int,
    dictionary: Dictionary,
    out: U8,
) -> int:
    """Write the image data of `size` pixels to `out`: the code size, sub-blocks, terminator.

    `symbols` (size,) are the pixels' colour numbers, from 1; `loose` (size,) is 1 where a pixel did
    not change and may be written as 0 (transparent) instead; starts[i]..ends[i] are the runs of
    loose pixels in order, terminated by an empty run after the last pixel. `least` (2..8) is the
    code size: the symbols of changed pixels are below 1 << least. `out` has room_for(size) bytes.
    Returns the number of bytes written.
    """
    clear = 1 << least
    table, first, bits = dictionary.table, dictionary.first, dictionary.bits
    run_codes, run_lengths = dictionary.run_codes, dictionary.run_lengths
    out[0] = least
    bits[ACCUMULATOR], bits[BITS], bits[BLOCK], bits[POSITION] = 0, 0, 1, 2
    for symbol in range(clear):
        first[symbol] = symbol
    at = cleared = checked = span = emitted = 0
    width, longest_run, previous = least + 1, 1, -1
    full = True  # so that the image begins with a clear code, as the specification asks
    while at < size:
        if full:
            _put(out, bits, clear, width)
            table[:] = EMPTY
            run_lengths[:] = 0
            run_lengths[0] = 1
            cleared = checked = at
            width, emitted, longest_run, previous, full = least + 1, 0, 1, -1, False
        while ends[span] <= at:
            span += 1
        run = int(ends[span]) - at if starts[span] <= at else 0
        # The last string and the first pixel of this one form a new string. If this string begins
        # like the last one, the decoder knows the new string early enough for it to be this very
        # code. Of the two values of an unchanged pixel, that one is inserted first, and replaced
        # below if the other value gives a longer string.
        entry = clear + 1 + emitted
        growing = previous >= 0 and entry < CODES
        begin, slot = -1, -1
        if growing:
            begin = int(first[previous]) if loose[at] else int(symbols[at])
            if begin == symbols[at] or (begin == 0 and loose[at]):
                slot = _insert(table, previous, begin, entry)
                first[entry] = first[previous]
                if slot >= 0 and begin == 0 and run_lengths[previous]:
                    longest_run += 1
                    run_codes[longest_run] = entry
                    run_lengths[entry] = longest_run
        length, code = _match(
            table, symbols, loose, size, clear, at, run, run_codes, longest_run, dictionary.nodes
        )
        if growing and first[code] != begin:
            if slot >= 0:
                table[slot] = EMPTY
                longest_run -= run_lengths[entry] > 0
                run_lengths[entry] = 0
            slot = _insert(table, previous, int(first[code]), entry)
            first[entry] = first[previous]
            if slot >= 0 and first[code] == 0 and run_lengths[previous]:
                longest_run += 1
                run_codes[longest_run] = entry
                run_lengths[entry] = longest_run
        _put(out, bits, code, width)
        if entry + 1 == 1 << width and width < 12:
            width += 1
        emitted += 1
        previous = code
        at += length
        if emitted % PATIENCE == 0:
            # A full dictionary is kept while it compresses as well as on average.
            full = entry >= CODES and (at - checked) * emitted < (at - cleared) * PATIENCE
            checked = at
    _put(out, bits, clear + 1, width)
    if bits[BITS]:
        _put(out, bits, 0, 8 - int(bits[BITS]))
    position, block = int(bits[POSITION]), int(bits[BLOCK])
    out[block] = position - block - 1
    if position - block > 1:
        out[position] = 0
        position += 1
    return position
