"""Where the ffmpeg executable is."""

from __future__ import annotations

from solver.errors import EncoderError

__all__ = ["executable"]


def executable() -> str:
    """The path of the ffmpeg that imageio-ffmpeg brings, or that IMAGEIO_FFMPEG_EXE names.

    Raises EncoderError when there is none.
    """
    import imageio_ffmpeg

    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        raise EncoderError(
            "no ffmpeg was found",
            remedy="install imageio-ffmpeg from a wheel, or name one in IMAGEIO_FFMPEG_EXE",
        ) from None
