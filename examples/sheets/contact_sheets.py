"""Makes the contact sheets of docs/contact-sheets.md: films of many kinds, one picture a second.

    python examples/sheets/contact_sheets.py [NAME…] [--list]

Runs the commands of the page, each of which writes a film to output/sheets/NAME.mp4 or .gif, or one
for each theme to a folder. The films are decoded, and their pictures, 390 pixels wide as on a
phone, become a sheet of at most 250 kB, docs/media/sheets/NAME.webp: those of a folder some seconds
of each film in a row of its own.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from undoku import read_frames

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "contact-sheets.md"
FILMS = ROOT / "output" / "sheets"
SHEETS = ROOT / "docs" / "media" / "sheets"

MAX_BYTES = 250_000
WIDTH = 390
"""The width of each picture in pixels."""
FEW = (4, 9, 13, 18, 29)
"""The seconds that are shown of each of several films: the ratio, a digit without alternative, a
wrong digit, the tally, the card."""
MARGIN, LABEL = 8, 26
BACKGROUND, INK = (24, 24, 28), (240, 240, 240)


def commands() -> dict[str, tuple[str, str]]:
    """The names of the sheets, each with a pattern of the paths of its films and the commands that
    write them."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    named = {re.search(r"-o output/sheets/((\w+)\S+)", block): block for block in blocks}
    patterns = {
        name: (name[1].replace("$theme", "*"), block) for name, block in named.items() if name
    }
    return {name[2]: found for name, found in patterns.items()}


def by_second(film: Path) -> Iterator[tuple[Fraction, Image.Image]]:
    """(seconds, picture) at 0, 1, 2, … seconds, and at the end."""
    end = turn = Fraction()
    for picture in read_frames(film):
        end += picture.seconds
        while turn < end:
            yield turn, Image.fromarray(picture.pixels)
            turn += 1
    if end - (turn - 1) > Fraction(1, 10):
        yield end, Image.fromarray(picture.pixels)


def sheet_of(films: Sequence[Path]) -> Image.Image:
    """All pictures in rows, each with its time in seconds; of several films only FEW."""
    letters = ImageFont.load_default(LABEL - 6)
    tiles = []
    for film in films:
        name = f"{film.stem}, " if films[1:] else ""
        for second, picture in by_second(film):
            if name and second not in FEW:
                continue
            height = round(picture.height * WIDTH / picture.width)
            smaller = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
            tiles.append((f"{name}{float(second):.3g} s", smaller))
    high = tiles[0][1].height + LABEL
    columns = 5 if high < WIDTH else 9
    rows = -(-len(tiles) // columns)
    size = MARGIN + columns * (WIDTH + MARGIN), MARGIN + rows * (high + MARGIN)
    sheet = Image.new("RGB", size, BACKGROUND)
    pen = ImageDraw.Draw(sheet)
    for number, (label, tile) in enumerate(tiles):
        x = MARGIN + number % columns * (WIDTH + MARGIN)
        y = MARGIN + number // columns * (high + MARGIN)
        pen.text((x, y), label, INK, letters)
        sheet.paste(tile, (x, y + LABEL))
    return sheet


def palette_of(sheet: Image.Image, colours: int) -> Image.Image:
    """A palette in which rare colours, such as those of digits, count more than their share."""
    codes = np.asarray(sheet).astype(np.int64) @ (1 << 16, 1 << 8, 1)
    found, counts = np.unique(codes, return_counts=True)
    weighed = np.repeat(found, np.ceil(np.sqrt(counts)).astype(int))
    pixels = np.stack([weighed >> 16, weighed >> 8 & 255, weighed & 255], axis=-1)
    return Image.fromarray(pixels[None].astype(np.uint8)).quantize(colours, kmeans=2)


def small_webp(sheet: Image.Image) -> bytes:
    """The sheet without loss, in as many colours as MAX_BYTES allow."""
    for colours in (128, 64, 32, 16):
        made = io.BytesIO()
        reduced = sheet.quantize(palette=palette_of(sheet, colours), dither=Image.Dither.NONE)
        reduced.convert("RGB").save(made, "WEBP", lossless=True, quality=80)
        if made.tell() <= MAX_BYTES:
            break
    return made.getvalue()


def make(name: str, pattern: str, block: str) -> Path:
    """Write films and their sheet; returns the path of the sheet."""
    (FILMS / pattern).parent.mkdir(parents=True, exist_ok=True)
    for film in FILMS.glob(pattern):
        film.unlink()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(["sh", "-ec", block], check=True, cwd=ROOT, env=os.environ | {"PATH": path})
    sheet = SHEETS / f"{name}.webp"
    sheet.write_bytes(small_webp(sheet_of(sorted(FILMS.glob(pattern)))))
    return sheet


def main(arguments: list[str]) -> int:
    names = {word for word in arguments if word != "--list"}
    known = commands()
    if unknown := names - known.keys():
        print(f"no sheet is called {', '.join(sorted(unknown))}: see --list", file=sys.stderr)
        return 2
    SHEETS.mkdir(parents=True, exist_ok=True)
    for name, (pattern, block) in known.items():
        if not names or name in names:
            print(name if "--list" in arguments else make(name, pattern, block), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
