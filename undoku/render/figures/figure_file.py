"""Figures as files: PNG, SVG and PDF. What is drawn alone decides their bytes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from undoku.errors import SettingsError
from undoku.render.draw.colour_space import hex_of
from undoku.render.draw.theme import Theme
from undoku.render.figures.figure_page import WIDE, ItemsOf, fill_page, natural_height
from undoku.render.write.staging import Staging, write_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from undoku.render.figures.matplotlib_parts import ShownFigure

FIGURES = (".png", ".svg", ".pdf")
"""The suffixes of the formats that a figure can have."""

_INCHES = 10.0
"""Across a figure whose size is not given; it is as high as its items need."""

DOTS_PER_INCH = 144
"""Pixels of a PNG for each inch of a figure."""


def check_figure(path: Path) -> str:
    """The suffix of a figure's file, one of FIGURES. Raises SettingsError for another."""
    suffix = path.suffix.lower()
    if suffix not in FIGURES:
        raise SettingsError(
            f"{str(path)!r} is not a figure",
            remedy=f"give a name that ends in {', '.join(FIGURES)}",
        )
    return suffix


def figure_of(
    items_of: ItemsOf, theme: Theme, size: tuple[float, float] | None = None
) -> ShownFigure:
    """The figure with these items; `size` is in inches, by default 10 across and as high as they
    need for letters that can be read on a phone."""
    from undoku.render.figures.matplotlib_parts import ShownFigure  # takes a third of a second

    if size is None:
        header, items = items_of(WIDE - 2)
        size = (_INCHES, _INCHES * natural_height(items, header) / WIDE)
    made = ShownFigure(figsize=size, dpi=DOTS_PER_INCH, facecolor=hex_of(theme.background))
    fill_page(made, theme, items_of)
    return made


def save_figure(figure: Figure, path: Path, suffix: str) -> None:
    """Write a figure to `path` in the format of `suffix`, one of FIGURES. Raises OSError."""
    import matplotlib as mpl

    # No date, no random names: the same figure gives the same bytes.
    metadata: dict[str, dict[str, Any]] = {
        ".png": {"Software": None},
        ".svg": {"Date": None},
        ".pdf": {"CreationDate": None},
    }
    with mpl.rc_context({"svg.hashsalt": "undoku"}):
        figure.savefig(path, format=suffix[1:], dpi=DOTS_PER_INCH, metadata=metadata[suffix])


def write_figure(figure: Figure, path: Path, *, overwrite: bool = False) -> None:
    """Write a figure as PNG, SVG or PDF. Raises SettingsError for another suffix, OutputError when
    it can't be written."""
    suffix = check_figure(path)
    staging = Staging(path, overwrite=overwrite)
    try:
        save_figure(figure, staging.temporary, suffix)
        staging.commit()
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        staging.discard()
