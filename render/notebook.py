"""A film that shows itself in a notebook."""

from __future__ import annotations

import tempfile
from base64 import b64encode
from functools import cached_property
from html import escape
from pathlib import Path

from render.embed import alt_text
from render.pipeline import Film, write_film, write_still

__all__ = ["Shown"]


class Shown:
    """What `render.compare` gives when it names no output: Jupyter displays it as a film, or as
    its last picture where films can't be shown. Nothing is made before it is displayed, and each
    once; all of it is in the notebook, no file stays behind."""

    def __init__(self, film: Film) -> None:
        self.film = film

    def __repr__(self) -> str:
        seconds = float(self.film.timeline.duration)
        return f"<film of {', '.join(self.film.names)}: {seconds:.1f} s>"

    def still(self, step: int) -> bytes:
        """The picture of the state after `step` steps, as PNG. Raises TraceError when no search
        has so many."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "still.png"
            write_still(self.film, step, [path])
            return path.read_bytes()

    @cached_property
    def _mp4(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "film.mp4"
            write_film(self.film, [path])
            return path.read_bytes()

    @cached_property
    def _png(self) -> bytes:
        return self.still(self.film.timeline.last)

    def _repr_html_(self) -> str:
        settings = self.film.settings
        alt = escape(alt_text(self.film.names, self.film.tallies))
        film, still = (b64encode(found).decode("ascii") for found in (self._mp4, self._png))
        return (
            f'<video controls muted playsinline width="{settings.width}" '
            f'height="{settings.height}" style="max-width: 100%; height: auto" '
            f'poster="data:image/png;base64,{still}" aria-label="{alt}">'
            f'<source type="video/mp4" src="data:video/mp4;base64,{film}">{alt}</video>'
        )

    def _repr_png_(self) -> bytes:
        return self._png
