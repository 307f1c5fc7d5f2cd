"""How pages of the player look, on screens of all sizes, and who can use them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from PIL import Image

from tests.support.amounts import long
from tests.support.browser_pages import AXE, OpenedPage, opened_page
from tests.support.films import made, puzzle_of, saved
from tests.support.golden import FOLDER
from tests.support.puzzles import EASY
from undoku.render.film.film import Film

LIGHT: tuple[Literal["light"], str] = ("light", "rgb(246, 245, 241)")
DARK: tuple[Literal["dark"], str] = ("dark", "rgb(18, 21, 28)")
"""A preference of a system, and the background of a page that follows it."""

SIZES = {"phone": (390, 780), "tablet": (820, 1100), "desktop": (1440, 900)}


@pytest.mark.parametrize("size", [(640, 360), long((844, 390)), (820, 1100), long((3840, 2160))])
def test_pages_of_any_size_show_whole_boards(
    page: OpenedPage, race_page: str, size: tuple[int, int]
) -> None:
    page.view(size)
    page.open(f"{race_page}#step=132")
    assert page.run("document.documentElement.scrollWidth") <= size[0]
    for number in (1, 2):
        box = page.page.locator(f".search:nth-child({number}) .board").bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        assert box["width"] == pytest.approx(box["height"], abs=1)
        assert box["width"] >= 130
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
    controls = page.page.locator(".controls").bounding_box()
    assert controls and controls["x"] >= 0 and controls["x"] + controls["width"] <= size[0]


@pytest.mark.parametrize(
    ("size", "least"), [((320, 568), 200), long((390, 740), 260), ((390, 844), 366)]
)
def test_a_phone_upright_shows_one_large_board_and_the_names_of_all(
    page: OpenedPage, race_page: str, size: tuple[int, int], least: int
) -> None:
    page.view(size)
    page.open(f"{race_page}#step=132")
    page.drawn()
    last = page.page.locator(".search:last-child").bounding_box()
    charts = page.page.locator(".charts").bounding_box()
    assert last and (not charts or last["y"] + last["height"] <= charts["y"])
    page.run("undoku.play()")
    page.run("undoku.pause()")
    page.drawn()
    (board,) = page.page.locator(".board:visible").all()
    box = board.bounding_box()
    assert box and box["x"] >= 0 and least <= box["width"] <= size[0]
    assert box["y"] + box["height"] <= size[1]
    names = page.page.locator(".search h2:visible").all_inner_texts()
    assert names == ["Row by row", "Fewest options first"]
    page.page.click(".search:last-child .enlarge")
    assert page.page.is_visible(".search:last-child .board")
    assert not page.page.is_visible(".search:first-child .board")


def test_a_printed_page_is_its_picture_in_light_colours(page: OpenedPage, race_page: str) -> None:
    page.open(f"{race_page}#step=132")
    page.page.emulate_media(media="print")
    page.drawn()
    assert not page.page.is_visible(".controls")
    assert page.page.is_visible(".search:last-child .board")
    assert page.run("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(246, 245, 241)"
    )


def test_a_page_follows_the_colours_and_reduced_motion_of_the_system(
    page: OpenedPage, race_page: str
) -> None:
    for scheme, background in (LIGHT, DARK):
        page.view(color_scheme=scheme, reduced_motion="reduce")
        page.open(race_page)
        style = "getComputedStyle(document.documentElement).backgroundColor"
        assert page.run(style) == background
        style = "getComputedStyle(document.querySelector('.board')).transitionDuration"
        assert page.run(style) == "0s"


def test_a_page_in_hebrew_runs_from_right_to_left(page: OpenedPage, tmp_path: Path) -> None:
    film = made(puzzle_of(EASY.grid), "mrv", "row-major", texts="he")
    page.open(saved(film, tmp_path))
    assert page.run("document.documentElement.dir") == "rtl"
    first, second = (page.page.locator(f".search:nth-child({n})").bounding_box() for n in (1, 2))
    assert first and second and first["x"] > second["x"]
    assert page.page.locator(".board").first.evaluate("b => getComputedStyle(b).direction") == "ltr"
    for button in page.run("[...document.querySelectorAll('button')].map(b => b.title)"):
        assert not any("a" <= mark <= "z" for mark in button)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (npm install in player/)")
@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.long)])
def test_axe_finds_nothing_that_keeps_readers_out(
    browser: Any, race_page: str, scheme: str
) -> None:
    with opened_page(browser, color_scheme=scheme, bypass_csp=True) as page:
        page.open(f"{race_page}#step=132&panels=depth,tree,why,candidates,counters")
        moments = {
            "boards": "",
            "keys": "document.querySelector('.keys').click()",
            "menu": "document.querySelector('dialog').close();"
                    "document.querySelector('[aria-controls=menu-panels]').click()",
            "heat": "undoku.seek(534); document.querySelector('[value=heat]').click()",
            "card": "undoku.seek(17536); document.querySelector('.bar').value = 1e9;"
                    "document.querySelector('.bar').dispatchEvent(new Event('input'))",
        }  # fmt: skip
        for name, script in moments.items():
            page.run(f"() => {{ {script} }}")
            page.drawn()
            # Of the second board nothing that the first doesn't have.
            reported = page.kept_out(".search:last-child .board")
            assert not reported, f"{name}: {json.dumps(reported, indent=1)}"


@pytest.mark.parametrize("name", SIZES)
def test_pages_look_as_they_should(
    page: OpenedPage, race_page: str, name: str, request: pytest.FixtureRequest
) -> None:
    """Golden pictures, compared by the mean of each patch: letters differ between machines."""
    path = FOLDER / f"player-{name}.png"
    page.view(SIZES[name], reduced_motion="reduce")
    page.open(f"{race_page}#step=132")
    page.drawn()
    if request.config.getoption("--golden-regenerate"):
        page.page.screenshot(path=path)
        with Image.open(path) as shot:
            shot.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
        return
    picture = np.frombuffer(page.page.screenshot(), np.uint8)
    with Image.open(io.BytesIO(picture.tobytes())) as shot, Image.open(path) as golden:
        patches = [np.asarray(one.convert("RGB").reduce(12), np.int16) for one in (shot, golden)]
    difference = np.abs(patches[0] - patches[1]).max(2)
    assert (difference > 40).mean() < 0.02


def test_a_page_shows_its_boards_before_its_load_event(browser: Any, race_page: str) -> None:
    """A browser's `--screenshot` takes it then, however long unpacking the steps takes."""
    with opened_page(browser) as page:
        page.page.add_init_script("""const { arrayBuffer } = Response.prototype;
          Response.prototype.arrayBuffer = async function slowly() {
            await new Promise((go) => setTimeout(go, 300));
            return arrayBuffer.call(this);
          };""")
        page.page.goto(race_page)  # which waits for the event
        assert page.page.locator("[data-ready] .board:visible").count() == 2
        assert page.wrong == []


