"""Checksums of files that the program writes: a change that must not change any film is checked
with `make checksums`.

    python -m tests.support.checksums                    compare with tests/golden/checksums.txt
    python -m tests.support.checksums --only 'theme-*'   only some of the cases
    python -m tests.support.checksums --write            write the list anew

Only the public command is used, `python -m undoku`, so that modules may move. Files that differ are
kept in output/checksums/ to be looked at. The sums hold for the versions of the libraries and of
ffmpeg with which they were written: with others, write the list before the change, and compare
after it.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LIST = ROOT / "tests" / "golden" / "checksums.txt"
KEPT = ROOT / "output" / "checksums"

TABLE = r"""
# A case: its name, then the words after `undoku`. OUT is the folder of the case: every file in it
# is hashed, a folder in it as one file. IN is a folder with INPUTS, for outputs that do not contain
# the command, which names it. `|` is a pipe, `<` takes one of INPUTS, and `>` writes what the last
# command prints to a file, without measured seconds.

# formats
formats: render examples/puzzles/medium.txt --size 320x180 --fps 25 --to-step 60 --intro 0.2
    --hold 0.2 --card 0.4 --encoder direct --sound --image-sequence 7 --loop 2
    -o OUT/film.mp4 -o OUT/film.444.mp4 -o OUT/film.webm -o OUT/film.gif -o OUT/film.webp
    -o OUT/film.apng -o OUT/film.wav -o OUT/film.html -o OUT/last.png -o OUT/frames/%04d.png
x264: render examples/puzzles/medium.txt --size 320x180 --fps 25 --to-step 60 --encoder x264
    --quality archive --key-interval 1s --sound -o OUT/film.mp4
transparent: render examples/puzzles/medium.txt -s mrv --size 320x180 --fps 10 --to-step 5
    --intro 0.2 --hold 0 --card 0.2 --background none
    -o OUT/film.mov -o OUT/film.prores.mov -o OUT/film.webm -o OUT/film.webp
step: render examples/puzzles/medium.txt --size 640x360 --at-step 900
    -o OUT/step.png -o OUT/step.svg -o OUT/step.pdf
filmstrip: render examples/puzzles/medium.txt --size 640x360 --filmstrip 6
    -o OUT/strip.png -o OUT/strip.svg
chart-svg: chart examples/puzzles/medium.txt -o OUT/chart.svg
chart-png: chart examples/puzzles/medium.txt --size 800x600 --theme dark -o OUT/chart.png
chart-pdf: chart examples/puzzles/medium.txt -s mrv -o OUT/chart.pdf
pipe: render examples/puzzles/easy.txt --size 320x180 --fps 25 --duration 4s -o - > film.mp4
fitted: render examples/puzzles/medium.txt --size 320x180 --for github --max-size 100kB
    -o OUT/film.gif
embedded: render examples/puzzles/medium.txt --size 320x180 --fps 10 --duration 4s --embed html
    -o OUT/film.mp4 > snippet.html
stems: render examples/puzzles/medium.txt --duration 5s --stems OUT/stems -o OUT/film.wav
mixed: render examples/puzzles/medium.txt --to-step 90 --sound IN/mix.toml -o OUT/take.wav
    | render examples/puzzles/easy.txt --sound --voice OUT/take.wav -o OUT/film.wav

# shapes and paces
defaults: render examples/puzzles/easy.txt --duration 4s -o OUT/film.mp4
story-wide: render examples/puzzles/medium.txt --size 640x360 --fps 10 --encoder direct --sound
    --captions OUT/film.srt --marks OUT/film.edl --marks OUT/film.fcpxml --marks OUT/film.otio
    -o OUT/film.mp4
story-tall: render examples/puzzles/medium.txt --size 720x1280 --fps 5 --encoder direct
    --captions OUT/film.vtt -o OUT/film.mp4
story-phone: render examples/puzzles/extreme.txt --size 390x844 --fps 5 -o OUT/film.gif
square: render examples/puzzles/medium.txt --size 480x480 --fps 10 --pace even --every 50
    --last-state -o OUT/film.mp4
highlights: render examples/puzzles/hard.txt --size 320x180 --fps 5 --highlights --duration 50s
    --marks OUT/film.chapters.txt -o OUT/film.mp4
cues: render examples/puzzles/medium.txt --size 640x360 --fps 10 --cues examples/cues/medium.toml
    --captions OUT/film.srt -o OUT/film.mp4
