"""What every writer of a document promises: a picture as geometry, on one page."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from render.sinks.single_file_sink import SingleFileSink

if TYPE_CHECKING:
    from render.drawing.easel import Drawing

__all__ = ["DocumentSink"]


class DocumentSink(SingleFileSink):
    """Writes a drawing to a file under a temporary name; `finish` verifies it and gives it its
    name."""

    @abstractmethod
    def encoded(self, drawing: Drawing) -> bytes:
        """The whole file. The same drawing gives the same bytes: no date, no random name."""

    def write(self, drawing: Drawing) -> None:
        """Write the page. Raises OutputError when it can't be written."""
        self._write_bytes(self.encoded(drawing))
