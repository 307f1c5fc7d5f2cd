"""The colours of the curves of the chart that all searches share."""

from __future__ import annotations

from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.theme import SEARCHES, Theme
from undoku.render.panels.race_chart_painting import SHADES_OF_LINE

__all__ = ["colours_of_curves"]

_AREA = 0.16
"""The share of a search's colour in the area below its curve."""


def colours_of_curves(theme: Theme) -> tuple[tuple[Colour, ...], ...]:
    """For each search the colour of its area, and the shades of its line from its edge to its
    centre."""
    return tuple(
        (
            mix(theme.cell, colour, _AREA),
            *(mix(theme.cell, colour, level / SHADES_OF_LINE)
              for level in range(1, SHADES_OF_LINE)),
            colour,
        )
        for colour in map(theme.search_colour, range(SEARCHES))
    )  # fmt: skip
