"""The player in a real browser: its boards, its keys and buttons, and who can use it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.browser_pages import OpenedPage
from tests.support.films import made, puzzle_of, saved
from tests.support.puzzles import EASY, MEDIUM
from tests.support.system import ROOT
from tests.support.written_trace import WrittenTrace
from undoku import Limits, Puzzle
from undoku.player.preview import FilmsSource, FollowedSource, PreviewServer
from undoku.render.draw.look import Look
from undoku.render.draw.sprites import Cell
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import EXPLAINING
from undoku.render.write.svg import cell_words
from undoku.solver.problem.appearance import SYMBOLS
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import read
from undoku.solver.trace.replay import state_at

PUZZLES, PROBLEMS = ROOT / "examples" / "puzzles", ROOT / "examples" / "problems"


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
    """What a cell of the page shows, as an SVG says it (`undoku.render.write.svg.cell_words`)."""
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


FILMS: dict[str, Callable[[], Film]] = {
    "jigsaw": lambda: made(read(str(PUZZLES / "jigsaw.txt")), "mrv+singles", "random:3",
                           limits=Limits(800)),
    "sixteen": lambda: made(read(str(PUZZLES / "sixteen.txt")), "mrv", "column-major",
                            limits=Limits(400)),
    "many": lambda: made(Puzzle((1,) + (0,) * 15, standard_geometry(4)), "mrv", "row-major",
                         limits=Limits(300, exhaustive=True), panels=("board",)),
}  # fmt: skip


@pytest.mark.parametrize("name", FILMS)
def test_boards_in_the_page_are_those_in_the_trace_and_in_single_pictures(
    page: OpenedPage, tmp_path: Path, name: str
) -> None:
    """Twelve random steps of two searches each."""
    film = FILMS[name]()
    dice = random.Random(name)
    longest = film.timeline.longest
    steps = sorted({longest, *(dice.randint(0, longest) for _ in range(11))})
    page.open(saved(film, tmp_path) + "#panels=candidates")
    shown = page.run(READ, steps)
    for step, boards in zip(steps, shown, strict=True):
        for trace, cells in zip(film.traces, boards, strict=True):
            state = state_at(trace, min(step, trace.tally().steps))
            proved = state.steps == trace.tally().steps and trace.tally().outcome == "exhausted"
            if not proved:  # which shows its last solution
                held = [cell[1] if words(*cell).split()[:1] in HOLDING else "." for cell in cells]
                assert "".join(held) == "".join(
                    SYMBOLS[value - 1] if value else "." for value in state.board
                )
    for step in (steps[3], steps[8]):
        _, drawing = film.still(film.shot_of_step(step))
        cells = [cell for cell in drawing.drawn if isinstance(cell, Cell)]
        reported = sorted(cell_words(cell.look) for cell in cells if cell.rect.width > 10)
        seen = sorted(words(*cell) for board in shown[steps.index(step)] for cell in board)
        assert [word for word in reported if word[:9] != "candidate" and word] == [
            word for word in seen if word[:9] != "candidate" and word
        ]


HELD = """async (steps) => {
  const found = [];
  for (const step of steps) {
    undoku.seek(step);
    await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
    found.push([...document.querySelectorAll(".board")].map((board) =>
      [...board.querySelectorAll("[data-cell]:not(.dead, .undoing)")]
        .map((cell) => [Number(cell.dataset.cell), cell.querySelector(".digit").textContent])
        .filter(([, mark]) => mark)));
  }
  return found;
}"""
"""The cells that hold a value at some steps, each once, with its mark."""


@pytest.mark.parametrize(
    "problem",
    [
        "queens:6",
        "map:australia",
        f"graph:{PROBLEMS / 'house.col'}:3",
        str(PROBLEMS / "zebra.toml"),
    ],
)
def test_boards_of_other_problems_are_those_in_the_trace(
    page: OpenedPage, tmp_path: Path, problem: str
) -> None:
    film = made(read(problem), "row-major", "mrv", panels=("board",))
    page.open(saved(film, tmp_path))
    symbols = Look(film.traces[0].header.puzzle.problem).symbols
    steps = [0, 1, 3, 5, film.timeline.longest]
    for step, boards in zip(steps, page.run(HELD, steps), strict=True):
        for trace, held in zip(film.traces, boards, strict=True):
            board = state_at(trace, min(step, trace.tally().steps)).board.tolist()
            expected = [[cell, symbols[value - 1]] for cell, value in enumerate(board) if value]
            assert sorted(held) == expected


def test_a_page_opened_at_a_step_shows_it_and_makes_no_requests(
    page: OpenedPage, race_page: str
) -> None:
    page.open(f"{race_page}#step=132")
    assert page.run("undoku.step") == 132
    assert page.run("undoku.steps") == [132, 132]
    assert page.page.input_value(".step") == "132"
    page.run("undoku.play()")
    page.until("undoku.step > 132")
    assert page.requests == [race_page]


def test_a_page_that_shows_no_change_asks_for_no_frames(page: OpenedPage, race_page: str) -> None:
    """So that it takes none of a reader's battery; waiting for what is drawn asks for two."""
    page.open(f"{race_page}#step=132")
    page.drawn()
    page.run("""() => {
      const ask = requestAnimationFrame;
      window.asked = 0;
      window.requestAnimationFrame = (draw) => { window.asked += 1; return ask(draw); };
    }""")
    page.drawn()
    assert page.run("asked") == 2
    page.run("undoku.seek(140)")
    page.drawn()
    assert page.run("asked") == 5


