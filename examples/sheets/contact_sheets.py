"""Makes contact sheets of default films, with one picture per second, to review the films.

    python examples/sheets/contact_sheets.py [NAME…] [--list] [-- OPTION…]

Each sheet shows a film that `undoku render` wrote with its default settings, decoded from the file,
as a PNG of at most 2 MB in output/sheets/. Names select sheets: `medium`, `shorts`, `six-1280x720`.
Options after `--` are passed to `undoku render`, such as `-- --duration 26s`.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from undoku import read_frames
from undoku.solver.problem.sources import read

ROOT = Path(__file__).parents[2]
PUZZLES = ROOT / "examples" / "puzzles"
FOLDER = ROOT / "output" / "sheets"

MAX_BYTES = 2_000_000
MAX_PICTURES = 60
"""The maximum number of pictures on a sheet. In a longer film they are more than a second apart."""
MARGIN, LABEL = 8, 26
GROUND, INK = (24, 24, 28), (240, 240, 240)

FEW = "1......2..3....."
THREE = ("row-major", "mrv", "mrv+singles")
TIED = ("mrv", "mrv-degree", "mrv+forward")
SIX = ("row-major", "column-major", "spiral", "static", "mrv", "mrv+singles")


class Shape(NamedTuple):
    """The format and options of a film, and the columns and picture width of its sheet."""

    suffix: str
    options: tuple[str, ...]
    columns: int
    width: int


SHAPES = {
    "1280x720": Shape(".mp4", ("--size", "1280x720"), 5, 480),
    "shorts": Shape(".mp4", ("--for", "shorts", "--size", "1080x1920"), 9, 270),
    "gif": Shape(".gif", ("--size", "640x360"), 4, 560),
}


def _of(*strategies: str) -> tuple[str, ...]:
    return tuple(word for strategy in strategies for word in ("-s", strategy))


CASES: dict[str, tuple[str, ...]] = {
    "medium": (str(PUZZLES / "medium.txt"),),
    "hard": (str(PUZZLES / "hard.txt"),),
    "worlds-hardest": (str(PUZZLES / "worlds-hardest.txt"),),
    "four": (FEW,),
    "jigsaw": (str(PUZZLES / "jigsaw.txt"),),
    "exhaustive": (str(PUZZLES / "medium.txt"), "--exhaustive"),
    "capped": (str(PUZZLES / "hard.txt"), "--max-nodes", "3000"),
    "far-apart": (str(PUZZLES / "fifty-minutes.txt"), *_of("row-major", "mrv+singles")),
    "three": (str(PUZZLES / "medium.txt"), *_of(*THREE)),
    "six": (str(PUZZLES / "medium.txt"), *_of(*SIX)),
    "tie": (str(PUZZLES / "easy.txt"), *_of(*TIED)),
    "foreign": ("TRACE", str(PUZZLES / "medium.txt"), *_of("mrv")),
    "six-by-six": (str(PUZZLES / "six.txt"),),
    "twelve": (str(PUZZLES / "twelve.txt"), *_of("mrv", "mrv+singles")),
    "sixteen": (str(PUZZLES / "sixteen.txt"), *_of("mrv", "mrv+singles")),
    "twenty-five": (str(PUZZLES / "twenty-five.txt"), *_of("mrv+singles")),
    "diagonals": (str(PUZZLES / "diagonals.txt"),),
    "windows": (str(PUZZLES / "windows.txt"),),
    "latin": (str(PUZZLES / "latin.txt"),),
}
"""The arguments of `undoku render`; TRACE is a trace of the medium puzzle by another program."""


def write_trace(path: Path) -> None:
    """Write the trace that the Python emitter prints."""
    emitter = ROOT / "examples" / "emitters" / "emitter.py"
    puzzle = str(read(str(PUZZLES / "medium.txt")))
    with path.open("wb") as file:
        subprocess.run([sys.executable, str(emitter), puzzle], stdout=file, check=True)


def by_second(film: Path) -> Iterator[tuple[Fraction, Image.Image]]:
    """(seconds, picture) at 0, 1, 2, … seconds and at the end; further apart in long films."""
    total = sum((picture.seconds for picture in read_frames(film)), Fraction())
    step = Fraction(max(1, -(-int(total) // MAX_PICTURES)))
    end = turn = Fraction()
    for picture in read_frames(film):
        end += picture.seconds
        while turn < end:
            yield turn, Image.fromarray(picture.pixels)
            turn += step
    if end - (turn - step) > Fraction(1, 10):
        yield end, Image.fromarray(picture.pixels)


def sheet_of(film: Path, heading: str, columns: int, width: int) -> Image.Image:
    """The sheet: all pictures in rows, each with its time in seconds."""
    letters = ImageFont.load_default(LABEL - 6)
    tiles = []
    for second, picture in by_second(film):
        height = round(picture.height * width / picture.width)
        tiles.append((second, picture.resize((width, height), Image.Resampling.LANCZOS)))
    high = tiles[0][1].height + LABEL
    rows = -(-len(tiles) // columns)
    sheet = Image.new(
        "RGB",
        (MARGIN + columns * (width + MARGIN), LABEL + MARGIN + rows * (high + MARGIN)),
        GROUND,
    )
    pen = ImageDraw.Draw(sheet)
    pen.text((MARGIN, MARGIN // 2), f"{heading}: {float(tiles[-1][0]):.1f} s", INK, letters)
    for number, (second, tile) in enumerate(tiles):
        x = MARGIN + number % columns * (width + MARGIN)
        y = LABEL + MARGIN + number // columns * (high + MARGIN)
        pen.text((x, y), f"{float(second):g} s", INK, letters)
        sheet.paste(tile, (x, y + LABEL))
    return sheet


def small_png(sheet: Image.Image) -> bytes:
    """The sheet as a PNG of at most MAX_BYTES, scaled down if necessary. It is not reduced to a
    palette: with 256 colours, the tints of boards could not be judged."""
    share = 1.0
    while True:
        size = (round(sheet.width * share), round(sheet.height * share))
        made = io.BytesIO()
        fitted = sheet if share == 1 else sheet.resize(size, Image.Resampling.LANCZOS)
        fitted.save(made, "PNG", optimize=True)
        if made.tell() <= MAX_BYTES:
            return made.getvalue()
        share *= 0.9


def make(case: str, shape: str, extra: list[str]) -> Path:
    """Write one sheet; returns its path."""
    suffix, options, columns, width = SHAPES[shape]
    with tempfile.TemporaryDirectory() as folder:
        film, trace = Path(folder) / f"film{suffix}", Path(folder) / "trace.jsonl"
        given = [str(trace) if word == "TRACE" else word for word in CASES[case]]
        if "TRACE" in CASES[case]:
            write_trace(trace)
        subprocess.run(
            [sys.executable, "-m", "undoku", "render", "-q", *given, *options, *extra, "-o", film],
            check=True,
            cwd=ROOT,
        )
        sheet = sheet_of(film, f"{case}, {shape}", columns, width)
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{case}-{shape}.png"
    path.write_bytes(small_png(sheet))
    return path


def main(arguments: list[str]) -> int:
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    names, extra = arguments[:cut], arguments[cut + 1 :]
    known = {f"{case}-{shape}": (case, shape) for case in CASES for shape in SHAPES}
    chosen = {
        name: pair
        for name, pair in known.items()
        if not set(names) - {"--list"} or {name, *pair} & set(names)
    }
    if not chosen:
        print(f"no sheet has these names; the sheets are {', '.join(known)}", file=sys.stderr)
        return 2
    for name, (case, shape) in chosen.items():
        print(name if "--list" in names else make(case, shape, extra), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
