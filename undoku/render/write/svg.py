"""SVG: one picture as vector graphics; letters are paths, so that it looks the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count, groupby

from undoku.render.draw.cell_look import CellKind, CellLook, StepMark
from undoku.render.draw.colour_space import Colour, hex_of
from undoku.render.draw.easel import Drawing, Shaped
from undoku.render.draw.fonts import Face
from undoku.render.draw.glyph_outlines import EM, Glyph, outline
from undoku.render.draw.lettering import set_in
from undoku.render.draw.shapes import Point, Polygon, Stroke
from undoku.render.draw.sprites import BoxedText, Cell
from undoku.render.draw.theme import Theme
from undoku.render.draw.vector_cells import (
    Letter,
    Shape,
    cell_curves,
    drawn_shapes,
    line_shapes,
)
from undoku.render.write.sink import DocumentSink
from undoku.texts.text_lines import write_about, xml_text

_FACES = {Face.REGULAR: "r", Face.BOLD: "b", Face.OBLIQUE: "o"}
_KINDS = {
    CellKind.GIVEN: "given",
    CellKind.GUESS: "guess",
    CellKind.FORCED: "forced",
    CellKind.FADING: "undone",
}
_MARKS = {StepMark.TRYING: "trying", StepMark.UNDOING: "undoing"}


def cell_words(look: CellLook) -> str:
    """The content of a cell in words, such as "given 5", "trying 3" or "candidates 1 4"; "" for an
    empty cell."""
    if look.kind is CellKind.GHOST:
        return f"longest {look.symbol(look.value)}" if look.value else "empty for long"
    if look.kind is CellKind.PENCIL:
        left = [
            look.symbol(n + 1)
            for n in range(look.candidates.bit_length())
            if look.candidates >> n & 1
        ]
        return f"candidates {' '.join(left)}" if left else "no candidate"
    if not look.value:
        return ""
    return f"{_MARKS.get(look.mark) or _KINDS.get(look.kind, 'undone')} {look.symbol(look.value)}"


def _decimal(value: float) -> str:
    """A number with at most three decimal places."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _is_box(points: Sequence[Point]) -> bool:
    """Whether a contour is an upright rectangle, from the upper left corner on."""
    (x0, y0), _, (x1, y1), *_ = points
    return tuple(points) == ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def _path(polygon: Polygon) -> str:
    """The contours as path commands; rectangles use the shorter h and v commands."""
    pieces = []
    for points in polygon.contours:
        if _is_box(points):
            (x0, y0), _, (x1, y1), _ = points
            wide = _decimal(x1 - x0)
            pieces.append(f"M{_decimal(x0)} {_decimal(y0)}h{wide}v{_decimal(y1 - y0)}h-{wide}z")
        else:
            pieces.append(f"{_steps(points)}z")
    return "".join(pieces)


def _steps(points: Sequence[Point]) -> str:
    """A line through points, in relative coordinates, which are the shortest text."""
    x, y = round(points[0][0], 3), round(points[0][1], 3)
    pieces = [f"M{_decimal(x)} {_decimal(y)}"]
    for point in points[1:]:
        across, down = _decimal(round(point[0], 3) - x), _decimal(round(point[1], 3) - y)
        x, y = round(point[0], 3), round(point[1], 3)
        if down == "0":
            pieces.append(f"h{across}")
        else:
            pieces.append(f"v{down}" if across == "0" else f"l{across} {down}")
    return "".join(pieces).replace(" -", "-")


def _line(stroke: Stroke) -> str:
    """The lines as path commands; with round caps a line of length 0 is drawn as a disc."""
    return "".join(_steps(line if len(line) > 1 else (*line, *line)) for line in stroke.lines)


