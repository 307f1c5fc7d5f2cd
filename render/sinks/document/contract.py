"""What every writer of a document promises: a picture as geometry, on one page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Self

from render.drawing.easel import Drawing
from render.sinks.contract import FilmShape, Written
from render.sinks.staging import Staging, write_error

__all__ = ["DocumentSink"]


class DocumentSink(ABC):
    """Writes a drawing to a file under a temporary name; `finish` verifies it and gives it its
    name. Use it as a context manager, as a `render.sinks.contract.FrameSink`."""

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        self.staging = staging
        self.shape = shape
        self._bytes = 0

    @abstractmethod
    def encoded(self, drawing: Drawing) -> bytes:
        """The whole file. The same drawing gives the same bytes: no date, no random name."""

    @abstractmethod
    def verify(self, path: Path) -> None:
        """Read the file as another program would. Raises OutputError when it is damaged."""

    def write(self, drawing: Drawing) -> None:
        """Write the page. Raises OutputError when it can't be written."""
        content = self.encoded(drawing)
        try:
            self.staging.temporary.write_bytes(content)
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        self._bytes = len(content)

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
            frames=1,
            duration=1 / self.shape.fps,
            bytes=self._bytes,
            width=self.shape.width,
            height=self.shape.height,
            fps=self.shape.fps,
        )

    def abort(self) -> None:
        """Remove what was written. Safe to call at any time; after `finish` it does nothing."""
        self.staging.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.abort()
