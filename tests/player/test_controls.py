"""Everything in a page that can be pressed, typed or pointed at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from tests.support.browser_pages import OpenedPage, opened_page
from tests.support.films import made, saved
from undoku import Limits, Puzzle
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.trace.replay import state_at

Check = Callable[[OpenedPage], object]

LAST = 17_536
"""Steps of the longer search."""


def at_step(page: OpenedPage) -> int:
    step: int = page.run("undoku.step")
    return step


def is_at(step: int, page: OpenedPage) -> None:
    assert at_step(page) == step


def is_at_backtrack(way: int, page: OpenedPage) -> None:
    """At the nearest step, of step 100 on, at which a guess is taken back and one was below it."""
    step = at_step(page)
    assert step > 100 if way > 0 else step < 100
    page.drawn()
    assert page.run("document.querySelectorAll('.cell.undoing').length") >= 1


def plays(page: OpenedPage) -> None:
    assert page.run("undoku.playing") is True
    page.run("undoku.pause()")


def has_speed(speed: str, page: OpenedPage) -> None:
    assert page.page.input_value(".speed") == speed
    page.page.select_option(".speed", "1")


def says_that_it_is_copied(page: OpenedPage) -> None:
    page.page.wait_for_selector(".toast.shown")
    copied = page.run("navigator.clipboard.readText()")
    assert copied == page.page.url.split("#")[0] + "#step=100"


def shows_keys(page: OpenedPage) -> None:
    assert page.page.is_visible("dialog[open] kbd")
    page.page.keyboard.press("Escape")
    assert page.page.query_selector("dialog[open]") is None


def walks(page: OpenedPage) -> None:
    page.page.focus(".search:first-child [data-cell='0']")
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "End", "Home"):
        page.page.keyboard.press(key)
    assert page.run("document.activeElement.dataset.cell") == "9"
    page.page.keyboard.press("ArrowRight")
    assert page.run("document.activeElement.dataset.cell") == "10"
    assert at_step(page) == 100


def closes(page: OpenedPage) -> None:
    page.page.focus(".search:first-child [data-cell='0']")
    page.page.wait_for_selector(".cell-card:not([hidden])")
    page.page.keyboard.press("Escape")
    page.page.wait_for_selector(".cell-card", state="hidden")


KEYS: dict[str, tuple[str, Check]] = {
    "Space": (" ", plays),
    "K": ("k", plays),
    "←": ("ArrowLeft", partial(is_at, 99)),
    "→": ("ArrowRight", partial(is_at, 101)),
    "⇧ ←": ("Shift+ArrowLeft", partial(is_at_backtrack, -1)),
    "⇧ →": ("Shift+ArrowRight", partial(is_at_backtrack, 1)),
    "Page ↑": ("PageUp", partial(is_at, 6)),
    "Page ↓": ("PageDown", partial(is_at, 338)),
    "Home": ("Home", partial(is_at, 0)),
    "End": ("End", partial(is_at, LAST)),
    "−": ("-", partial(has_speed, "0.5")),
    "+": ("+", partial(has_speed, "2")),
    "C": ("c", says_that_it_is_copied),
    "← ↑ → ↓": ("", walks),
    "?": ("?", shows_keys),
    "Esc": ("", closes),
}
"""What is pressed for each key that the page lists, and what it does at step 100."""


def test_each_key_that_the_page_lists_does_what_it_says(browser: Any, race_page: str) -> None:
    with opened_page(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.open(race_page)
        page.page.keyboard.press("?")
        listed = page.run(
            "[...document.querySelectorAll('dialog[open] kbd')].map(k => k.innerText)"
        )
        page.page.keyboard.press("Escape")
        assert listed == list(KEYS)
        for name, (key, check) in KEYS.items():
            page.run("document.activeElement.blur()")
            page.run("undoku.seek(100)")
            if key:
                page.page.keyboard.press(key)
            try:
                check(page)
            except AssertionError as error:
                raise AssertionError(f"key {name}") from error
        assert page.wrong == []


def test_a_held_control_key_is_left_to_the_browser(page: OpenedPage, race_page: str) -> None:
    page.open(f"{race_page}#step=100")
    page.page.keyboard.press("Control+ArrowRight")
    page.page.keyboard.press("Alt+k")
    assert at_step(page) == 100 and not page.run("undoku.playing")


NAMES = """() => [...document.querySelectorAll(
  "button, select, input, canvas, a, summary, textarea, [onclick], [role=button]")].map((one) =>
    one.getAttribute("aria-label") || one.closest("label")?.innerText || one.textContent)"""
"""The names of everything that can be pressed, in the order of the page."""


class Pressed:
    """What is done with each thing of a page, by its name, and what must follow."""

    def __init__(self, page: OpenedPage) -> None:
        self.page, self.tab = page, page.page

    def press(self, name: str) -> None:
        self.tab.get_by_role("button", name=name, exact=True).click()

    def pressing(self, name: str, check: Check) -> None:
        self.press(name)
        check(self.page)

    def choosing_panel(self, panel: str, region: str) -> None:
        self.press("Panels")
        box = self.tab.locator(f"#menu-panels input[value={panel}]")
        for _ in range(2):
            shown = not box.is_checked()
            box.click()
            self.page.drawn()
            assert self.tab.locator(region).first.is_visible() is shown
        self.press("Panels")
        assert not self.tab.is_visible("#menu-panels")

    def choosing_theme(self, theme: str, background: str) -> None:
        self.press("Colours")
        self.tab.locator(f"#menu-theme input[value={theme}]").check()
        assert (
            self.page.run("getComputedStyle(document.documentElement).backgroundColor")
            == background
        )
        self.press("Colours")

    def sharing(self, name: str, copied: str) -> None:
        self.press("Share")
        self.press(name)
        self.page.until(f"() => navigator.clipboard.readText().then(t => t === {copied!r})")
        self.press("Share")

    def save_picture(self) -> None:
        self.press("Share")
        with self.tab.expect_download() as download:
            self.press("Save this picture")
        assert download.value.suggested_filename == "undoku-step100.png"
        with Image.open(download.value.path()) as picture:
            assert picture.format == "PNG" and picture.width > 1000
        self.press("Share")

    def enlarging(self, number: int) -> None:
        for large in (True, False):
            self.tab.hover(f".search:nth-child({number}) .board")
            self.tab.click(f".search:nth-child({number}) .enlarge")
            self.tab.wait_for_timeout(30)
            sides = self.page.run(
                "[...document.querySelectorAll('.search')]"
                ".map(s => parseInt(s.style.getPropertyValue('--side')))"
            )
            assert (sides[number - 1] > 1.5 * sides[2 - number]) is large

    def pointing(self, selector: str, share: float, holds: Callable[[int], bool]) -> None:
        """Pointing at a chart shows the step for as long as the mouse is there; after a click it
        stays."""
        self.page.run("undoku.seek(100)")
        self.page.drawn()
        box = self.tab.locator(selector).bounding_box()
        assert box
        x, y = box["x"] + box["width"] * share, box["y"] + 8
        self.tab.mouse.move(x, y)
        assert holds(at_step(self.page)), at_step(self.page)
        self.tab.mouse.move(5, 5)
        assert at_step(self.page) == 100
        self.tab.mouse.click(x, y)
        self.tab.mouse.move(5, 5)
        assert holds(at_step(self.page))

    def type_step(self) -> None:
        self.tab.fill(".step", "2,816")
        self.tab.press(".step", "Enter")
        assert at_step(self.page) == 2816

    def slide(self) -> None:
        self.tab.locator("input.bar").fill("600")
        assert at_step(self.page) > 0
        assert self.tab.locator("input.bar").get_attribute("aria-valuetext")

    def choose_speed(self) -> None:
        self.tab.select_option(".speed", "4")
        self.press("Play")
        self.page.until("undoku.step > 100")
        self.press("Pause")
        self.tab.select_option(".speed", "1")

    def close(self) -> None:
        self.press("Keys")
        self.press("Close")
        assert self.tab.query_selector("dialog[open]") is None

    def again(self) -> None:
        self.tab.locator("input.bar").fill("100000")
        self.tab.locator(".end-card .again").click()
        assert self.page.run("undoku.playing")
        self.page.drawn()
        assert not self.tab.is_visible(".end-card")
        self.page.run("undoku.pause()")

    def opens(self, name: str, menu: str) -> None:
        self.press(name)
        assert self.tab.is_visible(menu)
        self.tab.keyboard.press("Escape")
        assert not self.tab.is_visible(menu)
        self.press(name)
        self.tab.mouse.click(5, 5)
        assert not self.tab.is_visible(menu)

    def table(self, command: str) -> dict[str, Callable[[], None]]:
        address = self.tab.url.split("#")[0] + "#step=100"
        depth = "Depth of the searches over their steps. Press on it to go to a step."
        tree = "Search tree of {}. Press on it to go to a step."
        dark, light = "rgb(18, 21, 28)", "rgb(246, 245, 241)"
        return {
            "To the highlight before": partial(
                self.pressing, "To the highlight before", partial(is_at, 6)
            ),
            "To the backtrack before": partial(
                self.pressing, "To the backtrack before", partial(is_at_backtrack, -1)
            ),
            "One step back": partial(self.pressing, "One step back", partial(is_at, 99)),
            "Play": partial(self.pressing, "Play", plays),
            "One step on": partial(self.pressing, "One step on", partial(is_at, 101)),
            "To the next backtrack": partial(
                self.pressing, "To the next backtrack", partial(is_at_backtrack, 1)
            ),
            "To the next highlight": partial(
                self.pressing, "To the next highlight", partial(is_at, 338)
            ),
            "Position in the film": self.slide,
            "Go to step": self.type_step,
            "Speed": self.choose_speed,
            "Panels": partial(self.opens, "Panels", "#menu-panels"),
            "Depth over time": partial(self.choosing_panel, "depth", ".depth"),
            "Search tree": partial(self.choosing_panel, "tree", ".trees"),
            "Why, in words": partial(self.choosing_panel, "why", ".why"),
            "Code: the line that runs": partial(self.choosing_panel, "code", ".code"),
            "Options": partial(self.choosing_panel, "candidates", ".cell.pencil"),
            "All counters": partial(self.choosing_panel, "counters", ".counters .extra"),
            "Heat: how often each cell was tried": partial(
                self.choosing_panel, "heat", ".cell.shade-0"
            ),
            "Colours": partial(self.opens, "Colours", "#menu-theme"),
            "Light": partial(self.choosing_theme, "light", light),
            "Strong contrast": partial(self.choosing_theme, "contrast", "rgb(0, 0, 0)"),
            "Dark": partial(self.choosing_theme, "dark", dark),
            "As the system": partial(self.choosing_theme, "system", dark),
            "Share": partial(self.opens, "Share", "#menu-share"),
            "Copy link to this step": partial(self.sharing, "Copy link to this step", address),
            "Save this picture": self.save_picture,
            "Copy the command for this film": partial(
                self.sharing, "Copy the command for this film", f"{command} -o race.html"
            ),
            "Copy the command for this picture": partial(
                self.sharing,
                "Copy the command for this picture",
                f"{command} --at-step 100 -o step100.png",
            ),
            "Keys": partial(self.pressing, "Keys", shows_keys),
            "Close": self.close,
            "Show Row by row large": partial(self.enlarging, 1),
            "Show Fewest options first large": partial(self.enlarging, 2),
            "Watch again": self.again,
            depth: partial(
                self.pointing, ".depth canvas", 0.25, lambda step: abs(step - LAST // 4) < 20
            ),
            tree.format("Row by row"): lambda: None,  # as the next one, with fewer nodes to meet
            tree.format("Fewest options first"): partial(
                self.pointing, ".trees figure:last-child canvas", 0.5, lambda step: step <= 534
            ),
        }


def test_each_thing_that_can_be_pressed_does_what_it_says(
    browser: Any, race: Film, tmp_path: Path
) -> None:
    """The list is read from the page, so that nothing new is left untested."""
    command = "undoku render medium.txt --title 'a b'"
    address = saved(Film(race.traces, settings_of({}), command), tmp_path)
    with opened_page(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.open(address)
        table = Pressed(page).table(command)
        names = {name.strip() for name in page.run(NAMES)}
        assert names == set(table)
        for name, act in table.items():
            page.run("document.activeElement.blur()")
            page.run("undoku.seek(100)")
            if name.startswith("Search tree of"):
                page.run("location.hash = '#step=100&panels=tree'")
                page.page.wait_for_selector(".trees canvas")
            try:
                act()
            except Exception as error:
                raise AssertionError(f"{name}: {error}") from error
        assert page.wrong == []


def test_a_solution_that_is_pressed_leads_to_its_step(page: OpenedPage, tmp_path: Path) -> None:
    many = Puzzle((1,) + (0,) * 15, standard_geometry(4))
    film = made(many, "mrv", limits=Limits(300, exhaustive=True))
    page.open(saved(film, tmp_path) + "#step=150&panels=solutions")
    page.drawn()
    counted = state_at(film.traces[0], 150).solutions
    assert page.page.inner_text(".solutions .found") == f"{counted} solutions found"
    box = page.page.locator(".solutions canvas").bounding_box()
    assert box
    page.page.mouse.click(box["x"] + 4, box["y"] + 20)
    assert "." not in page.run("undoku.board(0)")
    assert page.page.inner_text(".solutions .found") == "1 solution found"
    assert page.run("document.querySelector('.board').classList.contains('just-found')")


def test_a_cell_shows_its_candidates_and_the_cells_that_exclude_others(
    page: OpenedPage, race_page: str
) -> None:
    page.open(f"{race_page}#step=20")
    page.page.hover(".search:first-child [data-cell='30']")
    page.page.wait_for_selector(".cell-card:not([hidden])")
    page.drawn()
    text = page.page.inner_text(".cell-card")
    assert text.startswith("Row 4, column 4\noptions: ")
    assert "not 1: row 4, column 2" in text and "never tried" in text
    assert page.run("document.querySelectorAll('.search:first-child .excluding').length") > 5
    page.page.mouse.move(5, 5)
    page.page.focus(".search:first-child [data-cell='0']")
    page.drawn()
    assert "tried once" in page.page.inner_text(".cell-card")
    assert "last changed at step 1" in page.page.inner_text(".cell-card")
    page.page.keyboard.press("ArrowRight")
    assert page.run("document.activeElement.dataset.cell") == "1"
    assert page.run("undoku.step") == 20


def test_a_touched_cell_shows_its_details(browser: Any, race_page: str) -> None:
    with opened_page(browser, (390, 780), has_touch=True, is_mobile=True) as page:
        page.open(f"{race_page}#step=20")
        page.page.tap(".search:first-child [data-cell='30']")
        page.page.wait_for_selector(".cell-card:not([hidden])")
        assert page.page.inner_text(".cell-card").startswith("Row 4, column 4")
        page.page.tap(".play")
        assert page.run("undoku.playing")
        assert page.page.is_visible(".enlarge")
        assert page.wrong == []
