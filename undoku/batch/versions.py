"""The versions of everything on which the bytes of a film depend."""

from __future__ import annotations

from functools import cache

from undoku.errors import EncoderError

__all__ = ["versions"]


@cache
def versions() -> dict[str, str]:
    """Versions by name; ffmpeg's as it reports it. The version of the compiled loops is a digest of
    their sources, which may change between two versions of undoku."""
    from importlib.metadata import version  # takes a while to load

    from undoku.machine_code.source_digest import digest_of_compiled_sources

    names = ("undoku", "pillow", "numpy", "numba")
    return {name: version(name) for name in names} | {
        "ffmpeg": _of_ffmpeg(),
        "compiled loops": digest_of_compiled_sources()[:12],
    }


def _of_ffmpeg() -> str:
    from undoku.render.write.ffmpeg_binary import ffmpeg_version

    try:
        return ffmpeg_version()
    except EncoderError:
        return "none"  # films that need ffmpeg report the error
