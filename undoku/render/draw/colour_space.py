"""Arithmetic of sRGB colours: mixing, contrast, and perceptually even scales."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

Colour = tuple[int, int, int]
"""Red, green, blue, 0..255, sRGB."""


def hex_of(colour: Colour) -> str:
    """A colour as files have it, "#1b202b"."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def mix(background: Colour, ink: Colour, share: float) -> Colour:
    """`background` with `share` (0..1) of it covered by `ink`, as screens blend the edges of
    letters."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(background, ink, strict=True))
    return red, green, blue


def contrast(first: Colour, second: Colour) -> float:
    """The contrast ratio of two colours, 1..21 (WCAG 2.2, "contrast ratio")."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _encoded(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


# The OKLab space of Björn Ottosson (2020), which is perceptually uniform.
_TO_CONES = ((0.4122214708, 0.5363325363, 0.0514459929),
             (0.2119034982, 0.6806995451, 0.1073969566),
             (0.0883024619, 0.2817188376, 0.6299787005))  # fmt: skip


_TO_LAB = ((0.2104542553, 0.7936177850, -0.0040720468),
           (1.9779984951, -2.4285922050, 0.4505937099),
           (0.0259040371, 0.7827717662, -0.8086757660))  # fmt: skip


_FROM_LAB = ((1.0, 0.3963377774, 0.2158037573),
             (1.0, -0.1055613458, -0.0638541728),
             (1.0, -0.0894841775, -1.2914855480))  # fmt: skip


_FROM_CONES = ((4.0767416621, -3.3077115913, 0.2309699292),
               (-1.2684380046, 2.6097574011, -0.3413193965),
               (-0.0041960863, -0.7034186147, 1.7076147010))  # fmt: skip


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: Colour) -> list[float]:
    """A colour in OKLab, a perceptually uniform space: (lightness, green to red, blue to
    yellow)."""
    cones = _times(_TO_CONES, [_linear(part / 255) for part in colour])
    return _times(_TO_LAB, [cone ** (1 / 3) for cone in cones])


def _rgb(lab: Sequence[float]) -> Colour:
    linear = _times(_FROM_CONES, [cone**3 for cone in _times(_FROM_LAB, lab)])
    red, green, blue = (round(255 * _encoded(min(1.0, max(0.0, part)))) for part in linear)
    return red, green, blue


def interpolated(stops: Sequence[Colour], count: int) -> tuple[Colour, ...]:
    """`count` >= 2 colours from the first stop to the last, interpolated linearly in OKLab."""
    labs = [lab(stop) for stop in stops]
    colours = []
    for number in range(count):
        at = number * (len(stops) - 1) / (count - 1)
        left = min(int(at), len(stops) - 2)
        share = at - left
        colours.append(
            _rgb([a + (b - a) * share for a, b in zip(labs[left], labs[left + 1], strict=True)])
        )
    return tuple(colours)


@cache
def named_colours(names: tuple[str, ...]) -> tuple[Colour, ...]:
    """The colours with these names in CSS, such as "teal"; () unless all of them have one, and for
    more than seven, for which the style sheet of a page has no room."""
    from PIL import ImageColor

    if len(names) > 7 or any(name.lower() not in ImageColor.colormap for name in names):
        return ()
    return tuple((red, green, blue) for red, green, blue, *_ in map(ImageColor.getrgb, names))
