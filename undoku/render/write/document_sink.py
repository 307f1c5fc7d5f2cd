"""The interface of document sinks: one picture as vector graphics, on one page."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from undoku.render.write.single_file_sink import SingleFileSink

if TYPE_CHECKING:
    from undoku.render.draw.easel import Drawing

__all__ = ["DocumentSink"]


class DocumentSink(SingleFileSink):
    """Writes a drawing to a file under a temporary name; `finish` verifies and renames it."""

    @abstractmethod
    def encoded(self, drawing: Drawing) -> bytes:
        """The whole file. The same drawing gives the same bytes: no date, no random identifier."""

    def write(self, drawing: Drawing) -> None:
        """Write the drawing. Raises OutputError when the file can't be written."""
        self._write_bytes(self.encoded(drawing))
