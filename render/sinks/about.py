"""What a file says about itself, as lines of text: for formats that hold one plain comment."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["read_about", "write_about"]


def write_about(about: Iterable[tuple[str, str]]) -> str:
    """One line `name: text` for each; line breaks and backslashes in the text are escaped."""
    lines = []
    for name, text in about:
        escaped = text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")
        lines.append(f"{name}: {escaped}\n")
    return "".join(lines)


def read_about(comment: str) -> tuple[tuple[str, str], ...]:
    """The texts by name that `write_about` wrote; lines of another form are left out."""
    found = []
    for line in comment.split("\n"):
        name, colon, escaped = line.partition(": ")
        if colon:
            pieces = (
                piece.replace("\\n", "\n").replace("\\r", "\r") for piece in escaped.split("\\\\")
            )
            found.append((name, "\\".join(pieces)))
    return tuple(found)
