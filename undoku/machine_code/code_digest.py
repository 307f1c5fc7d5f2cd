"""The digest of the code in a source file, which comments and docstrings do not change.

The code is parsed, and its syntax tree is digested without positions and without expressions that
are only a string. Fields that are empty are left out, because versions of Python differ in which of
them they have: the same file has the same digest in all of them, so that all of them find the
machine code in a wheel. Parsing all sources takes 0.6 s. The digest of a file's code is therefore
remembered by the digest of its bytes: in a wheel, and in the user's cache.
"""

from __future__ import annotations

import ast
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TypeGuard

from undoku.machine_code.object_files import cache_folder, carried_folder, write_whole

__all__ = ["REMEMBERED", "code_digest", "remember_digests"]

REMEMBERED = "code-digests-1"
"""The name of the file of remembered digests. Its number changes with the rules for digests."""

_MAX_DIGESTS = 4096
"""How many digests a file remembers; those that were added first are forgotten first."""


def code_digest(content: bytes) -> str:
    """The digest of the code in a source file of these bytes: 32 hexadecimal digits. Files with the
    same code have the same digest, also in different versions of Python. A file that can't be
    parsed has the digest of its bytes."""
    key = _short_digest(content)
    known = _known(cache_folder())
    if key not in known:
        known[key] = _NEW[key] = _digest_of_tree(content) or key
    return known[key]


_NEW: dict[str, str] = {}
"""The digests that were found by parsing and are not remembered yet."""


def remember_digests() -> None:
    """Add the digests of files that were parsed to the file in the cache, if there is one."""
    folder = cache_folder()
    if not _NEW or folder is None:
        return
    path = folder / REMEMBERED
    all_of_them = [*(_read(path) | _NEW).items()][-_MAX_DIGESTS:]
    body = "".join(f"{key} {digest}\n" for key, digest in all_of_them).encode()
    write_whole(path, _short_digest(body).encode() + b"\n" + body)
    _NEW.clear()


@cache
def _known(folder: Path | None) -> dict[str, str]:
    """The digest of the code by that of the bytes, of files that were parsed before."""
    carried = carried_folder("undoku")
    known = _read(carried / REMEMBERED) if carried else {}
    return known | _read(folder / REMEMBERED) if folder else known


def _read(path: Path) -> dict[str, str]:
    """A file of remembered digests; nothing if it is missing or damaged."""
    try:
        digest, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return {}
    if digest != _short_digest(body).encode():
        return {}
    words = body.decode("ascii").split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _short_digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:32]


def _digest_of_tree(content: bytes) -> str:
    """The digest of the syntax tree; empty if there is none."""
    parts: list[str] = []
    try:
        _collect(ast.parse(content), parts)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return _short_digest("\n".join(parts).encode("utf-8", "surrogatepass"))


def _collect(value: object, parts: list[str]) -> None:
    """Append the names and constants of a part of a syntax tree to `parts`."""
    if isinstance(value, ast.JoinedStr):  # Python 3.12 adds empty texts
        value.values = [part for part in value.values if not _is_text(part) or part.value]
    if isinstance(value, ast.AST):
        parts.append(type(value).__name__)
        for field in value._fields:
            member = getattr(value, field, None)
            if member is not None and member != []:
                parts.append(field)
                _collect(member, parts)
        parts.append("end")
    elif isinstance(value, list):
        parts.append("[")
        for member in value:
            if not _is_docstring(member):
                _collect(member, parts)
        parts.append("]")
    else:
        parts.append(repr(value))


def _is_docstring(part: object) -> bool:
    """Whether a statement is only a string, which has no effect."""
    return isinstance(part, ast.Expr) and _is_text(part.value)


def _is_text(part: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(part, ast.Constant) and isinstance(part.value, str)