finish: render examples/puzzles/very-hard.txt --size 320x180 --fps 20 --clock finish --ramp
    --from-step 50 --duration 5s -o OUT/film.apng

# pictures
theme-light: render examples/puzzles/hard.txt --size 640x360 --theme light --at-step 400
    -o OUT/step.png
theme-paper: render examples/puzzles/hard.txt --size 640x360 --theme paper --at-step 400
    -o OUT/step.png
theme-blackboard: render examples/puzzles/hard.txt --size 640x360 --theme blackboard --at-step 400
    -o OUT/step.png
theme-colour-blind: render examples/puzzles/hard.txt --size 640x360 --theme colour-blind
    --at-step 400 -o OUT/step.png
theme-high-contrast: render examples/puzzles/hard.txt --size 640x360 --theme high-contrast
    --at-step 400 -o OUT/step.png
german: render examples/puzzles/medium.txt --size 640x360 --fps 5 --texts de --duration 20s
    -o OUT/film.mp4
hebrew: render examples/puzzles/medium.txt --size 640x360 --fps 5 --texts he --theme light
    --duration 20s -o OUT/film.mp4
panels: render examples/puzzles/medium.txt -s mrv --size 1280x720 --fps 10 --steps-per-second 5
    --to-step 30 --panels board,counters,depth,tree,why,heat -o OUT/film.mp4
code: render examples/puzzles/quasigroup.txt -s mrv+singles --exhaustive --max-nodes 300
    --size 960x540 --fps 10 --to-step 60 --panels board,counters,solutions,code
    --counters steps,depth,dead-ends,backtracks,branching --colours 31 -o OUT/film.gif
overlay: render examples/puzzles/hard.txt --size 640x360 --fps 10 --heat overlay --panels board,code
    --code examples/code/recursive.txt --duration 5s --flash-safe --margins 4,10,11,5 --title ""
    -o OUT/film.mp4

# searches
one: render examples/puzzles/easy.txt -s row-major --size 320x180 --fps 10 -o OUT/film.mp4
three: render examples/puzzles/hard.txt -s spiral -s column-major/descending -s random:7/random:3
    --max-time 60s --size 640x360 --fps 5 -o OUT/film.mp4
four: render examples/puzzles/hard.txt -s dom-wdeg/lcv -s activity+naked-singles -s exact-cover
    -s mrv+singles+sac --size 640x360 --fps 5 -o OUT/film.mp4
five: render examples/puzzles/worlds-hardest.txt -s bivalue -s mrv-degree+alldiff
    -s static+hidden-singles -s mrv+singles+last-conflict -s box-major+x-wing+swordfish+xy-wing
    --size 640x360 --fps 10 --duration 10s --pace even -o OUT/film.mp4
six: render examples/puzzles/worlds-hardest.txt -s row-major+singles@root
    -s mrv+singles+locked+pairs -s mrv+forward+cbj -s mrv+singles+nogoods
    -s mrv-random:3/shuffled:4+luby:10 -s mrv+singles+lds --size 720x480 --fps 5 -o OUT/film.mp4
exhaustive: render examples/puzzles/quasigroup.txt -s mrv+singles -s mrv+cbj --exhaustive
    --max-nodes 3000 --size 640x360 --fps 5 -o OUT/film.mp4
unsolvable: render 3..6......1.....46..32....6....5.... --size 320x180 --fps 5 -o OUT/film.mp4
tie: render examples/puzzles/easy.txt -s mrv -s mrv --label One --label "The same" --size 320x180
    --fps 5 -o OUT/film.mp4
logic: render examples/puzzles/easy.txt -s mrv+singles --size 320x180 --fps 5 -o OUT/film.mp4

# traces of other programs
emitter: examples/emitters/emitter.py
    5...8.1.6....732844.712...37.926......3.45.1...1...625.9.7.4.3..7...289.1259.....
    | render - --size 320x180 --fps 10 -o OUT/film.mp4
eliminations: render - --size 640x360 --fps 5 -o OUT/film.mp4 < eliminations
restarts: trace examples/puzzles/quasigroup.txt -s mrv-random:3/shuffled:4+nogoods+luby:10
    --max-nodes 300 -o - | render - --size 320x180 --fps 5 --duration 5s -o OUT/film.mp4
cut-short: render - --size 320x180 --fps 5 -o OUT/film.mp4 < cut-short

