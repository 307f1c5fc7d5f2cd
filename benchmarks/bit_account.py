"""The bits of a directly written film by kind of macroblock, syntax element and position.

    python -m benchmarks.bit_account FILM.mp4 [--every N] [--first N] [--last N] [--map PICTURE.png]

Of the pictures from `--first` to `--last`, every Nth P picture and every key frame is parsed by the
H.264 reader of the tests. The map has a square for each macroblock, atlas included; brighter
squares took more bits in P pictures.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
from PIL import Image

from tests.support.direct_films import parameter_sets
from tests.support.film_index import film_index
from tests.support.h264.reader import Macroblock, Stream


def kind_of(macroblock: Macroblock) -> str:
    """The kind of a macroblock, and whether it is divided into partitions."""
    if macroblock.kind not in ("copy", "residual"):
        return macroblock.kind
    count = len(macroblock.parts)
    return f"{macroblock.kind}, {'whole' if count == 1 else 'partitions'}"


def account(path: Path, every: int, first: int, last: int | None, picture: Path | None) -> str:
    """The table of a film."""
    stream = Stream(*parameter_sets(path))
    width, height = stream.sequence.width, stream.sequence.height
    seen = -(-stream.sequence.visible[0] // 16)
    bits: Counter[tuple[bool, str]] = Counter()
    counts: Counter[tuple[bool, str]] = Counter()
    elements: Counter[tuple[bool, str]] = Counter()
    total = np.zeros(width * height, np.int64)
    sizes, looked = Counter[bool](), Counter[bool]()
    pictures = Counter[bool]()
    film, content = film_index(path), path.read_bytes()
    for number, (start, size) in enumerate(zip(film.places, film.sizes, strict=True)):
        unit = content[start + 4 : start + size]
        key = unit[0] & 31 == 5
        pictures[key] += 1
        sizes[key] += len(unit) + 4
        if number < first or (last is not None and number > last) or (number % every and not key):
            continue
        looked[key] += 1
        read = stream.read_alone(unit)
        within = 0
        for at, macroblock in enumerate(read.macroblocks):
            if macroblock.bits:
                atlas = ", atlas" if at % width >= seen else ""
                kind = key, kind_of(macroblock) + atlas
                bits[kind] += macroblock.bits
                counts[kind] += 1
                within += macroblock.bits
                if not key:
                    total[at] += macroblock.bits
        for element, taken in read.elements.items():
            elements[key, element] += taken
        elements[key, "types, references, patterns"] += (
            within - read.elements.total() + read.elements["skip runs"]
        )
        bits[key, "headers, skip runs, padding"] += 8 * (len(unit) + 4) - within
        counts[key, "headers, skip runs, padding"] += 1
    lines = []
    for key, name in ((True, "key frames"), (False, "P pictures")):
        each = max(1, looked[key])
        lines.append(
            f"{name}: {pictures[key]:,}, {sizes[key]:,} bytes, "
            f"{sizes[key] / max(1, pictures[key]):,.0f} each; of {looked[key]:,}, bytes each:"
        )
        for (of, what), spent in bits.most_common():
            if of == key:
                count = counts[of, what]
                lines.append(
                    f"  {what:32} {spent / 8 / each:10,.1f} bytes, {count / each:8,.2f} of "
                    f"{spent / count:8,.1f} bits"
                )
        lines += [
            f"    {element:30} {spent / 8 / each:10,.1f} bytes"
            for (of, element), spent in elements.most_common()
            if of == key
        ]
    if picture:
        grid = total.reshape(height, width) / max(1, looked[False])
        shade = np.clip(255 * np.sqrt(grid / max(1e-9, grid.max())), 0, 255).astype(np.uint8)
        Image.fromarray(shade).resize((width * 8, height * 8), Image.Resampling.NEAREST).save(
            picture
        )
        rows = grid[:, :seen].sum(1) / 8
        lines.append(
            "bytes a P picture by row of macroblocks: " + " ".join(f"{x:.1f}" for x in rows)
        )
        columns = grid.sum(0) / 8
        lines.append("by column: " + " ".join(f"{x:.1f}" for x in columns))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("film", type=Path)
    parser.add_argument("--every", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int)
    parser.add_argument("--map", type=Path)
    options = parser.parse_args()
    print(account(options.film, options.every, options.first, options.last, options.map))


if __name__ == "__main__":
    main()
