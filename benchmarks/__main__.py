"""Runs benchmarks and archives their output: python -m benchmarks [NAME [OPTION]…]

Without a name, every benchmark of this folder runs; with a name, only that one, with its options.
Each writes a page to benchmarks/results: date, machine, versions and output.
"""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).parent
PACKAGES = ("undoku", "numpy", "cython", "pillow", "imageio", "imageio-ffmpeg", "av", "pyarrow")


def benchmarks() -> list[str]:
    """The modules of this folder that can be run."""
    return sorted(
        path.stem
        for path in FOLDER.glob("*.py")
        if path.stem != "__main__" and "\ndef main(" in path.read_text(encoding="utf-8")
    )


def processor() -> str:
    """The processor's name, if the system provides it."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def conditions() -> list[str]:
    """The machine and the versions, one line each."""
    import imageio_ffmpeg

    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    commit = subprocess.run(
        ["git", "-C", str(FOLDER), "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return [
        f"date: {datetime.date.today().isoformat()}",
        f"machine: {processor()}, {os.cpu_count()} cores{load} when it began, {platform.system()}",
        f"python: {platform.python_version()}",
        f"ffmpeg: {imageio_ffmpeg.get_ffmpeg_version()}",
        f"versions: {', '.join(versions)}",
        *([f"commit: {commit}"] if commit else []),
    ]


def run(name: str, options: list[str]) -> int:
    """Run one benchmark; show and archive its output. Returns its exit status."""
    command = [sys.executable, "-u", "-m", f"benchmarks.{name}", *options]
    shown = " ".join(["python", "-m", "benchmarks", name, *options])
    page = [f"$ {shown}", *conditions(), ""]
    print("\n".join(page), flush=True)
    with (
        TemporaryDirectory() as bytecode,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            # Repeated commands use cached bytecode, as an installation does, even if the
            # environment disables it: parsing all sources takes 0.3 s.
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode},
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            page.append(line.rstrip())
    print(flush=True)
    if process.returncode == 0 and not {"-h", "--help"} & {*options}:
        results = FOLDER / "results"
        results.mkdir(exist_ok=True)
        (results / f"{name}.txt").write_text("\n".join(page) + "\n", encoding="utf-8")
    return process.returncode


def main() -> int:
    chosen = sys.argv[1:2]
    if chosen and chosen[0] not in benchmarks():
        print(__doc__, file=sys.stderr)
        print(f"benchmarks: {', '.join(benchmarks())}", file=sys.stderr)
        return 0 if chosen[0] in ("-h", "--help") else 2
    failed = [name for name in chosen or benchmarks() if run(name, sys.argv[2:])]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
