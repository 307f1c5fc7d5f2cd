"""The colours of a film: its theme, and frames in few colours, between the canvas and the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Frame, Pixels, packed
from undoku.render.draw.colour_space import named_colours
from undoku.render.draw.theme import Theme, load_theme
from undoku.render.film.palette import Palette
from undoku.render.settings.settings import FilmSettings
from undoku.solver.problem.appearance import Appearance


def _nearest(rgb: NDArray[np.uint32], colours: NDArray[np.uint32]) -> NDArray[np.intp]:
    """(n,): the number of the nearest of `colours` (m,) for each of `rgb` (n,), by the distance
    2 r² + 4 g² + 3 b²; of equally near ones the first."""
    apart = _samples(rgb)[:, None] - _samples(colours)
    return np.asarray((apart**2 @ (2, 4, 3)).argmin(axis=1))


def _samples(rgb: NDArray[np.uint32]) -> NDArray[np.int64]:
    """(n, 3): the red, green and blue of colours 0xRRGGBB."""
    return np.stack([rgb >> 16, rgb >> 8 & 255, rgb & 255], axis=-1).astype(np.int64)


def posterised(frames: Iterable[Frame], palette: Palette) -> Iterator[Frame]:
    """The frames in the palette's colours, in a separate buffer. The sprite numbers of changes
    remain."""
    shown: Pixels | None = None
    # For each colour the number of the one that represents it, from 1; 0 while that is not known.
    numbers = np.zeros(1 << 24, np.uint8)
    numbers[palette.known] = 1 + np.searchsorted(palette.colours, palette.becomes)
    inks = np.concatenate([[[0, 0, 0]], _samples(palette.colours)]).astype(np.uint8)
    for frame in frames:
        if shown is None:
            shown = np.zeros_like(frame.pixels)
        for rect, _ in frame.changes:
            part = np.s_[rect.y : rect.bottom, rect.x : rect.right]
            colours = packed(frame.pixels[part])
            new = np.unique(colours[numbers[colours] == 0])
            numbers[new] = 1 + _nearest(new, palette.colours)
            shown[part] = inks[numbers[colours]].reshape(shown[part].shape)
        yield frame._replace(pixels=shown)


def film_theme(settings: FilmSettings, appearance: Appearance) -> Theme:
    """The theme of a film, with the background of its settings, and with the colours that the
    problem's values are called. Raises SettingsError or ReadError for a wrong theme."""
    theme = load_theme(settings.theme)
    if appearance.coloured and (own := named_colours(appearance.names)):
        theme = replace(theme, values=own)
    if not settings.background or settings.transparent:
        return theme
    red, green, blue = bytes.fromhex(settings.background.removeprefix("#"))
    return theme.on((red, green, blue))
