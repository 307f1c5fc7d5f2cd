"""Runs every feature of the program on small inputs: python packaging/tour.py [FOLDER]

With a folder (`make loops`) it records every compiled loop and every signature with which it is
called, and writes them as a table to `FOLDER`/undoku. Without a folder it is a
test of an installed wheel: `make dist` checks that nothing is compiled.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from undoku.cli.main import main
from undoku.solver.search.part_registry import parts
from undoku.solver.search.strategy_part import PartKind

PUZZLES = Path(__file__).absolute().parent.parent / "examples" / "puzzles"
SMALL = ["--size", "320x180", "--fps", "10"]
SHORT = [*SMALL, "--duration", "4s"]


def named(kind: PartKind) -> list[str]:
    """The parts of a kind, as written in a strategy."""
    found = [part for part in parts(kind) if part.name not in ("chronological", "ascending")]
    return [f"{part.name}:7" if part.seeded or part.number else part.name for part in found]


def strategies() -> list[str]:
    """Strategies that contain each part at least once, and each kind of combination."""
    rules = named(PartKind.INFERENCE)
    return [
        *named(PartKind.CELLS),
        *(f"mrv/{order}" for order in named(PartKind.VALUES)),
        *(f"mrv+{rule}" for rule in rules),
        "+".join(["mrv", *rules]),
        *(f"mrv+{part}" for part in named(PartKind.BACK)),
        *(f"mrv+{part}" for part in named(PartKind.PRIORITY)),
        *(f"dom-wdeg+cbj+{part}" for part in named(PartKind.RESTART)),
        "row-major+singles@root",
        "mrv+singles@root",
        "mrv+singles+cbj",
        "dom-wdeg/lcv+singles+cbj",
    ]


def commands(folder: Path) -> list[list[str]]:
    """The commands, each as a list of arguments; files are written to `folder`."""
    medium, hard, easy = (str(PUZZLES / f"{name}.txt") for name in ("medium", "hard", "easy"))
    kinds = ["diagonals", "jigsaw", "latin", "six", "sixteen", "twelve", "windows"]

    def film(name: str, *options: str, puzzle: str = medium) -> list[str]:
        return ["render", puzzle, "-y", "-q", "-o", str(folder / name), *options]

    few = ["--max-nodes", "300"]
    trace = str(folder / "trace.jsonl")
    return [
        *(["solve", medium, "-s", strategy, *few] for strategy in strategies()),
        *(["solve", str(PUZZLES / f"{kind}.txt"), *few] for kind in kinds),
        ["solve", medium, "-s", "mrv", "--exhaustive", *few],
        ["stats", medium, *few],
        ["trace", medium, "-y", "-o", trace, *few, "-s", "mrv+singles+locked"],
        ["trace", medium, "-y", "-o", str(folder / "trace.jsonl.gz"), "-s", "row-major"],
        *(
            ["trace", medium, "-y", "-o", str(folder / "trace.parquet"), "-s", strategy]
            for strategy in ["mrv", "mrv+singles"]
            if find_spec("pyarrow")  # an optional dependency of the wheel
        ),
        ["chart", medium, "-y", "-o", str(folder / "chart.png")],
        ["generate", "--count", "1", "--seed", "1"],
        ["generate", "--count", "1", "--seed", "1", "--givens", "30"],
        film("story.mp4"),
        film("tall.mp4", "--for", "shorts", "--fps", "20"),
        film("direct.mp4", "--encoder", "direct", *SHORT),
        film("steps.mp4", "--encoder", "direct", *SMALL, "--to-step", "60"),
        film("auto.mp4", "--encoder", "auto", *SHORT),
        film("variable.mp4", "--encoder", "direct", "--variable-rate", *SHORT),
        film("story-direct.mp4", "--encoder", "direct", "--size", "640x360", "--fps", "20"),
        film("x264.mp4", "--encoder", "x264", *SHORT),
        film("full.444.mp4", *SHORT),
        film("few.mp4", "--colours", "12", *SHORT),
        film("safe.mp4", "--flash-safe", *SHORT),
        film("fit.mp4", "--max-size", "300kB", *SHORT),
        film("told.mp4", "--highlights", "--captions", str(folder / "told.srt"), *SMALL,
             puzzle=hard),
        *(film(f"film.{kind}", *SHORT) for kind in ("gif", "webp", "apng", "webm", "mov")),
        film("story.gif", "--size", "320x180"),
        film("few.gif", "--colours", "9", *SHORT),
        film("safe.gif", "--flash-safe", *SHORT),
        film("fit.gif", "--max-size", "100kB", *SHORT),
        film("steps.gif", *SMALL, "--to-step", "40"),
        film("every.gif", *SMALL, "--every", "200", "--last-state"),
        film("ground.apng", "--background", "none", *SHORT),
        film("ground.webm", "--background", "none", *SHORT),
        film("frames/%06d.png", *SHORT, "--duration", "2s"),
        *(film(f"step.{kind}", "--at-step", "132") for kind in ("png", "svg", "pdf")),
        film("few.png", "--at-step", "132", "--colours", "9"),
        film("strip.png", "--filmstrip", "4", "--size", "640x360"),
        film("strip.svg", "--filmstrip", "3", "--size", "640x360"),
        film("all.mp4", "--encoder", "direct", "--panels",
             "board,counters,depth,tree,why,heat,solutions", "--size", "1280x720", "--fps", "10",
             "--duration", "4s", "--exhaustive", *few),
        film("all.gif", "--panels", "board,counters,depth,tree,why,heat,solutions",
             "--size", "1280x720", "--fps", "5", "--duration", "4s", "--exhaustive", *few),
        *(
            film(f"single{number}.mp4", "--encoder", "direct", "--pace", "even",
                 "--steps-per-frame", "1", "--size", "1280x720", "--to-step", "200", *panels)
            for number, panels in enumerate([
                (), ("--panels", "board,counters,depth,tree,why,heat,solutions", "--exhaustive"),
                ("-s", "row-major", "-s", "mrv+singles"), ("--heat", "beside"),
            ])
        ),
        film("overlay.mp4", "--encoder", "direct", "--heat", "overlay", *SHORT),
        film("overlay.gif", "--heat", "overlay", *SHORT),
        film("one.mp4", "--encoder", "direct", "-s", "mrv+singles+locked", "--size", "640x360",
             "--fps", "10", "--pace", "story"),
        film("six.gif", *(word for name in named(PartKind.CELLS)[:6] for word in ("-s", name)),
             *few, *SHORT, "--size", "640x360"),
        film("film.html", *few),
        film("finish.gif", "--clock", "finish", *SHORT),
        film("time.gif", "--clock", "time", *SHORT),
        film("ramp.gif", "--ramp", *SHORT),
        *(
            film(f"{kind}.{suffix}", "--encoder", "direct", *few, *SHORT, "--size", "640x360",
                 puzzle=str(PUZZLES / f"{kind}.txt"))
            for kind in kinds
            for suffix in ("mp4",)
        ),
        film("light.mp4", "--theme", "light", "--encoder", "direct", *SHORT, puzzle=easy),
        film("hebrew.gif", "--language", "he", *SHORT),
        film("heard.wav", *SHORT),
        ["render", trace, "-y", "-q", "-o", str(folder / "traced.gif"), *SHORT],
        ["render", trace, "-y", "-q", "-o", str(folder / "traced.mp4"), "--encoder", "direct",
         *SHORT],
        ["info", str(folder / "film.gif")],
        ["study", str(PUZZLES / "comparison.txt"), "-y", "-q", "-o", str(folder / "study.csv"),
         "-s", "row-major", "-s", "mrv", "-s", "mrv+singles", *few],
    ]  # fmt: skip


def tour(folder: Path) -> list[str]:
    """Run all commands in this process; returns those that failed."""
    failed = []
    for words in commands(folder):
        errors = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
            try:
                code: object = main(words)
            except SystemExit as ended:
                code = ended.code
        if code:
            failed.append(f"{' '.join(words)}: {errors.getvalue().strip()}")
        print(".", end="", flush=True)
    print()
    return failed


def write_table(record: Path, root: Path) -> None:
    """Add the recorded loops to the table of known loops; remove outdated entries."""
    from undoku.machine_code.carrying import is_valid
    from undoku.machine_code.known_loops import FILE, known_loops, read_record, written

    recorded = list(read_record(record))
    names = {one[:3] for one in recorded}
    recorded += [one for one in known_loops("undoku") if one[:3] not in names and is_valid(one)]
    (root / "undoku" / FILE).write_text(written(recorded), "utf-8")
    print(f"{len(recorded)} loops, {sum(one.seconds for one in recorded):.0f} s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as there:
        record = Path(there, "record")
        if sys.argv[1:]:
            os.environ["UNDOKU_RECORD_LOOPS"] = str(record)
            # Loops from a cache aren't compiled, so they wouldn't be recorded.
            os.environ["UNDOKU_CACHE_DIR"] = str(Path(there, "empty cache"))
        wrong = tour(Path(there))
        if sys.argv[1:]:
            write_table(record, Path(sys.argv[1]))
    print("\n".join(wrong))
    sys.exit(bool(wrong))
