"""Input and output of bytes in blocks, with gzip if required."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from undoku.errors import Place, TraceError
from undoku.solver.problem.puzzle_text import MAX_BLANK, bounded, refuse

__all__ = ["BLOCK", "GZIP_MAGIC", "blocks", "zipped"]

BLOCK = 1 << 20
"""Bytes read at once. Their events fit one chunk, since no line is shorter than eleven bytes."""

GZIP_MAGIC = b"\x1f\x8b"

_GZIP = 31  # window bits: the largest window, in gzip's wrapping
_LEVEL = 6


def blocks(stream: IO[bytes], source: str) -> Iterator[bytes]:
    """The content of `stream` in blocks of at most BLOCK bytes, unzipped when it begins like gzip.

    A block contains what has arrived, so that a program that is still writing can be followed. A
    truncated gzip file is read up to its end. Raises TraceError if it is damaged, or if there are
    more than 1 MiB of consecutive blank lines, and the errors of reading the stream.
    """
    return bounded(_blocks(stream, source), source, TraceError)


def _blocks(stream: IO[bytes], source: str) -> Iterator[bytes]:
    arrived = getattr(stream, "read1", stream.read)
    first = arrived(BLOCK)
    while len(first) < len(GZIP_MAGIC) and (more := arrived(BLOCK)):
        first += more
    if first.startswith(GZIP_MAGIC):
        yield from _unzipped(first, arrived, source)
        return
    while first:
        yield first
        first = arrived(BLOCK)


def _unzipped(first: bytes, arrived: Callable[[int], bytes], source: str) -> Iterator[bytes]:
    unzip = zlib.decompressobj(_GZIP)
    zipped_part = first
    while zipped_part:
        try:
            block = unzip.decompress(zipped_part, BLOCK)
        except zlib.error as error:
            raise TraceError(
                f"the gzip file is damaged ({error})",
                place=Place(source),
                remedy="write or download it again",
            ) from None
        if block:
            yield block
        zipped_part = unzip.unconsumed_tail
        if unzip.eof:  # another member may follow, or zeros that fill a tape's block
            zipped_part, zeros = unzip.unused_data or arrived(BLOCK), 0
            while zipped_part and not zipped_part.strip(b"\0"):
                zeros += len(zipped_part)
                if zeros > MAX_BLANK:
                    raise refuse(source, TraceError, "zero bytes")
                zipped_part = arrived(BLOCK)
            zipped_part = zipped_part.lstrip(b"\0")
            unzip = zlib.decompressobj(_GZIP)
        elif not zipped_part:
            zipped_part = arrived(BLOCK)
    if rest := unzip.flush():
        yield rest


def zipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The content compressed with gzip, without name or time, so that equal content gives equal
    files."""
    zipper = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    for piece in pieces:
        if part := zipper.compress(piece):
            yield part
    yield zipper.flush()