class _Page:
    """Collects the shapes of a page and the definitions of the letters and cells that it uses."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.definitions: list[str] = []
        self._letter = cache(self._defined_letter)
        self._cell = cache(self._defined_cell)
        self._numbers = count()

    def shapes(self, shapes: Iterable[Shape], attributes: str = "") -> list[str]:
        """The elements of shapes; the letters of a line form one group."""
        found = []
        for run, members in groupby(shapes, _run):
            if run is None:
                found += [_element(shape, attributes) for shape in members]
            else:
                found.append(self._text([one for one in members if isinstance(one, Letter)]))
        return found

    def _text(self, letters: Sequence[Letter]) -> str:
        first, scale = letters[0], letters[0].size / EM
        uses = "".join(
            f'<use xlink:href="#{self._letter(one.glyph)}"'
            + (f' x="{_decimal((one.x - first.x) / scale)}"' if one is not first else "")
            + "/>"
            for one in letters
        )
        return (
            f'<g fill="{hex_of(first.colour)}" transform="translate({_decimal(first.x)} '
            f'{_decimal(first.y)}) scale({scale:.6f} {-scale:.6f})">{uses}</g>'
        )

    def _defined_letter(self, glyph: Glyph) -> str:
        """Define a letter; returns its name."""
        usual = glyph.usual
        name = f"{_FACES[usual[0]]}{ord(usual[1]):x}" if usual else f"g{len(self.definitions)}"
        drawn = "".join(
            letter.lower() if letter == "Z" else letter + " ".join(map(_decimal, numbers))
            for letter, numbers in outline(glyph).segments
        )
        self.definitions.append(f'<path id="{name}" d="{drawn}"/>')
        return name

    def _defined_cell(self, look: CellLook, side: int) -> str:
        """Define a cell; returns its name."""
        content = "".join(self.shapes(cell_curves(look, side, self._theme)))
        words = cell_words(look)
        title = f"<title>{words}</title>" if words else ""
        name = f"cell{next(self._numbers)}"
        self.definitions.append(f'<g id="{name}">{title}{content}</g>')
        return name

    def cell(self, cell: Cell) -> str:
        name = self._cell(cell.look, cell.rect.width)
        return f'<use xlink:href="#{name}" x="{cell.rect.x}" y="{cell.rect.y}"/>'


def _element(shape: Shape, attributes: str) -> str:
    """The element of a polygon or of lines."""
    if isinstance(shape, Stroke):
        return (
            f'<path fill="none" stroke="{hex_of(shape.colour)}" '
            f'stroke-width="{_decimal(shape.width)}" stroke-linecap="round" '
            f'stroke-linejoin="round" d="{_line(shape)}"/>'
        )
    assert isinstance(shape, Polygon)
    return f'<path fill="{hex_of(shape.colour)}"{attributes} d="{_path(shape)}"/>'


def _run(shape: Shape) -> tuple[float, float, Colour] | None:
    return (shape.size, shape.y, shape.colour) if isinstance(shape, Letter) else None


def encode_svg(drawing: Drawing, about: Sequence[tuple[str, str]] = ()) -> bytes:
    """An SVG 1.1 file in UTF-8 with the size of the drawing in pixels. Its title is the title in
    `about`, its description all of `about`."""
    page = _Page(drawing.theme)
    body: list[str] = []
    with set_in(drawing.typeface):
        for drawn, shapes in drawn_shapes(drawing):
            if isinstance(drawn, Cell):
                body.append(page.cell(drawn))
            elif isinstance(drawn, BoxedText):
                body += page.shapes(shapes)
                letters = "".join(page.shapes(line_shapes(drawn)))
                body.append(f'<g aria-label="{xml_text(drawn.text)}">{letters}</g>')
            elif isinstance(drawn, Shaped):
                body += page.shapes(shapes)
            else:
                # Without antialiasing no seams appear between adjacent areas, at any scale.
                body += page.shapes(shapes, ' shape-rendering="crispEdges"')
    width, height = drawing.width, drawing.height
    head = [
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{xml_text(dict(about).get('title', ''))}</title>",
        f"<desc>{xml_text(write_about(about))}</desc>",
        "<defs>",
        *page.definitions,
        "</defs>",
    ]
    return ("\n".join([*head, *body, "</svg>"]) + "\n").encode()


class SvgSink(DocumentSink):
    """Writes a drawing as SVG."""

    def encoded(self, drawing: Drawing) -> bytes:
        return encode_svg(drawing, self.context.about)
