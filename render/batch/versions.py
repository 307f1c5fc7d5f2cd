"""The versions of all that has a hand in a film's bytes."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from pathlib import Path

__all__ = ["versions"]


@cache
def versions() -> dict[str, str]:
    """Versions by name. ffmpeg's is in the name of its executable."""
    from render.ffmpeg_binary import executable

    names = ("undoku", "pillow", "numpy", "numba")
    return {name: version(name) for name in names} | {"ffmpeg": Path(executable()).name}
