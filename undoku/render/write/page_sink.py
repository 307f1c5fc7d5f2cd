"""HTML: a page with the interactive player; `undoku.player` makes its text."""

from __future__ import annotations

from pathlib import Path

from undoku.errors import OutputError
from undoku.render.write.page_metadata import about_in_page
from undoku.render.write.single_file_sink import SingleFileSink
from undoku.render.write.sink import FilmShape
from undoku.render.write.staging import Staging

__all__ = ["PageSink"]


class PageSink(SingleFileSink):
    """Writes a page to a file under a temporary name; `finish` verifies and renames it."""

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._content = b""

    def write(self, page: str, frames: int) -> None:
        """Write the page of a film of `frames` frames. Raises OutputError when it can't be
        written."""
        self._content = page.encode()
        self._write_bytes(self._content, frames)

    def verify(self, path: Path) -> None:
        found = path.read_bytes()
        about = about_in_page(found.decode("utf-8", "replace"))
        if found != self._content or about != dict(self.shape.about):
            raise OutputError(f"{str(self.staging.final)!r} was damaged while it was written")