# boards and variants
four-by-four: render 1.3...1..1...... --exhaustive --size 640x360 --fps 5 -o OUT/film.mp4
six-by-six: render examples/puzzles/six.txt --size 320x180 --fps 5 -o OUT/film.gif
twelve: render examples/puzzles/twelve.txt --size 640x360 --at-step 60 -o OUT/step.png
sixteen: render examples/puzzles/sixteen.txt --size 640x360 --max-nodes 2000 --at-step 500
    -o OUT/step.png
twenty-five: render examples/puzzles/twenty-five.txt -s mrv+singles --size 640x360 --at-step 100
    -o OUT/step.png
jigsaw: render examples/puzzles/jigsaw.txt --size 320x180 --fps 10 --duration 3s -o OUT/film.webp
diagonals: render examples/puzzles/diagonals.txt --size 640x360 --at-step 40 -o OUT/step.png
windows: render examples/puzzles/windows.txt --size 640x360 --at-step 40 -o OUT/step.png

# other commands
batch: batch - -q -j 2 -o OUT < manifest
solve: solve examples/puzzles/medium.txt -s mrv+cbj -s exact-cover --json > counts.json
stats: stats examples/puzzles/medium.txt -s row-major -s mrv+singles --json > moments.json
trace: trace examples/puzzles/hard.txt -s mrv+singles+locked -o OUT/search.jsonl.gz
trace-jsonl: trace examples/puzzles/jigsaw.txt -s mrv+nogoods --max-nodes 200 -o - > search.jsonl
trace-parquet: trace examples/puzzles/six.txt -o OUT/search.parquet
trace-posthoc: trace examples/puzzles/six.txt --format posthoc -o OUT/search.trace.json
study: study examples/puzzles/published.sdm -s row-major mrv mrv+singles --max-nodes 5000 --json
    -j 2 -o OUT/searches.csv --figure OUT/nodes.svg --wins OUT/wins.png > summary.json
generate: generate -n 3 --seed 5 --givens 26-30 --symmetry half-turn --json > puzzles.json
list: list strategies --json > strategies.json
again: render --again docs/media/demo.gif --size 320x180 --fps 5 --theme light -o OUT/film.gif
info: render examples/puzzles/easy.txt --size 320x180 --fps 5 --duration 4s -o OUT/film.webp
    | info OUT/film.webp --json > info.json
"""

INPUTS = {
    "eliminations": """\
{"undoku":2,"size":4,"givens":"1...............","title":"A solver"}
["place",1,2,{"rule":"lowest value"}]
["eliminate",2,2,{"rule":"locked candidates","unit":"row 1"}]
["eliminate",3,2]
["place",2,3,"forced",{"rule":"hidden-single","unit":"row 1"}]
["eliminate",3,3]
["place",3,4,"forced",{"rule":"naked-single"}]
["probe",4,2]
["undo",3]
["restore",3,3]
["undo",2]
["restore",3,2]
["restore",2,2]
["restart"]
["undo",1]
["learn",1]
["place",1,3]
{"outcome":"capped"}
""",
    "cut-short": """\
{"undoku":1,"size":4,"givens":"1.3...1..1......","strategy":"row-major"}
["place",1,2]
["place",3,4]
["place",4,3]
["undo",4]
["place",4,4]
["pla""",
    "mix.toml": """\
scale = "pentatonic"
low = 200
[place]
timbre = "wood"
volume = -3
[collapse]
timbre = "pluck"
[[search]]
volume = -6
pan = 0.5
""",
    "manifest": """\
[defaults]
fps = 5
duration = "4s"
[collections.articles]
file = "examples/puzzles/published.sdm"
range = "1-2"
[[jobs]]
name = "{number}-{theme}-{size}"
[jobs.matrix]
puzzles = ["@articles"]
sizes = ["320x180", "180x320"]
themes = ["dark"]
formats = ["mp4"]
""",
}


class Case(NamedTuple):
    """A case: its name and its commands, each of which reads what the one before it printed; the
    first one reads the text `given`; what the last one prints is written to `printed`, if named."""

    name: str
    commands: Sequence[Sequence[str]]
    given: str
    printed: str


def _case(line: str) -> Case:
    name, _, text = line.partition(":")
    words = shlex.split(text)
    marked = {mark: words[words.index(mark) + 1] for mark in "<>" if mark in words}
    words = words[: min([words.index(mark) for mark in marked], default=len(words))]
    ends = [-1, *(index for index, word in enumerate(words) if word == "|"), len(words)]
    commands = [words[end + 1 : next_end] for end, next_end in pairwise(ends)]
    given = INPUTS[marked["<"]] if "<" in marked else ""
    return Case(name, commands, given, marked.get(">", ""))