HOSTILE = [
    "</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a\u202eb",
    "<b>bold</b> & \u2066isolated\u2069",
]  # fmt: skip


def test_hostile_texts_are_shown_and_not_run(page: OpenedPage, tmp_path: Path) -> None:
    text = " ".join(HOSTILE)
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


def test_frames_in_a_sandbox_play_side_by_side_and_follow_the_text_around_them(
    page: OpenedPage, race_page: str, tmp_path: Path
) -> None:
    """Without an origin, independently, in a page with its own strict policy."""
    frame = f'<iframe sandbox="allow-scripts" src="{race_page}" width="600" height="460"></iframe>'
    policy = "default-src 'none'; frame-src file:; script-src 'nonce-text'"
    outer = tmp_path / "outer.html"
    outer.write_text(
        f'<!doctype html><meta charset=utf-8><meta http-equiv="Content-Security-Policy" '
        f'content="{policy}"><p>At <a href="#">step 77</a> of the second one …</p>{frame}{frame}'
        '<script nonce="text">const told = [];'
        "addEventListener('message', (e) => told.push([e.source === frames[1] ? 1 : 0, e.data]));"
        "document.querySelector('a').onclick = () =>"
        " frames[1].postMessage({undoku: 'seek', step: 77}, '*')</script>",
        encoding="utf-8",
    )
    page.page.goto(outer.as_uri())
    page.until("told.filter(([, data]) => data.undoku === 'ready').length === 2")
    page.page.click("a")
    page.until("told.some(([, data]) => data.undoku === 'step')")
    reported = page.run("told.filter(([, data]) => data.undoku === 'step')")
    assert reported == [[1, {"undoku": "step", "step": 77, "steps": [77, 77]}]]
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
    page.page.wait_for_selector(".end-card:not([hidden])")
    page.until("!undoku.playing")
    assert page.page.is_visible(".end-card.there .number")
    page.page.select_option(".speed", "0.1")
    page.page.click(".again")
    assert page.run("undoku.playing")
    assert not page.page.is_visible(".end-card")


def test_a_preview_follows_a_trace_that_is_written(page: OpenedPage, race: Film) -> None:
    """To its current end, and then as the complete film, at the same step."""
    written = WrittenTrace(race.traces[1])
    server = PreviewServer(FollowedSource([written], lambda found: Film(found, settings_of({}))))
    server.start()
    try:
        page.open(server.address)
        page.until("undoku.step === 267")
        state = state_at(written.whole, 267)
        held = "".join(SYMBOLS[value - 1] if value else "." for value in state.board)
        assert page.run("undoku.board(0)") == held
        page.drawn()
        page.until("location.hash === '#step=267'")
        written.go_on.release()
        page.until("window.undoku?.length === 534")
        page.page.wait_for_selector("h1:has-text('guesses')")
    finally:
        server.close()


def test_a_preview_that_changes_keeps_the_step_and_plays_on(page: OpenedPage, race: Film) -> None:
    """The page is loaded again; a title that could be markup is shown as text."""
    title = "</script><script>alert(1)</script>\u202e\"'"
    films = [race, Film(race.traces, settings_of({"title": title}))]
    source = FilmsSource(lambda: [("", films[0])], list)
    server = PreviewServer(source)
    server.start()
    try:
        page.open(server.address + "#step=132")
        films.pop(0)
        source.forget()
        server.changed()
        page.until("document.querySelector('h1')?.textContent.includes('alert(1)')")
        page.until("window.undoku?.step === 132")
        assert page.page.inner_text("h1") == title.replace("\u202e", "\\u202e")
        assert not page.run("undoku.playing")
        page.run("undoku.play()")
        page.run("window.before = true")
        server.changed()
        page.until("!window.before && window.undoku?.playing && undoku.step >= 132")
    finally:
        server.close()


