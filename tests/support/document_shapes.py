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


def pdf_objects(content: bytes) -> dict[int, bytes]:
    """The objects that the cross-reference table points to."""
    match = re.search(rb"startxref\n(\d+)\n%%EOF\n$", content)
    assert match and content[int(match[1]) :].startswith(b"xref\n0 ")
    places = re.findall(rb"(\d{10}) 00000 n ", content[int(match[1]) :])
    found = {}
    for number, place in enumerate(places, 1):
        start = b"%d 0 obj\n" % number
        assert content.startswith(start, int(place))
        rest = content[int(place) + len(start) :]
        length = re.match(rb"<<.*?/Length (\d+) >>\nstream\n", rest, re.DOTALL)
        end = length.end() + int(length[1]) if length else 0
        found[number] = rest[: rest.index(b"\nendobj\n", end)]
    return found


def _stream(entry: bytes) -> str:
    content = entry[entry.index(b"stream\n") + 7 : -len(b"\nendstream")]
    return zlib.decompress(content).decode()


def read_pdf(content: bytes) -> Page:
    objects = pdf_objects(content)
    page = next(entry for entry in objects.values() if b"/Type /Page " in entry)
    box = re.search(rb"/MediaBox \[0 0 (\S+) (\S+)\]", page)
    start = re.search(rb"/Contents (\d+) 0 R", page)
    assert box and start
    width, height = float(box[1]) / 0.75, float(box[2]) / 0.75
    shapes: list[Filled] = []

    def run(entry: bytes, matrix: Transform, colour: tuple[int, int, int]) -> None:
        stack: list[tuple[Transform, tuple[int, int, int]]] = []
        operands: list[str] = []
        contours: list[Contour] = []
        width = 0.0
        for word in _stream(entry).split():
            if re.fullmatch(_NUMBER, word) or word.startswith("/"):
                operands.append(word)
                continue
            numbers = [float(n) for n in operands if not n.startswith("/")]
            if word == "q":
                stack.append((matrix, colour))
            elif word == "Q":
                matrix, colour = stack.pop()
            elif word == "cm":
                matrix = matrix.transform(numbers)
            elif word in ("rg", "RG"):
                red, green, blue = (round(part * 255) for part in numbers)
                colour = red, green, blue
            elif word == "m":
                contours.append([(numbers[0], numbers[1])])
            elif word == "l":
                contours[-1].append((numbers[0], numbers[1]))
            elif word == "c":
                pairs = zip(numbers[::2], numbers[1::2], strict=True)
                contours[-1] += curve(contours[-1][-1], *pairs)
            elif word == "re":
                x, y, wide, high = numbers
                contours.append([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)])
            elif word == "w":
                width = numbers[0]
            elif word in ("J", "j"):
                assert numbers == [1]
            elif word in ("f", "S"):
                there = [matrix.transformPoints(contour) for contour in contours]
                shapes.append(Filled(there, colour, width * abs(matrix[0]) if word == "S" else 0))
                contours = []
            elif word == "Do":
                assert f"{operands[0]} {operands[0][2:]} 0 R".encode() in entry + page
                run(objects[int(operands[0][2:])], matrix, colour)
            else:
                assert word == "h", word
            operands = []
        assert not stack

    # From points upwards to pixels downwards.
    run(objects[int(start[1])], Transform(1 / 0.75, 0, 0, -1 / 0.75, 0, height), (0, 0, 0))
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
