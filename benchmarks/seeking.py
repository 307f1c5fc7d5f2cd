"""The time of seeks in Chromium, for films of several sizes and distances of key frames. Each seek
goes to the picture before a key frame, which needs all pictures since the previous key frame.

    python -m benchmarks seeking [--seconds 5 10 20] [--size 1280x720]… [--fps 60]

The median of several seeks in each film is printed. Times are longer on a busy machine.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.direct import ROOT
from benchmarks.direct_errors import PUZZLE

SEEKS = 7
SIZES = ("640x360", "1280x720", "1920x1080", "1080x1920", "2560x1440", "3840x2160")

SEEK = """async ([name, times]) => {
  const film = document.createElement("video");
  film.muted = true;
  film.preload = "auto";
  document.body.append(film);
  const once = what => new Promise((found, lost) => {
    film.addEventListener(what, found, {once: true});
    film.addEventListener("error", () => lost(new Error(what)), {once: true});
  });
  const ready = once("canplaythrough");
  const bytes = await (await fetch(name)).arrayBuffer();
  film.src = URL.createObjectURL(new Blob([bytes], {type: "video/mp4"}));
  await ready;
  const spent = [];
  for (const [near, time] of times) {
    for (const to of [near, time]) {
      const start = performance.now();
      film.currentTime = to;
      await once("seeked");
      if (to == time) spent.push(performance.now() - start);
    }
  }
  film.remove();
  return spent;
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


def film(folder: Path, size: str, fps: int, seconds: float) -> str:
    """Write a film of single steps with a key frame every `seconds`; returns its name."""
    name = f"{size}-{seconds:g}.mp4"
    words = ["--pace", "even", "--steps-per-frame", "1", "--size", size, "--fps", str(fps)]
    words += ["--panels", "board,counters", "--encoder", "direct", "-q"]
    words += ["--key-interval", f"{seconds}s", "--to-step", str(int(fps * (seconds * 2.5 + 4)))]
    subprocess.run(
        [sys.executable, "-m", "undoku", "render", str(PUZZLE), *words, "-o", str(folder / name)],
        cwd=ROOT,
        check=True,
    )
    return name


def measured(page: Any, address: str, path: Path, fps: int) -> list[float]:
    """The milliseconds of each of several seeks."""
    from tests.support.decoding import film_index

    keys = film_index(path).key_frames
    last, before = keys[2], keys[1]
    times = [((before - 20 - n) / fps, (last - 1 - n + 0.5) / fps) for n in range(1, SEEKS + 1)]
    found: list[float] = page.evaluate(SEEK, [f"{address}/{path.name}", times])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, nargs="+", default=[5, 10, 20])
    parser.add_argument("--size", action="append")
    parser.add_argument("--fps", type=int, default=60)
    options = parser.parse_args()
    from tests.support.browser_pages import WHY_NOT, opened_browser

    if WHY_NOT:
        print(WHY_NOT)
        return
    with tempfile.TemporaryDirectory() as name, opened_browser() as browser:
        folder = Path(name)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        (folder / "page.html").write_text("<!doctype html><title>x</title>")
        page = browser.new_page()
        page.goto(f"{address}/page.html")
        for size in options.size or SIZES:
            for seconds in options.seconds:
                path = folder / film(folder, size, options.fps, seconds)
                spent = measured(page, address, path, options.fps)
                middle = statistics.median(spent)
                pictures = seconds * options.fps
                print(
                    f"{size:10} a key frame every {seconds:4g} s, {pictures:5.0f} pictures: "
                    f"{middle:6.0f} ms ({min(spent):.0f} to {max(spent):.0f}), "
                    f"{pictures / middle * 1000:,.0f} pictures/s",
                    flush=True,
                )
                path.unlink()
        server.shutdown()


if __name__ == "__main__":
    main()
