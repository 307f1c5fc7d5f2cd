"""The player in a real browser: its boards, its keys and buttons, and who can use it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from render.drawing.easel import Cell
from render.film import Film
from render.player.html_page import film_page
from render.preview.preview_server import PreviewServer
from render.preview.preview_source import FollowedSource
from render.settings import settings_of
from render.sinks.document.svg import cell_words
from solver import Limits, Puzzle, search
from solver.formats import read
from solver.puzzle import SYMBOLS, standard_geometry
from solver.state import State
from tests.support.browser_pages import AXE, WHY_NOT, OpenedPage, opened_browser, opened_page
from tests.support.golden import FOLDER
from tests.support.puzzles import EASY, MEDIUM
from tests.support.written_trace import WrittenTrace

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

PUZZLES = Path(__file__).parents[3] / "examples" / "puzzles"


def made(puzzle: Puzzle, *strategies: str, limits: Limits | None = None, **given: Any) -> Film:
    return Film([search(puzzle, one, limits or Limits()) for one in strategies], settings_of(given))


def puzzle_of(grid: str) -> Puzzle:
    return Puzzle(tuple(map(int, grid)))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with opened_browser() as found:
        yield found


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Film:
    return made(puzzle_of(MEDIUM.grid), "row-major", "mrv")


@pytest.fixture(scope="module")
def race_page(race: Film, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("race") / "race.html"
    path.write_text(film_page(race), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser: Any) -> Iterator[OpenedPage]:
    with opened_page(browser) as found:
        yield found
        assert found.wrong == []


def saved(film: Film, folder: Path, name: str = "page.html") -> str:
    (folder / name).write_text(film_page(film), encoding="utf-8")
    return (folder / name).as_uri()


READ = """async (steps) => {
  const found = [];
  for (const step of steps) {
    undoku.seek(step);
    await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
    found.push([...document.querySelectorAll(".board")].map((board) =>
      [...board.querySelectorAll("[data-cell]")].map((cell) =>
        [cell.className, cell.querySelector(".digit").textContent,
         cell.querySelector(".marks").textContent.replace(/\\s/g, "")])));
  }
  return found;
}"""
"""What the page shows of each cell at some steps: its classes, its digit, its pencil marks."""


def words(kind: str, digit: str, marks: str) -> str:
    """What a cell of the page shows, as an SVG says it (`render.sinks.document.svg.cell_words`)."""
    names = kind.split()
    if "given" in names:
        return f"given {digit}"
    if "trying" in names:
        return f"trying {digit}"
    if "undoing" in names:
        return f"undoing {digit}"
    if "dead" in names:
        return "no candidate"
    if digit:
        return f"{'forced' if 'forced' in names else 'guess'} {digit}"
    return f"candidates {' '.join(marks)}" if marks else ""


HOLDING = [["given"], ["trying"], ["guess"], ["forced"]]
"""What stands before the digit of a cell that holds one."""


def films() -> Iterator[Film]:
    """Five films of ten searches."""
    many = Puzzle((1,) + (0,) * 15, standard_geometry(4))
    yield made(puzzle_of(MEDIUM.grid), "row-major", "mrv")
    yield made(read(str(PUZZLES / "hard.txt")), "mrv+locked+pairs", "mrv+singles")
    yield made(read(str(PUZZLES / "jigsaw.txt")), "mrv+singles", "random:3", limits=Limits(800))
    yield made(read(str(PUZZLES / "sixteen.txt")), "mrv", "column-major", limits=Limits(400))
    yield made(many, "mrv", "row-major", limits=Limits(300, exhaustive=True), panels=("board",))


@pytest.mark.parametrize("number", range(5))
def test_boards_stand_in_the_page_as_in_the_trace_and_in_single_pictures(
    page: OpenedPage, tmp_path: Path, number: int
) -> None:
    """Twenty random steps of two searches each: of five films two hundred boards."""
    film = list(films())[number]
    dice = random.Random(number)
    steps = sorted({film.timeline.longest, *(dice.randint(0, film.timeline.longest)
                                             for _ in range(19))})  # fmt: skip
    page.open(saved(film, tmp_path) + "#panels=candidates")
    shown = page.run(READ, steps)
    events = [np.ascontiguousarray(trace.read()).view(np.uint32) for trace in film.traces]
    for step, boards in zip(steps, shown, strict=True):
        for trace, packed, cells in zip(film.traces, events, boards, strict=True):
            state = State(trace.header.puzzle)
            state.apply(packed, 0, step)
            proved = state.steps == trace.tally().steps and trace.tally().outcome == "exhausted"
            if not proved:  # which shows its last solution
                held = [cell[1] if words(*cell).split()[:1] in HOLDING else "." for cell in cells]
                assert "".join(held) == "".join(
                    SYMBOLS[value - 1] if value else "." for value in state.board
                )
    for step in (steps[3], steps[11]):
        _, drawing = film.still(film.shot_of_step(step))
        cells = [cell for cell in drawing.drawn if isinstance(cell, Cell)]
        told = sorted(cell_words(cell.look) for cell in cells if cell.rect.width > 10)
        seen = sorted(words(*cell) for board in shown[steps.index(step)] for cell in board)
        assert [word for word in told if word[:9] != "candidate" and word] == [
            word for word in seen if word[:9] != "candidate" and word
        ]


def test_a_page_opened_at_a_step_shows_it(page: OpenedPage, race_page: str) -> None:
    page.open(f"{race_page}#step=132")
    assert page.run("undoku.step") == 132
    assert page.run("undoku.steps") == [132, 132]
    assert page.page.input_value(".step") == "132"


def test_a_page_asks_nobody_for_anything(page: OpenedPage, race_page: str) -> None:
    page.open(race_page)
    page.run("undoku.play()")
    page.page.wait_for_timeout(300)
    assert page.requests == [race_page]


KEYS = [
    ("ArrowRight", 101), ("ArrowLeft", 99), ("Home", 0), ("End", 17_536),
    ("Shift+ArrowRight", None), ("Shift+ArrowLeft", None), ("PageDown", 338), ("PageUp", 6),
]  # fmt: skip


def test_every_key_does_what_the_page_says(page: OpenedPage, race_page: str) -> None:
    page.open(race_page)
    for key, wanted in KEYS:
        page.run("undoku.seek(100)")
        page.page.keyboard.press(key)
        step = page.run("undoku.step")
        if wanted is None:
            assert step > 100 if "Right" in key else step < 100
            assert "undoing" in page.run(READ, [step])[0][0][0][0] or step
        else:
            assert step == wanted, key
    for key in (" ", "k"):
        page.page.keyboard.press(key)
        assert page.run("undoku.playing") is True
        page.page.keyboard.press(key)
        assert page.run("undoku.playing") is False
    page.page.keyboard.press("+")
    assert page.page.input_value(".speed") == "2"
    page.page.keyboard.press("-")
    page.page.keyboard.press("-")
    assert page.page.input_value(".speed") == "0.5"
    page.page.keyboard.press("?")
    assert page.page.is_visible("dialog[open] kbd")
    page.page.keyboard.press("Escape")
    assert page.page.query_selector("dialog[open]") is None


def test_every_button_does_what_it_says(page: OpenedPage, race_page: str) -> None:
    page.open(race_page)
    named = page.run("[...document.querySelectorAll('.steps button')].map(b => b.title)")
    assert len(named) == 7 and all(named)
    wanted = [lambda s: s == 6, lambda s: s < 100, lambda s: s == 99, None,
              lambda s: s == 101, lambda s: s > 100, lambda s: s == 338]  # fmt: skip
    for number, holds in enumerate(wanted):
        if holds:
            page.run("undoku.seek(100)")
            page.page.click(f".steps button:nth-child({number + 1})")
            assert holds(page.run("undoku.step")), named[number]
    page.page.click(".play")
    assert page.run("undoku.playing")
    page.page.click(".play")
    assert not page.run("undoku.playing")
    page.page.fill(".step", "2,816")
    page.page.press(".step", "Enter")
    assert page.run("undoku.step") == 2816
    page.page.click("[aria-controls=menu-panels]")
    page.page.check("#menu-panels input[value=tree]")
    assert page.page.is_visible(".trees canvas")
    page.page.uncheck("#menu-panels input[value=depth]")
    assert not page.page.is_visible(".depth canvas")
    page.page.click("[aria-controls=menu-theme]")
    page.page.check("#menu-theme input[value=light]")
    assert page.run("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(246, 245, 241)"
    )
    page.page.wait_for_timeout(400)
    assert page.run("location.hash") == ("#step=2816&theme=light&panels=tree,why,candidates")
    page.page.click(".enlarge")
    page.page.keyboard.press("?")
    page.page.click("dialog[open] .close")


def test_a_link_leads_to_the_step_that_it_was_copied_at(browser: Any, race_page: str) -> None:
    with opened_page(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.open(f"{race_page}#step=77")
        page.page.keyboard.press("c")
        page.page.wait_for_selector(".toast.shown")
        assert page.run("navigator.clipboard.readText()") == f"{race_page}#step=77"


def test_a_saved_picture_is_a_png_of_the_step(page: OpenedPage, race_page: str) -> None:
    page.open(f"{race_page}#step=77")
    page.page.click("[aria-controls=menu-share]")
    with page.page.expect_download() as download:
        page.page.click("#menu-share .item:nth-child(2)")
    assert download.value.suggested_filename == "undoku-step77.png"
    with Image.open(download.value.path()) as picture:
        assert picture.format == "PNG" and picture.width > 1000


def test_a_cell_tells_its_candidates_and_who_excludes_the_others(
    page: OpenedPage, race_page: str
) -> None:
    page.open(f"{race_page}#step=20")
    page.page.hover(".search:first-child [data-cell='30']")
    page.page.wait_for_selector(".cell-card:not([hidden])")
    page.drawn()
    text = page.page.inner_text(".cell-card")
    assert text.startswith("Row 4, column 4\ncandidates: ")
    assert "not 1: row 4, column 2" in text and "never tried" in text
    assert page.run("document.querySelectorAll('.search:first-child .blamed').length") > 5
    page.page.mouse.move(5, 5)
    page.page.focus(".search:first-child [data-cell='0']")
    page.drawn()
    assert "tried once" in page.page.inner_text(".cell-card")
    assert "last changed at step 1" in page.page.inner_text(".cell-card")
    page.page.keyboard.press("ArrowRight")
    assert page.run("document.activeElement.dataset.cell") == "1"
    assert page.run("undoku.step") == 20


def test_hovering_over_a_chart_goes_there_and_back(page: OpenedPage, race_page: str) -> None:
    page.open(f"{race_page}#step=132")
    box = page.page.locator(".depth canvas").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 4, box["y"] + 20
    page.page.mouse.move(x, y)
    assert page.run("undoku.step") == pytest.approx(64, abs=1)
    page.page.mouse.move(5, 5)
    assert page.run("undoku.step") == 132
    page.page.mouse.click(x, y)
    page.page.mouse.move(5, 5)
    assert page.run("undoku.step") == pytest.approx(64, abs=1)


HOSTILE = [
    "</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a\u202eb",
    "<b>bold</b> & \u2066isolated\u2069",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_and_not_run(page: OpenedPage, tmp_path: Path, text: str) -> None:
    film = made(puzzle_of(EASY.grid), "mrv", "row-major", title=text, labels=[text, "other"])
    page.open(saved(film, tmp_path))
    shown = "".join(
        mark.encode("unicode_escape").decode() if ord(mark) > 0x2000 else mark for mark in text
    )
    assert page.page.inner_text("h1") == shown
    assert page.page.inner_text(".search:first-child h2") == shown
    page.run(f"undoku.seek({film.timeline.longest})")
    page.run("undoku.play()")
    page.page.wait_for_timeout(200)
    assert "alert(1)" not in page.run("[...document.scripts].map(s => s.src).join()")


def test_frames_in_a_sandbox_play_side_by_side_and_take_messages(
    page: OpenedPage, race_page: str, tmp_path: Path
) -> None:
    """Without an origin, and each for itself."""
    frame = f'<iframe sandbox="allow-scripts" src="{race_page}" width="600" height="460"></iframe>'
    outer = tmp_path / "outer.html"
    outer.write_text(
        "<!doctype html><meta charset=utf-8><script>const told = [];"
        "addEventListener('message', (e) => told.push([e.source === frames[1] ? 1 : 0, e.data]))"
        f"</script>{frame}{frame}",
        encoding="utf-8",
    )
    page.page.goto(outer.as_uri())
    page.until("told.filter(([, data]) => data.undoku === 'ready').length === 2")
    page.run("frames[1].postMessage({undoku: 'seek', step: 77}, '*')")
    page.until("told.some(([, data]) => data.undoku === 'step')")
    told = page.run("told.filter(([, data]) => data.undoku === 'step')")
    assert told == [[1, {"undoku": "step", "step": 77, "steps": [77, 77]}]]
    inner = page.page.frames
    assert [frame.evaluate("undoku.step") for frame in inner[1:]] == [0, 77]


def test_scripts_drive_the_player_and_follow_it(page: OpenedPage, race_page: str) -> None:
    page.open(race_page)
    page.run("""window.heard = [];
        for (const type of ["step", "highlight", "play", "pause", "end"])
          undoku.addEventListener(type, (e) => heard.push([type, e.detail.step]))""")
    page.run("undoku.seek(5)")
    page.page.keyboard.press("PageDown")
    assert page.run("heard") == [["step", 5], ["step", 6], ["highlight", 6]]
    assert page.run("undoku.length") == 17_536
    page.run("undoku.seek(0)")
    assert page.run("undoku.board(1)") == MEDIUM.grid.replace("0", ".")
    page.run("undoku.seek(17536)")
    assert page.run("undoku.board(0)") == MEDIUM.solution
    assert page.run("undoku.picture()").startswith("<svg")


def test_the_film_plays_to_its_card_and_again(page: OpenedPage, tmp_path: Path) -> None:
    page.open(saved(made(puzzle_of(EASY.grid), "mrv", "row-major", duration="3s"), tmp_path))
    for _ in range(3):
        page.page.keyboard.press("+")
    page.page.keyboard.press(" ")
    page.page.wait_for_selector(".end-card:not([hidden])", timeout=10_000)
    page.until("!undoku.playing")
    assert page.page.is_visible(".end-card .there")
    page.page.select_option(".speed", "0.1")
    page.page.click(".again")
    assert page.run("undoku.playing")
    assert not page.page.is_visible(".end-card")


def test_a_preview_follows_a_trace_that_is_written(page: OpenedPage, race: Film) -> None:
    """To its end so far, and then as the film of it, at the same step."""
    written = WrittenTrace(race.traces[1])
    server = PreviewServer(FollowedSource([written], lambda found: Film(found, settings_of({}))))
    server.start()
    try:
        page.open(server.address)
        page.until("undoku.step === 267")
        state = State(written.header.puzzle)
        state.apply(np.ascontiguousarray(written.whole.read()).view(np.uint32), 0, 267)
        held = "".join(SYMBOLS[value - 1] if value else "." for value in state.board)
        assert page.run("undoku.board(0)") == held
        page.drawn()
        page.until("location.hash === '#step=267'")
        written.go_on.release()
        page.until("window.undoku?.length === 534")
        page.page.wait_for_selector("h1:has-text('One search')", timeout=20_000)
    finally:
        server.close()


SIZES = {"phone": (390, 780), "tablet": (820, 1100), "desktop": (1440, 900)}


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (820, 1100), (3840, 2160)])
def test_pages_of_any_size_show_whole_boards(
    browser: Any, race_page: str, size: tuple[int, int]
) -> None:
    with opened_page(browser, size) as page:
        page.open(f"{race_page}#step=132")
        assert page.run("document.documentElement.scrollWidth") <= size[0]
        for number in (1, 2):
            box = page.page.locator(f".search:nth-child({number}) .board").bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= size[0]
            assert box["width"] == pytest.approx(box["height"], abs=1)
            assert box["width"] >= 130
        controls = page.page.locator(".controls").bounding_box()
        assert controls and controls["x"] >= 0 and controls["x"] + controls["width"] <= size[0]
        assert page.wrong == []


def test_a_printed_page_is_its_picture_in_light_colours(page: OpenedPage, race_page: str) -> None:
    page.open(f"{race_page}#step=132")
    page.page.emulate_media(media="print")
    page.drawn()
    assert not page.page.is_visible(".controls")
    assert page.page.is_visible(".search:last-child .board")
    assert page.run("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(246, 245, 241)"
    )


def test_a_page_goes_by_the_colours_and_the_rest_of_the_system(
    browser: Any, race_page: str
) -> None:
    for scheme, ground in (("light", "rgb(246, 245, 241)"), ("dark", "rgb(18, 21, 28)")):
        with opened_page(browser, color_scheme=scheme, reduced_motion="reduce") as page:
            page.open(race_page)
            style = "getComputedStyle(document.documentElement).backgroundColor"
            assert page.run(style) == ground
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
        page.page.add_script_tag(path=AXE)
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
            found = page.run(
                "axe.run({exclude: '.search:last-child .board'}).then(r => r.violations)"
            )
            told = [(one["id"], [node["html"][:160] + node["failureSummary"][:200]
                                 for node in one["nodes"]][:2]) for one in found]  # fmt: skip
            assert not told, f"{name}: {json.dumps(told, indent=1)}"


@pytest.mark.parametrize("name", SIZES)
def test_pages_look_as_they_should(
    browser: Any, race_page: str, name: str, request: pytest.FixtureRequest
) -> None:
    """Golden pictures, compared by the mean of each patch: letters differ between machines."""
    path = FOLDER / f"player-{name}.png"
    with opened_page(browser, SIZES[name], reduced_motion="reduce") as page:
        page.open(f"{race_page}#step=132")
        page.drawn()
        if request.config.getoption("--golden-regenerate"):
            page.page.screenshot(path=path)
            with Image.open(path) as shot:
                shot.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(
                    path, optimize=True
                )
            return
        picture = np.frombuffer(page.page.screenshot(), np.uint8)
    import io

    with Image.open(io.BytesIO(picture.tobytes())) as shot, Image.open(path) as golden:
        patches = [np.asarray(one.convert("RGB").reduce(12), np.int16) for one in (shot, golden)]
    difference = np.abs(patches[0] - patches[1]).max(2)
    assert (difference > 40).mean() < 0.02
