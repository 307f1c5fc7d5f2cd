"""PDF: one picture as vector graphics, on a page of the picture's size, for papers and slides.

Source: ISO 32000-1. Each letter and each kind of cell is a form XObject, written once and used
wherever it occurs; letters are paths. There are no fonts, no transparency and no dates.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import cache

from undoku.render.draw.cell_look import CellLook
from undoku.render.draw.easel import Drawing
from undoku.render.draw.glyph_outlines import EM, Glyph, outline
from undoku.render.draw.lettering import set_in
from undoku.render.draw.shapes import Polygon, Stroke
from undoku.render.draw.sprites import BoxedText, Cell
from undoku.render.draw.theme import Theme
from undoku.render.draw.vector_cells import Shape, cell_curves, drawn_shapes, line_shapes
from undoku.render.write.sink import DocumentSink
from undoku.render.write.svg import decimal, is_box
from undoku.texts.text_lines import write_about, xmp_packet

_POINTS = 0.75
"""Points per pixel: an inch is 96 pixels or 72 points."""

_OPERATORS = {"M": "m", "L": "l", "Z": "h"}
_CATALOG, _PAGES, _PAGE, _CONTENT, _METADATA, _FACTS, _FIRST_FORM = range(1, 8)


def _numbers(values: Iterable[float]) -> str:
    return " ".join(map(decimal, values))


def _text(text: str) -> str:
    """A text string: ASCII in parentheses, other text in UTF-16."""
    if re.fullmatch(r"[ -~]*", text):
        return "(" + re.sub(r"([()\\])", r"\\\1", text) + ")"
    return "<feff" + text.encode("utf-16-be", "replace").hex() + ">"


def _stream(dictionary: str, content: bytes, *, packed: bool = True) -> bytes:
    if packed:
        content, dictionary = zlib.compress(content, 9), f"{dictionary} /Filter /FlateDecode"
    head = f"<< {dictionary} /Length {len(content)} >>\nstream\n"
    return head.encode() + content + b"\nendstream"


class _Forms:
    """The page's form XObjects, each written once: letters, and cells of shapes and letters."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.objects: list[bytes] = []
        self.letter = cache(self._added_letter)
        self.cell = cache(self._added_cell)

    def _add(self, box: Iterable[float], operators: str, uses: Iterable[str] = ()) -> str:
        """Add a form; returns its name: F and the number of its object."""
        resources = " ".join(f"/{name} {name[1:]} 0 R" for name in sorted(set(uses)))
        dictionary = f"/Type /XObject /Subtype /Form /BBox [{_numbers(box)}]"
        dictionary += f" /Resources << /XObject << {resources} >> >>" if resources else ""
        self.objects.append(_stream(dictionary, operators.encode()))
        return f"F{_FIRST_FORM + len(self.objects) - 1}"

    def _added_letter(self, glyph: Glyph) -> str:
        shape = outline(glyph)
        left, bottom, right, top = shape.box
        # The margin keeps viewers from clipping the antialiased edge.
        spare = EM / 32
        bounds = (left - spare, bottom - spare, right + spare, top + spare)
        return self._add(bounds, _outline_operators(shape.segments))

    def _added_cell(self, look: CellLook, side: int) -> str:
        operators, uses = self.operators(cell_curves(look, side, self._theme))
        return self._add((0, 0, side, side), operators, uses)

    def operators(self, shapes: Iterable[Shape]) -> tuple[str, list[str]]:
        """The operators that draw `shapes`, and the names of the forms that they use."""
        lines, uses = [], []
        for shape in shapes:
            drawn = "RG" if isinstance(shape, Stroke) else "rg"
            lines.append(f"{_numbers(part / 255 for part in shape.colour)} {drawn}")
            if isinstance(shape, Stroke):
                lines.append(_stroke_operators(shape))
            elif isinstance(shape, Polygon):
                lines.append(_polygon_operators(shape))
            else:
                name, scale = self.letter(shape.glyph), shape.size / EM
                uses.append(name)
                place = f"{decimal(shape.x)} {decimal(shape.y)}"
                lines.append(f"q {scale:.6f} 0 0 {-scale:.6f} {place} cm /{name} Do Q")
        return "\n".join(lines) + "\n", uses


def _polygon_operators(polygon: Polygon) -> str:
    pieces = []
    for points in polygon.contours:
        if is_box(points):
            (x0, y0), _, (x1, y1), _ = points
            pieces.append(f"{_numbers((x0, y0, x1 - x0, y1 - y0))} re")
        else:
            first, *further = points
            pieces.append(f"{_numbers(first)} m")
            pieces += [f"{_numbers(point)} l" for point in further]
            pieces.append("h")
    return "\n".join([*pieces, "f"])


