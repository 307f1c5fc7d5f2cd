"""The player in Firefox and in WebKit, where they are installed."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from tests.support.amounts import long
from tests.support.films import made, puzzle_of, saved
from tests.support.puzzles import MEDIUM
from tests.support.system import PATIENCE
from undoku.solver.problem.appearance import SYMBOLS
from undoku.solver.trace.replay import state_at

# Pages in Firefox and in WebKit, which no library drives here: Playwright drives its own builds
# of both alone, and Selenium needs a driver of Firefox that Debian does not have. So a page that
# holds the tested one in a frame does what a test asks for, and sends what it finds to a server
# of the test.


_MINI_BROWSER = [*map(str, sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")))]
_FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

BROWSERS = {
    "firefox": [_FIREFOX, "--headless", "--no-remote", "--profile", "."] if _FIREFOX else [],
    "webkit": ["xvfb-run", "-a", *_MINI_BROWSER[-1:]] if _MINI_BROWSER else [],
}
"""The commands that open a page, without its address; none where a browser is not installed."""

_VARIABLES = {
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "NO_AT_BRIDGE": "1",
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # containers have no user spaces
}

_OUTER = """<!doctype html>
<iframe id="frame" width="1280" height="720"></iframe>
<script>
const wrong = [];
const until = async (holds) => {
  while (!holds()) await new Promise((done) => setTimeout(done, 10));
};
frame.onload = async () => {
  const page = frame.contentWindow;
  page.console.error = (...words) => wrong.push(words.join(" "));
  page.addEventListener("error", (event) => wrong.push(event.message));
  page.addEventListener("securitypolicyviolation", (event) => wrong.push(event.blockedURI));
  const found = await (SCRIPT)(page, until).catch((error) => wrong.push(String(error)));
  fetch("/", {method: "POST", body: JSON.stringify({found, wrong})});
};
frame.src = "PAGE";
</script>
"""


class _Handler(SimpleHTTPRequestHandler):
    """Serves the files of a folder, and takes the answer."""

    def __init__(self, *values: Any, answers: Queue[Any], **named: Any) -> None:
        self._answers = answers
        super().__init__(*values, **named)

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self._answers.put(json.loads(content))

    def log_message(self, *_: object) -> None: ...


def found_by(browser: str, folder: Path, page: str, script: str) -> tuple[Any, list[str]]:
    """What an asynchronous JavaScript function returns in a browser, and the errors there. It is
    given the window of the page, a file in `folder`, and a function that waits until another one
    returns something true."""
    (folder / "outer.html").write_text(
        _OUTER.replace("SCRIPT", script).replace("PAGE", page), encoding="utf-8"
    )
    profile = folder / "profile"
    profile.mkdir()
    answers: Queue[Any] = Queue()
    handler = partial(_Handler, answers=answers, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [*BROWSERS[browser], f"http://127.0.0.1:{server.server_port}/outer.html"]
        running = subprocess.Popen(
            command,
            cwd=profile,
            env=os.environ | _VARIABLES,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            answer = answers.get(timeout=PATIENCE)
        finally:
            os.killpg(running.pid, signal.SIGTERM)
            running.wait(PATIENCE)
            server.shutdown()
    return answer.get("found"), answer["wrong"]


STEPS = 8

SCRIPT = """async (page, until) => {
  await until(() => page.undoku?.step === 132);
  const {undoku, document} = page;
  const press = (key) => (document.activeElement ?? document.body).dispatchEvent(
    new page.KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const digits = () => [...document.querySelectorAll(".search:first-child .digit")];
  const found = {cells: document.querySelectorAll(".board .cell").length, boards: []};
  for (const step of STEPS) {
    undoku.seek(step);
    found.boards.push([undoku.board(0), undoku.board(1)]);
  }
  undoku.seek(100);
  press("ArrowRight");
  await until(() => undoku.step === 101);
  await until(() => document.querySelector(".step").value === "101");
  press("End");
  await until(() => undoku.step === LONGEST);
  await until(() => digits().map((digit) => digit.textContent).join("") === "SOLUTION");
  undoku.seek(0);
  undoku.play();
  await until(() => undoku.playing && undoku.step >= 1);
  press(" ");
  await until(() => !undoku.playing);
  return found;
}"""


@pytest.mark.parametrize("browser", [long("firefox"), long("webkit")])
def test_pages_load_seek_play_and_take_keys(browser: str, tmp_path: Path) -> None:
    """Boards are those of the traces, the film plays to its end card, and nothing goes wrong."""
    if not BROWSERS[browser]:
        pytest.skip(f"there is no {browser} on this machine")
    film = made(puzzle_of(MEDIUM.grid), "row-major", "mrv")
    saved(film, tmp_path)
    dice = random.Random(19)
    steps = sorted(dice.randint(0, film.timeline.longest) for _ in range(STEPS))
    script = SCRIPT.replace("STEPS", json.dumps(steps)).replace("SOLUTION", MEDIUM.solution)
    script = script.replace("LONGEST", str(film.timeline.longest))
    found, wrong = found_by(browser, tmp_path, "page.html#step=132", script)
    assert wrong == []
    assert found["cells"] == 162
    for step, boards in zip(steps, found["boards"], strict=True):
        for trace, board in zip(film.traces, boards, strict=True):
            held = state_at(trace, min(step, trace.tally().steps)).board
            assert board == "".join(SYMBOLS[v - 1] if v else "." for v in held)
