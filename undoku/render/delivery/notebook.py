"""Films and pictures that a notebook displays."""

from __future__ import annotations

from base64 import b64encode
from functools import cached_property
from html import escape

from undoku.errors import SettingsError
from undoku.player.html_page import film_page
from undoku.render.delivery.embed import alt_text
from undoku.render.delivery.write import write_film, write_still
from undoku.render.film.film import Film
from undoku.temporary_files import temporary_folder

MAX_BYTES = 16 << 20
"""The maximum size in bytes of a film in a notebook, which is opened and stored as a whole."""


_MIN_WIDE, _MIN_HIGH = 960, 560
"""Pixels of the player, for any size of the film."""

_CONTROLS = 140
"""Pixels that the player needs below the contents of the film."""


class Png(bytes):
    """The bytes of a PNG file; a notebook displays the picture."""

    def __repr__(self) -> str:
        return f"<PNG of {len(self):,} bytes>"

    def _repr_png_(self) -> bytes:
        return bytes(self)


class NotebookFilm:
    """The result of `undoku.film` without outputs: Jupyter displays it as the player, as a film
    if the searches are too long for a page, or as its last picture if neither can be shown. Each is
    made once, when it is displayed, and stored in the notebook without further files."""

    def __init__(self, film: Film) -> None:
        self.film = film

    def __repr__(self) -> str:
        seconds = float(self.film.duration)
        return f"<film of {', '.join(self.film.labels)}: {seconds:.1f} s>"

    def still(self, step: int | None = None) -> Png:
        """The picture of the state after `step` steps, by default after the last. Raises TraceError
        if no search has that many."""
        with temporary_folder() as folder:
            path = folder / "still.png"
            write_still(self.film, self.film.timeline.last if step is None else step, [path])
            return Png(path.read_bytes())

    @cached_property
    def _mp4(self) -> bytes:
        with temporary_folder() as folder:
            path = folder / "film.mp4"
            write_film(self.film, [path])
            return path.read_bytes()

    @cached_property
    def _page(self) -> str:
        """The player's page; "" if the searches are too long for one."""
        try:
            return film_page(self.film)
        except SettingsError:
            return ""

    @cached_property
    def _png(self) -> Png:
        return self.still()

    def _repr_html_(self) -> str:
        """The player in a sandboxed frame; otherwise the film, or, if it is too large for a
        notebook, its last picture and a sentence."""
        settings = self.film.settings
        alt = escape(alt_text(self.film.labels, self.film.tallies))
        if self._page:
            return (
                f'<iframe sandbox="allow-scripts" title="{alt}" width="100%" '
                f'height="{max(_MIN_HIGH, settings.height + _CONTROLS)}" '
                f'style="border: 0; max-width: {max(_MIN_WIDE, settings.width)}px" '
                f'srcdoc="{escape(self._page)}"></iframe>'
            )
        film, still = (b64encode(found).decode("ascii") for found in (self._mp4, self._png))
        shape = (
            f'width="{settings.width}" height="{settings.height}" '
            'style="max-width: 100%; height: auto"'
        )
        if len(self._mp4) > MAX_BYTES:
            return (
                f'<img {shape} alt="{alt}" src="data:image/png;base64,{still}">'
                f"<p>The film has {len(self._mp4):,} bytes, too many for a notebook: name a file "
                "for it, as in <code>film(puzzle, 'mrv', 'film.mp4')</code>, or give a "
                "<code>duration</code>.</p>"
            )
        return (
            f"<video controls muted playsinline {shape} "
            f'poster="data:image/png;base64,{still}" aria-label="{alt}">'
            f'<source type="video/mp4" src="data:video/mp4;base64,{film}">{alt}</video>'
        )

    def _repr_png_(self) -> bytes:
        return bytes(self._png)
