"""Pages in Firefox and in WebKit, driven by the W3C's protocols.

Firefox is asked by WebDriver BiDi over a web socket (https://www.w3.org/TR/webdriver-bidi/), WebKit
by WebDriver over HTTP (https://www.w3.org/TR/webdriver2/) through the driver that comes with it. No
more is used than opening a page, running a script and pressing keys. Playwright drives its own
builds of both alone, and Selenium needs a driver of Firefox that Debian does not have.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from tests.support.waiting import PATIENCE, until

_KEYS = {"ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Home": "\ue011", "End": "\ue010"}
"""Keys without a letter, as both protocols call them."""

_MINI_BROWSER = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))


class DrivenPage(ABC):
    """A page in a browser. `wrong` are the errors of its scripts and what its console was told."""

    def __init__(self) -> None:
        self.wrong: list[str] = []

    @abstractmethod
    def open(self, address: str) -> None:
        """Load a page."""

    @abstractmethod
    def run(self, script: str) -> Any:
        """The value of an expression in the page, as JSON has it."""

    @abstractmethod
    def press(self, key: str) -> None:
        """Press a key and let it go."""

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        until(lambda: self.run(script))


def _actions(key: str) -> list[dict[str, Any]]:
    value = _KEYS.get(key, key)
    return [
        {
            "type": "key",
            "id": "keyboard",
            "actions": [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}],
        }
    ]


class _Firefox(DrivenPage):
    def __init__(self, connection: Any) -> None:
        super().__init__()
        self._socket = connection
        self._asked = 0
        self._ask("session.new", {"capabilities": {}})
        self._ask("session.subscribe", {"events": ["log.entryAdded"]})
        self._context = self._ask("browsingContext.getTree", {})["contexts"][0]["context"]

    def _ask(self, method: str, values: dict[str, Any]) -> Any:
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": values}))
        while True:
            answer = json.loads(self._socket.recv(timeout=PATIENCE))
            if answer.get("method") == "log.entryAdded":
                self.wrong.append(answer["params"]["text"])
            elif answer.get("id") == self._asked:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, address: str) -> None:
        where = {"context": self._context, "url": address, "wait": "complete"}
        self._ask("browsingContext.navigate", where)

    def run(self, script: str) -> Any:
        reported = self._ask(
            "script.evaluate",
            {
                "expression": f"JSON.stringify({script})",
                "target": {"context": self._context},
                "awaitPromise": True,
            },
        )
        assert reported["type"] == "success", reported
        return json.loads(reported["result"].get("value", "null"))

    def press(self, key: str) -> None:
        self._ask("input.performActions", {"context": self._context, "actions": _actions(key)})


class _WebKit(DrivenPage):
    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        options = {"binary": str(_MINI_BROWSER[-1]), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        found = self._ask("POST", "/session", {"capabilities": wanted})
        self.session = f"/session/{found['sessionId']}"

    def _ask(self, method: str, path: str, values: dict[str, Any] | None = None) -> Any:
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)) as connection:
            connection.request(method, path, None if values is None else json.dumps(values))
            answer = connection.getresponse()
            value = json.loads(answer.read())["value"]
        assert answer.status == 200, value
        return value

    def open(self, address: str) -> None:
        self._ask("POST", f"{self.session}/url", {"url": address})
        # The driver tells nothing of the console: from here on errors are kept in the page.
        self.run(
            "(window.wrong ??= [], addEventListener('error', (e) => wrong.push(e.message)), "
            "addEventListener('securitypolicyviolation', (e) => wrong.push(e.blockedURI)))"
        )

    def run(self, script: str) -> Any:
        values = {"script": f"return {script}", "args": []}
        return self._ask("POST", f"{self.session}/execute/sync", values)

    def press(self, key: str) -> None:
        self._ask("POST", f"{self.session}/actions", {"actions": _actions(key)})

    def close(self) -> None:
        with suppress(AssertionError, OSError, HTTPException):
            self.wrong += self.run("window.wrong ?? []")
            self._ask("DELETE", self.session)


def why_not(name: str) -> str:
    """Why pages can't be opened in a browser on this machine; "" where they can."""
    if name == "webkit":
        missing = [one for one in ("WebKitWebDriver", "Xvfb") if not shutil.which(one)]
        if missing or not _MINI_BROWSER:
            return f"WebKit can't be driven here: {', '.join(missing) or 'no MiniBrowser'}"
        return ""
    try:
        import websockets  # noqa: F401
    except ImportError:
        return "websockets is not installed"
    return "" if _firefox() else "there is no Firefox on this machine"


def _firefox() -> str:
    return shutil.which("firefox-esr") or shutil.which("firefox") or ""


@contextmanager
def opened_in(name: str) -> Iterator[DrivenPage]:
    """An empty page in "firefox" or "webkit", which ends with the block."""
    with DRIVEN[name]() as page:
        yield page


@contextmanager
def _opened_firefox() -> Iterator[DrivenPage]:
    from websockets.sync.client import connect

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        printed = Path(profile, "said.txt")
        command = [_firefox(), "--headless", "--no-remote", "--profile", profile]
        with (
            printed.open("w") as reported,
            _process([*command, "--remote-debugging-port", "0"], into=reported),
        ):
            address = until(lambda: _after(printed, "WebDriver BiDi listening on "))
            with connect(f"{address}/session", max_size=None, open_timeout=PATIENCE) as socket:
                yield _Firefox(socket)


@contextmanager
def _opened_webkit() -> Iterator[DrivenPage]:
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        number = Path(folder, "display.txt")
        with number.open("w") as reported:
            stack.enter_context(
                _process(["Xvfb", "-displayfd", "1", "-nolisten", "tcp"], into=reported)
            )
            display = until(lambda: number.read_text().strip())
        port = stack.enter_context(_web_kit_driver(display, Path(folder, "driver.txt")))
        page = _WebKit(port)
        try:
            yield page
        finally:
            page.close()


@contextmanager
def _web_kit_driver(display: str, shown: Path) -> Iterator[int]:
    """WebKit's driver on a port of its own, which another process may take between the search for
    one and the start of the driver: then the driver ends, and the next port is tried."""
    while True:
        port = _free_port()
        with (
            shown.open("w") as reported,
            _process(
                ["WebKitWebDriver", f"--port={port}"],
                DISPLAY=f":{display}",
                LIBGL_ALWAYS_SOFTWARE="1",
                NO_AT_BRIDGE="1",
                WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",  # containers have no user spaces
                into=reported,
            ) as driver,
        ):
            until(partial(_ended_or_answers, driver, port))
            if driver.poll() is None:
                yield port
                return


DRIVEN = {"firefox": _opened_firefox, "webkit": _opened_webkit}
"""The browsers, by name."""


@contextmanager
def _process(
    command: Sequence[str], *, into: Any, **variables: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is ended with the block."""
    environment = {**os.environ, **variables}
    with subprocess.Popen(command, env=environment, stdout=into, stderr=into) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _after(printed: Path, words: str) -> str:
    """What follows some words in a text that is being written."""
    return next(
        (line.split(words)[1] for line in printed.read_text().split("\n") if words in line), ""
    )


def _answers(port: int) -> bool:
    with closing(HTTPConnection("127.0.0.1", port, timeout=1)) as connection, suppress(OSError):
        connection.connect()
        return True
    return False


def _ended_or_answers(driver: subprocess.Popen[bytes], port: int) -> bool:
    return driver.poll() is not None or _answers(port)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
