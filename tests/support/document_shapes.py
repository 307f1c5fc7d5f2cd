"""Reads SVG and PDF as undoku writes them, and fills their shapes, without any of its code."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

import numpy as np
from fontTools.misc.transform import Transform
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = r"-?\d*\.?\d+"
_DOTS = 100  # per inch

Contour = list[tuple[float, float]]


class Filled(NamedTuple):
    """Contours filled with one colour, in pixels of the page; or lines with round ends and joins,
    `width` pixels wide."""

    contours: list[Contour]
    colour: tuple[int, int, int]
    width: float = 0


class Page(NamedTuple):
    width: float
    height: float
    shapes: list[Filled]
    cells: list[tuple[float, float, str]]
    """(x, y, words) of each cell that says what it is (SVG only)."""


def curve(*points: tuple[float, float]) -> Contour:
    """Points on a Bézier curve of degree 2 or 3, after the first."""
    codes = [Path.MOVETO, *[Path.CURVE3 if len(points) == 3 else Path.CURVE4] * (len(points) - 1)]
    (line,) = Path(points, codes).to_polygons(closed_only=False)
    return [(x, y) for x, y in np.asarray(line).tolist()[1:]]


def _path(commands: str) -> list[Contour]:
    pen, contours = RecordingPen(), []
    parse_path(commands, pen)
    for operator, ends in pen.value:
        if operator == "moveTo":
            contours.append(list(ends))
        elif operator == "lineTo":
            contours[-1] += ends
        elif ends:
            contours[-1] += curve(contours[-1][-1], *ends)
        elif operator == "closePath" and len(contours[-1]) > 1:
            contours[-1].pop()  # the way back to the first point
    return contours


def _transform(text: str | None) -> Transform:
    matrix = Transform()
    for name, inner in re.findall(r"(\w+)\(([^)]*)\)", text or ""):
        x, y = (float(n) for n in re.findall(_NUMBER, inner))
        matrix = matrix.translate(x, y) if name == "translate" else matrix.scale(x, y)
    return matrix


def read_svg(content: bytes) -> Page:
    root = ET.fromstring(content)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    names = {element.get("id"): element for element in root.iter() if element.get("id")}
    shapes: list[Filled] = []
    cells: list[tuple[float, float, str]] = []

    def walk(element: ET.Element, matrix: Transform, ink: str) -> None:
        ink = element.get("fill", ink)
        matrix = matrix.transform(_transform(element.get("transform")))
        if element.tag == f"{_SVG}path":
            lines = element.get("stroke")
            assert not lines or element.get("stroke-linecap") == "round"
            colour = int((lines or ink)[1:], 16)
            width = float(element.get("stroke-width", 0))
            contours = [matrix.transformPoints(line) for line in _path(element.attrib["d"])]
            shapes.append(Filled(contours, (colour >> 16, colour >> 8 & 255, colour & 255), width))
        elif element.tag == f"{_SVG}use":
            x, y = float(element.get("x", 0)), float(element.get("y", 0))
            target = names[element.attrib[_LINK][1:]]
            title = target.find(f"{_SVG}title")
            if title is not None:
                cells.append((x, y, title.text or ""))
            walk(target, matrix.translate(x, y), ink)
        elif element.tag != f"{_SVG}defs":
            for child in element:
                walk(child, matrix, ink)

    walk(root, Transform(), "#000000")
    return Page(float(root.attrib["width"]), float(root.attrib["height"]), shapes, cells)


def read_pdf(content: bytes) -> Page:
    """The page of a PDF, which has no forms. Points go upwards, pixels downwards."""
    box = re.search(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", content)
    start = re.search(rb"/Filter /FlateDecode >>\nstream\n", content)
    assert box and start
    width, height = float(box[1]) / 0.75, float(box[2]) / 0.75
    shapes: list[Filled] = []
    to_pixels = Transform(1 / 0.75, 0, 0, -1 / 0.75, 0, height)
    fill = line = (0, 0, 0)
    states: list[tuple[tuple[int, int, int], tuple[int, int, int], float]] = []
    numbers: list[float] = []
    contours: list[Contour] = []
    thickness = 0.0
    for word in zlib.decompressobj().decompress(content[start.end() :]).decode().split():
        if re.fullmatch(_NUMBER, word):
            numbers.append(float(word))
            continue
        red, green, blue, *_ = [*(round(255 * part) for part in 3 * numbers), 0, 0, 0]
        colour = red, green, blue
        if word == "q":
            states.append((fill, line, thickness))
        elif word == "Q":
            fill, line, thickness = states.pop()
        elif word in ("rg", "g"):
            fill = colour
        elif word in ("RG", "G"):
            line = colour
        elif word == "m":
            contours.append([(numbers[0], numbers[1])])
        elif word == "l":
            contours[-1].append((numbers[0], numbers[1]))
        elif word == "c":
            contours[-1] += curve(contours[-1][-1], *zip(numbers[::2], numbers[1::2], strict=True))
        elif word == "w":
            thickness = numbers[0]
        elif word in ("f", "S"):
            there = [to_pixels.transformPoints(contour) for contour in contours]
            width_of_line = thickness / 0.75 if word == "S" else 0
            shapes.append(Filled(there, line if word == "S" else fill, width_of_line))
            contours = []
        elif word in ("J", "j"):
            assert numbers == [1]
        numbers = []
    assert not states
    return Page(width, height, shapes, [])


def points(page: Page) -> Iterator[tuple[float, float]]:
    for shape in page.shapes:
        for contour in shape.contours:
            yield from contour


def filled(page: Page) -> NDArray[np.uint8]:
    """The page's pixels (height, width, 3), smoothed, as matplotlib fills and draws them."""
    figure = Figure((page.width / _DOTS, page.height / _DOTS), dpi=_DOTS, facecolor="black")
    to_pixels = Affine2D().scale(1, -1).translate(0, round(page.height))
    for shape in page.shapes:
        colour = np.array(shape.colour) / 255
        # A contour is closed; a line of one point needs a second one.
        lines = [Path([*line, line[-1 if shape.width else 0]]) for line in shape.contours]
        figure.add_artist(
            PathPatch(
                Path.make_compound_path(*lines), transform=to_pixels, snap=False,
                facecolor="none" if shape.width else colour, edgecolor=colour,
                linewidth=shape.width * 72 / _DOTS, capstyle="round", joinstyle="round",
            )
        )  # fmt: skip
    with BytesIO() as file:
        figure.savefig(file, format="rgba")
        pixels = np.frombuffer(file.getvalue(), np.uint8)
    return pixels.reshape(round(page.height), round(page.width), 4)[..., :3]
