"""HTML: a page that plays the searches; its text is made by `render.player`."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from render.metadata.page_metadata import about_in_page
from render.sinks.contract import FilmShape, Written
from render.sinks.staging import Staging, write_error
from solver.errors import OutputError

__all__ = ["PageSink"]


class PageSink:
    """Writes a page to a file under a temporary name; `finish` verifies it and gives it its name.
    Use it as a context manager, as a `render.sinks.contract.FrameSink`."""

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        self.staging = staging
        self.shape = shape
        self._content = b""
        self._frames = 0

    def write(self, page: str, frames: int) -> None:
        """Write the page of a film of so many frames. Raises OutputError when it can't be
        written."""
        self._content, self._frames = page.encode(), frames
        try:
            self.staging.temporary.write_bytes(self._content)
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None

    def verify(self, path: Path) -> None:
        """Read the file as another program would. Raises OutputError when it is damaged."""
        found = path.read_bytes()
        about = about_in_page(found.decode("utf-8", "replace"))
        if found != self._content or about != dict(self.shape.about):
            raise OutputError(f"{str(self.staging.final)!r} was damaged while it was written")

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
            bytes=len(self._content),
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