def _stroke_operators(stroke: Stroke) -> str:
    """Lines with round caps and joins; a line of length 0 is drawn as a disc."""
    pieces = [f"{decimal(stroke.width)} w 1 J 1 j"]
    for first, *further in stroke.lines:
        pieces.append(f"{_numbers(first)} m")
        pieces += [f"{_numbers(point)} l" for point in further or [first]]
    return "\n".join([*pieces, "S"])


def _outline_operators(segments: Sequence[tuple[str, tuple[float, ...]]]) -> str:
    """A path from segments (letter, coordinates) as in SVG. PDF has only cubic curves; a quadratic
    curve is converted to a cubic one exactly."""
    lines: list[str] = []
    x = y = 0.0
    for letter, places in segments:
        if letter == "Q":
            across, up, end_x, end_y = places
            handles = (
                x + (across - x) * 2 / 3,
                y + (up - y) * 2 / 3,
                end_x + (across - end_x) * 2 / 3,
                end_y + (up - end_y) * 2 / 3,
            )
            lines.append(f"{_numbers((*handles, end_x, end_y))} c")
        elif letter == "C":
            lines.append(f"{_numbers(places)} c")
        else:
            lines.append(f"{_numbers(places)} {_OPERATORS[letter]}".lstrip())
        if places:
            x, y = places[-2:]
    return "\n".join([*lines, "f"])


def encode_pdf(drawing: Drawing, about: Sequence[tuple[str, str]] = ()) -> bytes:
    """A PDF 1.4 file of one page, 0.75 points per pixel. `about` gives its title and subject, and
    all of it is stored as XMP metadata."""
    forms = _Forms(drawing.theme)
    wide, high = drawing.width * _POINTS, drawing.height * _POINTS
    content = [f"{decimal(_POINTS)} 0 0 -{decimal(_POINTS)} 0 {decimal(high)} cm\n"]
    uses: list[str] = []
    with set_in(drawing.typeface):
        for drawn, areas in drawn_shapes(drawing):
            if isinstance(drawn, Cell):
                name = forms.cell(drawn.look, drawn.rect.width)
                uses.append(name)
                content.append(f"q 1 0 0 1 {drawn.rect.x} {drawn.rect.y} cm /{name} Do Q\n")
            else:
                letters = list(line_shapes(drawn)) if isinstance(drawn, BoxedText) else []
                operators, further = forms.operators([*areas, *letters])
                content.append(operators)
                uses += further
    resources = " ".join(f"/{name} {name[1:]} 0 R" for name in sorted(set(uses)))
    texts = dict(about)
    subject = "; ".join(texts[name] for name in ("strategies", "counts") if name in texts)
    packet = '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
    packet += xmp_packet(write_about(about)) + '\n<?xpacket end="w"?>'
    objects: dict[int, str | bytes] = {
        _CATALOG: f"<< /Type /Catalog /Pages {_PAGES} 0 R /Metadata {_METADATA} 0 R "
        "/ViewerPreferences << /DisplayDocTitle true >> >>",
        _PAGES: f"<< /Type /Pages /Kids [{_PAGE} 0 R] /Count 1 >>",
        _PAGE: f"<< /Type /Page /Parent {_PAGES} 0 R /MediaBox [0 0 {_numbers((wide, high))}] "
        f"/Resources << /XObject << {resources} >> >> /Contents {_CONTENT} 0 R >>",
        _CONTENT: _stream("", "".join(content).encode()),
        _METADATA: _stream("/Type /Metadata /Subtype /XML", packet.encode(), packed=False),
        _FACTS: f"<< /Title {_text(texts.get('title', ''))} /Subject {_text(subject)} "
        "/Creator (undoku) >>",
    }
    fixed = [objects[number] for number in sorted(objects)]
    return _file(
        [entry.encode() if isinstance(entry, str) else entry for entry in fixed] + forms.objects
    )


def _file(objects: Sequence[bytes]) -> bytes:
    """The file: header, objects numbered from 1, cross-reference table, trailer."""
    pieces, places = [b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"], []
    at = len(pieces[0])
    for number, content in enumerate(objects, 1):
        places.append(at)
        pieces.append(b"%d 0 obj\n%s\nendobj\n" % (number, content))
        at += len(pieces[-1])
    pieces.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    pieces += [b"%010d 00000 n \n" % place for place in places]
    pieces.append(
        b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, _CATALOG, _FACTS, at)
    )
    return b"".join(pieces)


class PdfSink(DocumentSink):
    """Writes a drawing as PDF."""

    def encoded(self, drawing: Drawing) -> bytes:
        return encode_pdf(drawing, self.context.about)