def test_a_unit_without_a_place_for_a_value_has_an_outline(
    page: OpenedPage, race: Film, race_page: str
) -> None:
    """Where the film's single picture has one, on the same cells."""
    page.open(race_page)
    for step in range(20, 80):
        _, drawing = race.still(race.shot_of_step(step))
        cells = [cell for cell in drawing.drawn if isinstance(cell, Cell) and cell.rect.width > 10]
        wanted = sorted(bin(cell.look.failed).count("1") for cell in cells if cell.look.failed)
        if wanted:
            break
    shown = [kind for board in page.run(READ, [step])[0] for kind, _, _ in board]
    seen = sorted(kind.count("failed-") for kind in shown if "failed-" in kind)
    assert wanted and seen == wanted


@pytest.mark.parametrize(
    ("address", "first", "last"),
    [("from=laps&to=laps", "laps", "laps"), ("from=race&to=finish&loop", "race", "finish")],
)
def test_a_part_of_the_film_is_played_once_or_again_and_again(
    page: OpenedPage, race_page: str, race: Film, address: str, first: str, last: str
) -> None:
    page.open(f"{race_page}#{address}")
    timeline = race.timeline
    begin, end = (
        next(beat for beat in timeline.beats if beat.kind == name) for name in (first, last)
    )
    assert page.run("undoku.step") == timeline.shot_at(begin.start).steps[0]
    page.page.select_option(".speed", "8")
    page.run("document.activeElement.blur()")
    page.run("window.shown = []; undoku.addEventListener('step', () => shown.push(undoku.step))")
    page.run("undoku.play()")
    if "loop" in address:
        page.until("shown.some((step, number) => step < shown[number - 1])")
        assert page.run("undoku.playing") is True
        page.run("undoku.pause()")
    else:
        page.until("!undoku.playing")
        assert page.run("undoku.step") == timeline.shot_at(end.end - 1).steps[0]
    steps = page.run("shown")
    assert min(steps) >= timeline.shot_at(begin.start).steps[0]
    assert max(steps) <= timeline.shot_at(end.end - 1).steps[0]
    page.until("location.hash.includes('from=') && location.hash.includes('to=')")


def test_a_lesson_asks_before_each_beat_and_goes_on_when_a_key_or_a_board_is_pressed(
    page: OpenedPage, race_page: str, race: Film
) -> None:
    second = next(beat for beat in race.timeline.beats if beat.kind == "second")
    told = race.timeline.shot_at(second.end - 1).steps
    page.open(f"{race_page}#lesson")
    page.page.select_option(".speed", "8")
    page.run("document.activeElement.blur()")
    page.run("undoku.play()")
    page.until("!undoku.playing")
    assert page.run("undoku.steps") == [0, 0]
    asked = page.page.locator(".callout:visible")
    page.drawn()
    assert "Which cell is next?" in asked.all_inner_texts()
    page.page.click(".search:first-child [data-cell='0']")
    page.until("!undoku.playing && undoku.step === 1")
    page.drawn()
    assert "Which cell is next?" in asked.all_inner_texts()
    page.run("document.activeElement.blur()")
    page.page.keyboard.press("Enter")
    page.until(f"!undoku.playing && undoku.steps[1] === {told[1]}")
    page.drawn()
    assert "What happens next?" in asked.all_inner_texts()


def test_a_lesson_asks_before_each_passage_in_which_the_searches_go_on(
    page: OpenedPage, tmp_path: Path
) -> None:
    film = made(puzzle_of(MEDIUM.grid), "row-major", "mrv", "mrv+singles", duration="20s")
    page.open(saved(film, tmp_path) + "#lesson")
    page.page.select_option(".speed", "8")
    passages = [beat for beat in film.timeline.beats if beat.steps or beat.kind in EXPLAINING]
    assert len(passages) == 6
    for _ in passages:
        page.run("document.activeElement.blur()")
        page.run("undoku.play()")
        page.until("!undoku.playing")
        page.drawn()
        assert page.page.locator(".callout:visible", has_text="next?").count()
    page.run("undoku.play()")
    page.page.wait_for_selector(".end-card:not([hidden])")
