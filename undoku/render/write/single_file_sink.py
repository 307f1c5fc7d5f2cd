"""The base of the sinks that write a file with one call: written, verified and renamed."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path

from undoku.render.write.sink import FilmShape, Sink, Written
from undoku.render.write.staging import Staging, write_error

__all__ = ["SingleFileSink"]


class SingleFileSink(Sink):
    """Writes all bytes of its file at once."""

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._bytes = 0
        self._frames = 1

    @abstractmethod
    def verify(self, path: Path) -> None:
        """Read the file back. Raises OutputError when it is damaged."""

    def _write_bytes(self, content: bytes, frames: int = 1) -> None:
        """Write the whole file, of `frames` frames. Raises OutputError, having aborted."""
        try:
            self.staging.temporary.write_bytes(content)
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        self._bytes, self._frames = len(content), frames

    def finish(self) -> Written:
        """Verify and rename. Raises OutputError, having aborted."""
        try:
            self.verify(self.staging.temporary)
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        except BaseException:
            self.abort()
            raise
        self.staging.commit()
        return Written(
            path=self.staging.final,
            frames=self._frames,
            duration=self._frames / self.shape.fps,
            bytes=self._bytes,
            width=self.shape.width,
            height=self.shape.height,
            fps=self.shape.fps,
        )

    def abort(self) -> None:
        """Remove what was written."""
        self.staging.discard()