CASES = [_case(line) for line in re.split(r"\n(?=\S)", TABLE) if line and line[0] != "#"]
"""All cases, in the order in which they begin."""

_REPORT = ("report", "report.html")
"""What a batch writes about itself, with its duration."""


class Sum(NamedTuple):
    """The checksum of a file, and its size in bytes."""

    digest: str
    size: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the files of the cases with the list, or write the list; 1 if anything differs or a
    command fails, else 0."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.checksums",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--write", action="store_true", help="write the list anew")
    parser.add_argument("--only", nargs="+", metavar="PATTERN", default=["*"], help="cases to run")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="cases at once; 2")
    options = parser.parse_args(arguments)
    cases = [case for case in CASES if any(fnmatch(case.name, name) for name in options.only)]
    if not cases:
        parser.error(f"no case matches {' '.join(options.only)}")
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="checksums-") as name:
        made, failures = made_by(cases, Path(name), options.jobs)
        print("\n".join(failures), end="\n" if failures else "")
        known = _read() if LIST.exists() else {}
        names = {case.name for case in cases}
        before = {file: known[file] for file in known if file.split("/")[0] in names}
        differing = [] if options.write else list(_differences(before, made, Path(name)))
    if options.write and not failures:
        _write({file: known[file] for file in known if file not in before} | made)
    print("\n".join(differing), end="\n" if differing else "")
    seconds = time.monotonic() - started
    print(f"{len(made)} files of {len(cases)} cases, {len(differing)} differ, {seconds:.0f} s")
    return 1 if differing or failures else 0


def made_by(cases: Sequence[Case], folder: Path, jobs: int) -> tuple[dict[str, Sum], Sequence[str]]:
    """The checksums of the files that the cases write into `folder`, by their names, and a line for
    each case that failed; `jobs` cases run at once."""
    (folder / "inputs").mkdir()
    for name, text in INPUTS.items():
        (folder / "inputs" / name).write_text(text)
    with ThreadPoolExecutor(jobs) as threads:
        failures = list(threads.map(lambda case: _run(case, folder / case.name), cases))
    made = {
        f"{case.name}/{path.name}": _sum(path)
        for case in cases
        for path in sorted((folder / case.name).iterdir())
        if path.name not in _REPORT and not path.name.startswith(".")
    }
    return made, [failure for failure in failures if failure]


def _run(case: Case, folder: Path) -> str:
    """Run the commands of a case, and say how they failed, if they did."""
    folder.mkdir()
    passed = case.given.encode()
    for words in case.commands:
        program = [] if words[0].endswith(".py") else ["-m", "undoku"]
        named = [re.sub("^IN/", f"{folder.parent}/inputs/", word) for word in words]
        named = [re.sub("^OUT", str(folder), word) for word in named]
        command = [sys.executable, *program, *named]
        done = subprocess.run(command, cwd=ROOT, input=passed, capture_output=True, check=False)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            return f"{case.name}: exit code {done.returncode}: {said}"
        passed = done.stdout
    if case.printed:
        shown = re.sub(rb'"seconds": [^,\s]+', b'"seconds": 0', passed)
        (folder / case.printed).write_bytes(shown)
    return ""


def _sum(path: Path) -> Sum:
    """The checksum of a file, or of all files of a folder, one after the other."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    content = b"".join(file.read_bytes() for file in files if file.is_file())
    return Sum(hashlib.sha256(content).hexdigest(), len(content))


def _differences(before: Mapping[str, Sum], made: Mapping[str, Sum], folder: Path) -> Iterator[str]:
    """A line for each file whose sum differs. Those that were made are kept."""
    shutil.rmtree(KEPT, ignore_errors=True)
    for name in sorted({*before, *made}):
        old, new = before.get(name), made.get(name)
        if old == new:
            continue
        if new:
            kept = KEPT / name
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(folder / name, kept)
        sizes = [f"{sum.size:,} bytes" if sum else "not there" for sum in (old, new)]
        yield f"{name}: {sizes[0]} before, {sizes[1]} now"


def _read() -> dict[str, Sum]:
    lines = (line.split(maxsplit=2) for line in LIST.read_text().splitlines())
    return {name: Sum(digest, int(size)) for digest, size, name in lines}


def _write(sums: Mapping[str, Sum]) -> None:
    lines = (f"{sums[name].digest} {sums[name].size:9} {name}\n" for name in sorted(sums))
    LIST.write_text("".join(lines))


if __name__ == "__main__":
    sys.exit(main())
