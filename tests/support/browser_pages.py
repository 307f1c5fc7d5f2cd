"""Pages of the player in a real browser: Debian's Chromium, driven by playwright."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from tests.support.system import PATIENCE, ROOT, until

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)

try:
    from playwright.sync_api import Browser, Error, Page, sync_playwright
except ImportError:
    WHY_NOT = "playwright is not installed"
else:
    WHY_NOT = "" if BROWSER else "there is no Chromium on this machine"

AXE = ROOT / "player" / "node_modules" / "axe-core" / "axe.min.js"
"""The script that looks for what keeps readers out; `npm install` in player/ brings it."""

_OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--hide-scrollbars",
            "--font-render-hinting=none")  # fmt: skip


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=list(_OPTIONS))
        try:
            yield browser
        finally:
            browser.close()


SIZE = (1280, 720)
"""Width and height of a page."""

_INPUTS = frozenset({"click", "down", "fill", "focus", "hover", "move", "press", "select_option",
                     "tap", "up", "wheel"})  # fmt: skip
_DEVICES = frozenset({"keyboard", "mouse", "touchscreen"})


class _Inputs:
    """A page, or a device of it, that waits after each input until what it asks for is drawn."""

    def __init__(self, target: Any, drawn: Callable[[], None]) -> None:
        self._target = target
        self._drawn = drawn

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        if name in _DEVICES:
            return _Inputs(found, self._drawn)
        if name not in _INPUTS:
            return found

        def put(*values: Any, **named: Any) -> Any:
            answer = found(*values, **named)
            # A page that is just being replaced draws nothing.
            with suppress(Error):
                self._drawn()
            return answer

        return put


class OpenedPage:
    """A page with what went wrong in it: errors of scripts, refusals by its policy, requests. After
    an input of `page` what it asks for is drawn."""

    def __init__(self, page: Page) -> None:
        self.page: Any = _Inputs(page, self.drawn)
        self.wrong: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda printed: self.wrong.append(printed.text))
        page.on("dialog", self._dialog)
        page.on("request", lambda asked: self.requests.append(asked.url))

    def _dialog(self, dialog: Any) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def clear(self) -> None:
        """Be as a page opened anew by `opened_page`, but for what is shown until another address is
        opened: an empty page between two pages costs the browser a process."""
        self.view()
        self.page.mouse.move(0, 0)
        self.wrong.clear()
        self.requests.clear()

    def view(
        self,
        size: tuple[int, int] = SIZE,
        color_scheme: Literal["dark", "light"] = "dark",
        reduced_motion: Literal["reduce", "no-preference"] = "no-preference",
    ) -> None:
        """Take this size, and prefer what a system can be set to."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(
            media="screen", color_scheme=color_scheme, reduced_motion=reduced_motion
        )

    def open(self, address: str) -> None:
        if self.page.url.partition("#")[0] == address.partition("#")[0]:
            self.page.goto("about:blank")  # or nothing would be loaded
        self.requests.clear()
        self.page.goto(address)
        self.page.wait_for_selector("[data-ready]", timeout=PATIENCE * 1000)

    def run(self, script: str, *values: Any) -> Any:
        """The value of a script in the page; a function is called with the values."""
        return self.page.evaluate(script, *values)

    def until(self, script: str) -> None:
        """Wait until a script in the page, or in the one that takes its place, has a true value.
        The browser's own way of waiting evaluates a text, which the player's policy forbids."""

        def holds() -> object:
            # A page that is just being replaced can't tell anything.
            with suppress(Error):
                return self.run(script)
            return False

        until(holds)

    def kept_out(self, without: str = "") -> list[object]:
        """What axe-core finds that keeps readers out, with two places of each, outside of the part
        that the selector `without` names. The page's policy must allow a further script."""
        self.page.add_script_tag(path=AXE)
        found = self.run(
            "without => axe.run(without ? {exclude: without} : document).then(r => r.violations)",
            without,
        )
        return [(one["id"], [node["html"][:160] + node["failureSummary"][:200]
                             for node in one["nodes"]][:2]) for one in found]  # fmt: skip

    def drawn(self) -> None:
        """Wait until what was asked for is drawn."""
        self.run("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


@contextmanager
def opened_page(
    browser: Browser, size: tuple[int, int] = SIZE, **context: Any
) -> Iterator[OpenedPage]:
    """An empty page of this size."""
    own = browser.new_context(viewport={"width": size[0], "height": size[1]},
                              **{"color_scheme": "dark", **context})  # fmt: skip
    own.set_default_timeout(PATIENCE * 1000)
    try:
        yield OpenedPage(own.new_page())
    finally:
        own.close()
