"""Reads SVG and PDF as undoku writes them, and fills their shapes, without any of its code."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = r"-?\d*\.?\d+"

Matrix = tuple[float, float, float, float, float, float]
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


def joined(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j,
            a * k + c * m + e, b * k + d * m + f)  # fmt: skip


def moved(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def curve(*points: tuple[float, float]) -> Contour:
    """Points on a Bézier curve of any degree, after the first."""
    found = []
    for number in range(1, 9):
        share, left = number / 8, list(points)
        while len(left) > 1:
            left = [
                (p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share)
                for p, q in pairwise(left)
            ]
        found.append(left[0])
    return found


def _path(commands: str) -> list[Contour]:
    contours: list[Contour] = []
    x = y = 0.0
    for letter, text in re.findall(r"([MLQlhvz])([^MLQlhvz]*)", commands):
        numbers = [float(n) for n in re.findall(_NUMBER, text)]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
        if letter == "M":
            contours.append(list(pairs))
        elif letter == "L":
            contours[-1] += pairs
        elif letter == "Q":
            contours[-1] += curve((x, y), *pairs)
        elif letter == "l":
            contours[-1].append((x + numbers[0], y + numbers[1]))
        elif letter == "h":
            contours[-1].append((x + numbers[0], y))
        elif letter == "v":
            contours[-1].append((x, y + numbers[0]))
        if contours:
            x, y = contours[-1][-1]
    return contours


def _transform(text: str | None) -> Matrix:
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    for name, inner in re.findall(r"(\w+)\(([^)]*)\)", text or ""):
        x, y = (float(n) for n in re.findall(_NUMBER, inner))
        step: Matrix = (1, 0, 0, 1, x, y) if name == "translate" else (x, 0, 0, y, 0, 0)
        matrix = joined(matrix, step)
    return matrix


def read_svg(content: bytes) -> Page:
    root = ET.fromstring(content)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    names = {element.get("id"): element for element in root.iter() if element.get("id")}
    shapes: list[Filled] = []
    cells: list[tuple[float, float, str]] = []

    def walk(element: ET.Element, matrix: Matrix, ink: str) -> None:
        ink = element.get("fill", ink)
        matrix = joined(matrix, _transform(element.get("transform")))
        if element.tag == f"{_SVG}path":
            lines = element.get("stroke")
            assert not lines or element.get("stroke-linecap") == "round"
            colour = int((lines or ink)[1:], 16)
            width = float(element.get("stroke-width", 0))
            contours = [
                [moved(matrix, *point) for point in contour]
                for contour in _path(element.attrib["d"])
            ]
            shapes.append(Filled(contours, (colour >> 16, colour >> 8 & 255, colour & 255), width))
        elif element.tag == f"{_SVG}use":
            x, y = float(element.get("x", 0)), float(element.get("y", 0))
            target = names[element.attrib[_LINK][1:]]
            title = target.find(f"{_SVG}title")
            if title is not None:
                cells.append((x, y, title.text or ""))
            walk(target, joined(matrix, (1, 0, 0, 1, x, y)), ink)
        elif element.tag != f"{_SVG}defs":
            for child in element:
                walk(child, matrix, ink)

    walk(root, (1, 0, 0, 1, 0, 0), "#000000")
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

    def run(entry: bytes, matrix: Matrix, colour: tuple[int, int, int]) -> None:
        stack: list[tuple[Matrix, tuple[int, int, int]]] = []
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
                a, b, c, d, e, f = numbers
                matrix = joined(matrix, (a, b, c, d, e, f))
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
                there = [[moved(matrix, *point) for point in contour] for contour in contours]
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
    run(objects[int(start[1])], (1 / 0.75, 0, 0, -1 / 0.75, 0, height), (0, 0, 0))
    return Page(width, height, shapes, [])


def rule(pen: ImageDraw.ImageDraw, line: Contour, width: float) -> None:
    """Draw a line with round ends and joins."""
    pen.line(line, fill=1, width=round(width))
    for x, y in line:
        pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=1)


def points(page: Page) -> Iterator[tuple[float, float]]:
    for shape in page.shapes:
        for contour in shape.contours:
            yield from contour


def filled(page: Page, *, finer: int = 4) -> NDArray[np.uint8]:
    """The page's pixels (height, width, 3), smoothed; letters' holes by the even-odd rule."""
    size = round(page.width), round(page.height)
    picture = Image.new("RGB", size)
    for shape in page.shapes:
        xs, ys = ([point[axis] for contour in shape.contours for point in contour]
                  for axis in (0, 1))  # fmt: skip
        spare = int(shape.width) + 1
        left, top = int(min(xs)) - spare, int(min(ys)) - spare
        wide, high = int(max(xs)) + spare + 1 - left, int(max(ys)) + spare + 1 - top
        mask = Image.new("1", (wide * finer, high * finer))
        for contour in shape.contours:
            corners = [((x - left) * finer, (y - top) * finer) for x, y in contour]
            if shape.width:
                rule(ImageDraw.Draw(mask), corners, shape.width * finer)
                continue
            if len(corners) < 2:
                continue  # a point of an outline, which has no area
            one = Image.new("1", mask.size)
            (x0, y0), (x1, y1) = min(corners), max(corners)
            if len(corners) == 4 and {x for x, _ in corners} == {x0, x1}:
                # Pillow fills the pixels on the lower and right edge too.
                ImageDraw.Draw(one).rectangle((x0, y0, x1 - 1, y1 - 1), fill=1)
            else:
                ImageDraw.Draw(one).polygon(corners, fill=1)
            mask = ImageChops.logical_xor(mask, one)
        smooth = mask.convert("L").resize((wide, high), Image.Resampling.BOX)
        picture.paste(shape.colour, (left, top), smooth)
    return np.asarray(picture)
