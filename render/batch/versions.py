"""The versions of all that a film's bytes depend on."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from pathlib import Path

__all__ = ["versions"]


@cache
def versions() -> dict[str, str]:
    """Versions by name. ffmpeg's is in the name of its executable; that of the compiled loops is a
    digest of their sources, which change between two versions of undoku, too."""
    from render.ffmpeg_binary import executable
    from solver.source_digest import digest_of_compiled_sources

    names = ("undoku", "pillow", "numpy", "numba")
    return {name: version(name) for name in names} | {
        "ffmpeg": Path(executable()).name,
        "compiled loops": digest_of_compiled_sources()[:12],
    }