def test_boards_have_no_orange_before_the_first_wrong_digit_is_explained(
    page: OpenedPage, race_page: str, race: Film
) -> None:
    """Guessed digits, those that are taken back, and cells that change often have it later."""
    page.open(race_page)
    colours = """() => [...document.querySelectorAll(".board [data-cell]")].map((cell) => {
      const { color, backgroundColor } = getComputedStyle(cell);
      const seen = cell.textContent.trim() && color !== "rgba(0, 0, 0, 0)";
      return seen ? [color, backgroundColor].join() : "";
    })"""
    seek = """(frame) => {
      const bar = document.querySelector(".bar-line .bar");
      bar.value = frame;
      bar.dispatchEvent(new Event("input"));
    }"""
    answer = race.timeline.answer
    assert answer
    shown = []
    for frame in (answer.frames // 2, answer.frames * 2 // 3, race.timeline.frames * 2 // 3):
        page.run(seek, frame)
        page.drawn()
        shown.append(len({*page.run(colours)} - {""}))
    assert shown[:2] == [2, 2]  # givens, and all other digits
    assert shown[2] > 2


@pytest.mark.parametrize(
    ("before", "after"), [((1000, 513), (1000, 600)), ((800, 457), (800, 600))]
)
def test_a_page_whose_window_grows_is_laid_out_for_its_new_size(
    page: OpenedPage, race_page: str, before: tuple[int, int], after: tuple[int, int]
) -> None:
    """Also if the boards were too large for the window before, or everything was beside them, as in
    a page that is opened by a browser's `--screenshot`."""
    page.view(before)
    page.open(f"{race_page}#step=132")
    page.view(after)
    page.drawn()
    charts = page.page.locator(".charts").bounding_box()
    for search in page.page.locator(".search").all():
        box = search.bounding_box()
        assert box and charts and box["y"] + box["height"] <= charts["y"]
