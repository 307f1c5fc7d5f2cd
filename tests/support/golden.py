"""Compares pictures with golden ones, within a tolerance.

Regenerate with `make golden`; look at what changed before committing it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from undoku.render.draw.canvas import Pixels

FOLDER = Path(__file__).parent.parent / "golden"

# Another version of Pillow's letter drawing may shade edges otherwise: single pixels may be off by
# a shade or two, but nothing may move or change its colour.
_TOLERANCE = 48
_SHARE = 0.002


@dataclass(frozen=True)
class Golden:
    """Compares pictures with golden ones in `folder`, or writes these anew."""

    regenerate: bool = False
    folder: Path = FOLDER

    def __call__(self, pixels: Pixels, name: str) -> None:
        """Compare with FOLDER/NAME.png; on failure expected, actual and difference are written side
        by side to FOLDER/failed/NAME.png."""
        path = self.folder / f"{name}.png"
        if self.regenerate:
            Image.fromarray(pixels).quantize(256, dither=Image.Dither.NONE).save(
                path, optimize=True
            )
            return
        assert path.exists(), f"there is no {path.name}: make golden writes it"
        with Image.open(path) as picture:
            expected = np.asarray(picture.convert("RGB"))
        assert expected.shape == pixels.shape, f"{name}: {pixels.shape} instead of {expected.shape}"
        channels = np.maximum(expected, pixels) - np.minimum(expected, pixels)
        difference = np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2])
        share = float((difference > _TOLERANCE).mean())
        if share > _SHARE:
            failed = self.folder / "failed"
            failed.mkdir(exist_ok=True)
            shown = np.repeat((np.minimum(difference, 63) * 4)[..., None], 3, 2)
            Image.fromarray(np.hstack([expected, pixels, shown])).save(failed / f"{name}.png")
            raise AssertionError(
                f"{name}: {share:.2%} of the pixels differ; look at tests/golden/failed/{name}.png "
                "(expected, actual, difference)"
            )
