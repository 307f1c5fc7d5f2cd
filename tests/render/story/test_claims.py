"""Everything that a story says is true: each claim is derived again, by plain programs, from the
trace.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import islice

import pytest

from tests.support.paths import ROOT
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.stories import PAIR, beat_of, medium_story
from undoku import Limits, Puzzle, Tracer, parse_puzzle, search
from undoku.render.film.film import Film
from undoku.render.playback.reading_time import reading_time
from undoku.render.settings.settings import settings_of
from undoku.render.story.claims import Claim, ClaimKind
from undoku.render.story.first_moves import only_solution
from undoku.render.timeline.beats import BeatKind
from undoku.solver.problem.sources import read
from undoku.solver.study.generate import puzzles as generated
from undoku.solver.trace.header import header_object, parse_header
from undoku.solver.trace.trace import Op, Outcome

PUZZLES = ROOT / "examples" / "puzzles"
STRATEGIES = ("row-major", "mrv", "dom-wdeg", "mrv+singles", "column-major/descending")


@cache
def peers_of(puzzle: Puzzle, cell: int) -> frozenset[int]:
    units = [unit.cells for unit in puzzle.geometry.units if cell in unit.cells]
    return frozenset(peer for cells in units for peer in cells if peer != cell)


def options_of(puzzle: Puzzle, board: list[int], cell: int) -> set[int]:
    held = {board[peer] for peer in peers_of(puzzle, cell)}
    return set(range(1, puzzle.size + 1)) - held


def has_place(puzzle: Puzzle, board: list[int], unit: int, value: int) -> bool:
    """Whether a cell of the unit holds the value or may hold it."""
    return any(
        board[cell] == value or (not board[cell] and value in options_of(puzzle, board, cell))
        for cell in puzzle.geometry.units[unit].cells
    )


def steps_of(film: Film, number: int) -> list[tuple[int, int, int]]:
    """(op, cell, value) of all steps."""
    return [
        (int(op), int(cell), int(value))
        for chunk in film.traces[number].chunks()
        for op, value, cell in chunk.tolist()
        if op <= Op.UNDO
    ]


def board_after(puzzle: Puzzle, steps: list[tuple[int, int, int]], count: int) -> list[int]:
    board = list(puzzle.givens)
    for op, cell, value in steps[:count]:
        board[cell] = 0 if op == Op.UNDO else value
    return board


@cache
def solutions_of(puzzle: Puzzle) -> list[list[int]]:
    """All solutions, by plain recursion; two at most."""
    found: list[list[int]] = []

    def fill(board: list[int]) -> None:
        empty = [cell for cell, value in enumerate(board) if not value]
        if not empty:
            found.append(board.copy())
            return
        cell = min(empty, key=lambda each: len(options_of(puzzle, board, each)))
        for value in sorted(options_of(puzzle, board, cell)):
            if len(found) < 2:
                fill([*board[:cell], value, *board[cell + 1 :]])

    fill(list(puzzle.givens))
    return found


def is_true(film: Film, steps: list[tuple[int, int, int]], claim: Claim) -> bool:
    """`steps` are those of the claim's search."""
    puzzle = film.headers[claim.search].puzzle
    after = board_after(puzzle, steps, claim.step)
    before = board_after(puzzle, steps, claim.step - 1)
    cell = claim.cells[0] if claim.cells else -1
    match claim.kind:
        case ClaimKind.ONLY:
            excluded = {before[holder] for holder in claim.cells[1:]}
            if excluded != set(range(1, puzzle.size + 1)) - {claim.value}:
                return False
            if not {*claim.cells[1:]} <= {*puzzle.geometry.peers[cell]}:
                return False
            return options_of(puzzle, before, cell) == {claim.value} == {after[cell]}
        case ClaimKind.ONLY_PLACE:
            members = puzzle.geometry.units[claim.unit].cells
            empty = [each for each in members if not before[each]]
            places = [each for each in empty if claim.value in options_of(puzzle, before, each)]
            return places == [cell]
        case ClaimKind.OPTIONS:
            return len(options_of(puzzle, before, cell)) == claim.count
        case ClaimKind.ONE_RIGHT:
            values = {solution[cell] for solution in solutions_of(puzzle)}
            options = options_of(puzzle, before, cell)
            return len(options) == claim.count and len(values) == 1 and values <= options
        case ClaimKind.TRIES:
            return after[cell] == claim.value
        case ClaimKind.SINGLES:
            return all(
                options_of(puzzle, board_after(puzzle, steps, number), steps[number][1])
                == {steps[number][2]}
                and steps[number][0] == Op.GUESS
                for number in range(claim.count)
            )
        case ClaimKind.FORCED:
            return claim.count == claim.step and all(
                op == Op.FORCED for op, _, _ in steps[: claim.step]
            )
        case ClaimKind.RETURNED:
            if steps[claim.step] != (Op.UNDO, cell, claim.value) or after[cell] != claim.value:
                return False
            if any(op == Op.UNDO for op, _, _ in steps[: claim.step]):
                return False
            if claim.unit >= 0:
                return not has_place(puzzle, after, claim.unit, claim.wanted)
            return not options_of(puzzle, after, claim.cells[1])
        case ClaimKind.FINISHED | ClaimKind.EXHAUSTED | ClaimKind.STOPPED:
            outcome = {
                ClaimKind.FINISHED: Outcome.SOLVED,
                ClaimKind.EXHAUSTED: Outcome.EXHAUSTED,
                ClaimKind.STOPPED: Outcome.CAPPED,
            }[claim.kind]
            if claim.solutions != film.tallies[claim.search].solutions:
                return False
            if claim.kind is ClaimKind.FINISHED and claim.dead_ends != dead_ends_in(puzzle, steps):
                return False
            if claim.cost and claim.cost != cost_of(puzzle, steps, claim):
                return False
            if claim.until and not is_first_wrong_until(puzzle, steps, claim):
                return False
            return len(steps) == claim.count and film.tallies[claim.search].outcome is outcome
        case ClaimKind.FOUND:
            return first_full(puzzle, steps) == claim.step < len(steps)
        case ClaimKind.DEAD_ENDS:
            return claim.count == dead_ends_in(puzzle, steps[: claim.step])
        case ClaimKind.ALONE:
            others = [tally.steps for at, tally in enumerate(film.tallies) if at != claim.search]
            return max(others) <= claim.step < len(steps)
        case ClaimKind.WEIGHED:
            return is_first_failure(puzzle, steps, claim)
        case ClaimKind.COST:
            return claim.cost == cost_of(puzzle, steps, claim) and claim.first > 0
        case ClaimKind.RULE:
            return bool(claim.text)
    return is_wrong(puzzle, steps, claim)


def cost_of(puzzle: Puzzle, steps: list[tuple[int, int, int]], claim: Claim) -> int:
    """How many steps have a wrong value, placed when all others were right, on the board or take it
    back: one of those in the first cells, if there are two or more of them and the last is undone
    in or before step `step`."""
    (solution,) = solutions_of(puzzle)
    wrong_at: list[list[int]] = []  # for each wrong value: its steps
    cells: list[tuple[int, int]] = []  # its cell and the number of values before it
    stack: list[int] = []
    mistaken: set[int] = set()
    for number, (op, cell, value) in enumerate(steps, 1):
        if op != Op.UNDO and not mistaken and value != solution[cell]:
            wrong_at.append([])
            cells.append((cell, len(stack)))
        if mistaken or (op != Op.UNDO and value != solution[cell]):
            wrong_at[-1].append(number)
        if op == Op.UNDO:
            assert stack.pop() == cell
            mistaken.discard(cell)
        else:
            stack.append(cell)
            if value != solution[cell]:
                mistaken.add(cell)
    chosen = [at for at, (_, before) in zip(wrong_at, cells, strict=True) if before < claim.first]
    where = {cell for cell, before in cells if before < claim.first}
    assert len(chosen) > 1
    assert len(where) <= claim.first
    if claim.kind is ClaimKind.COST:
        assert set(claim.cells) == where
        assert max(map(max, chosen)) == claim.step
    return sum(map(len, chosen))


def is_first_wrong_until(puzzle: Puzzle, steps: list[tuple[int, int, int]], claim: Claim) -> bool:
    """Whether the first value that is not in the solution is `wrong`, undone in step `until`."""
    (solution,) = solutions_of(puzzle)
    first = next(at for at, (_, cell, value) in enumerate(steps) if value != solution[cell])
    _, cell, value = steps[first]
    undone = next(at for at, step in enumerate(steps) if at > first and step[:2] == (Op.UNDO, cell))
    return (value, undone + 1) == (claim.wrong, claim.until)


def first_full(puzzle: Puzzle, steps: list[tuple[int, int, int]]) -> int:
    """The first step after which no cell is empty; 0 if there is none."""
    board = list(puzzle.givens)
    for number, (op, cell, value) in enumerate(steps, 1):
        board[cell] = 0 if op == Op.UNDO else value
        if 0 not in board:
            return number
    return 0


def dead_ends_in(puzzle: Puzzle, steps: list[tuple[int, int, int]], after: int = 0) -> int:
    """How many guesses made after the first `after` steps are taken back before another one was
    made, and without a full board in between."""
    board = list(puzzle.givens)
    guessed: list[int] = []
    barren: set[int] = set()
    found = 0
    for number, (op, cell, value) in enumerate(steps):
        board[cell] = 0 if op == Op.UNDO else value
        if op == Op.GUESS:
            barren -= set(guessed)
            guessed.append(cell)
            if number >= after:
                barren.add(cell)
        elif op == Op.UNDO and guessed and guessed[-1] == cell:
            found += guessed.pop() in barren
        if all(board):
            barren.clear()
    return found


def is_first_failure(puzzle: Puzzle, steps: list[tuple[int, int, int]], claim: Claim) -> bool:
    """A place left a cell of the unit without options, none before it did, and it is undone."""
    unit = puzzle.geometry.units[claim.unit].cells
    for number in range(1, claim.step):
        board = board_after(puzzle, steps, number)
        emptied = [
            cell for cell, value in enumerate(board) if not value
            and cell in puzzle.geometry.peers[steps[number - 1][1]]
            and not options_of(puzzle, board, cell)
        ]  # fmt: skip
        if number < claim.step - 1 and emptied:
            return False
    placed = steps[claim.step - 2][1]
    assert steps[claim.step - 1][:2] == (Op.UNDO, placed) and (placed,) == claim.cells
    return placed in unit and emptied[0] in unit


def undoes_last_first(steps: list[tuple[int, int, int]]) -> bool:
    """Whether each undone value is the one that was written last."""
    written: list[tuple[int, int]] = []
    for op, cell, value in steps:
        if op != Op.UNDO:
            written.append((cell, value))
        elif not written or written.pop() != (cell, value):
            return False
    return True


def is_wrong(puzzle: Puzzle, steps: list[tuple[int, int, int]], claim: Claim) -> bool:
    """The claims about the first wrong value."""
    cell = claim.cells[0]
    found = solutions_of(puzzle)
    if len(found) != 1 or found[0][cell] == claim.value:
        return False
    first = next(number for number, (op, where, value) in enumerate(steps)
                 if op != Op.UNDO and found[0][where] != value)  # fmt: skip
    if steps[first][1:] != (cell, claim.value):
        return False
    after = board_after(puzzle, steps, claim.step)
    if claim.until:
        undone = (number for number, step in enumerate(steps, 1)
                  if number > first + 1 and step[:2] == (Op.UNDO, cell))  # fmt: skip
        if not claim.step < claim.until == next(undone, 0) < len(steps):
            return False
    match claim.kind:
        case (
            ClaimKind.STUCK
            | ClaimKind.VAIN
            | ClaimKind.VAIN_SO_FAR
            | ClaimKind.GOES
            | ClaimKind.LAST_FIRST
        ):
            if claim.kind in (ClaimKind.GOES, ClaimKind.LAST_FIRST) and not claim.until:
                return False
            if claim.kind is ClaimKind.LAST_FIRST and not undoes_last_first(steps[: claim.until]):
                return False
            if claim.kind is ClaimKind.VAIN_SO_FAR:
                mistaken = [where for where, value in enumerate(after)
                            if value not in (0, found[0][where])]  # fmt: skip
                if not claim.dead_ends and sorted((cell, *claim.mistakes)) != mistaken:
                    return False
                if claim.count != len(steps[first : claim.step]):
                    return False
                if claim.dead_ends not in (0, dead_ends_in(puzzle, steps[: claim.step])):
                    return False
            return all(
                steps[number][:2] != (Op.UNDO, cell) for number in range(first + 1, claim.step)
            )
        case ClaimKind.FREED:
            op, where, value = steps[claim.step]
            again = op != Op.UNDO and where == cell and value != found[0][cell]
            return (
                claim.wanted == (value if again else 0)
                and claim.count == claim.step
                and steps[claim.step - 1][:2] == (Op.UNDO, cell)
                and all(
                    steps[number][:2] != (Op.UNDO, cell)
                    for number in range(first + 1, claim.step - 1)
                )
            )
    if claim.step != first + 1:
        return False
    match claim.kind:
        case ClaimKind.WRONG_PAIR:
            one, other = claim.cells[1:]
            unit = puzzle.geometry.units[claim.unit]
            together = one in unit.cells and other in unit.cells
            return together and options_of(puzzle, after, one) == options_of(
                puzzle, after, other
            ) == {claim.wanted}
        case ClaimKind.WRONG_CELL:
            return not after[claim.cells[1]] and not options_of(puzzle, after, claim.cells[1])
        case ClaimKind.WRONG_UNIT:
            return not has_place(puzzle, after, claim.unit, claim.wanted)
    before = board_after(puzzle, steps, claim.step - 1)
    return claim.count in (0, len(options_of(puzzle, before, cell)))


def true_claims(film: Film) -> list[Claim]:
    """All claims of a film, also as a short story and in turns, each once; they are true."""
    told = film.narration.claims
    ways = told(film.timeline), told(film.timeline, short=True), told(film.timeline, solo=True)
    claims = [*dict.fromkeys(note.claim for notes in ways for note in notes)]
    steps = [steps_of(film, number) for number in range(len(film.traces))]
    for claim in claims:
        assert is_true(film, steps[claim.search], claim), claim
    return claims


@pytest.mark.parametrize("number", range(8))
def test_every_claim_follows_from_the_trace(number: int) -> None:
    """Of generated puzzles and a published one, some searches cut short, some exhaustive."""
    puzzle = next(islice(generated(seed=3), number, None)) if number else parse_puzzle(MEDIUM.grid)
    limits = Limits(4000, exhaustive=number % 2 == 1)
    settings = settings_of({"size": "640x360"})
    film = Film([search(puzzle, name, limits) for name in STRATEGIES], settings)
    assert {claim.search for claim in true_claims(film)} == set(range(len(STRATEGIES)))


@pytest.mark.parametrize("number", [0, 1, 2, 3, pytest.param(4, marks=pytest.mark.long), 5])
def test_every_claim_about_the_usual_pair_follows_from_the_trace(number: int) -> None:
    """Here one search often goes on alone, and says what its wrong values cost."""
    puzzle = next(islice(generated(seed=7), number, None)) if number else parse_puzzle(MEDIUM.grid)
    claims = true_claims(Film([search(puzzle, name) for name in PAIR], settings_of({})))
    if not number:
        told = {claim.kind for claim in claims}
        assert {ClaimKind.VAIN_SO_FAR, ClaimKind.COST, ClaimKind.WRONG_GUESS} <= told
        assert any(claim.kind is ClaimKind.FREED and claim.wanted for claim in claims)
        assert sum(claim.until > 0 for claim in claims) == 4


@pytest.mark.parametrize("exhaustive", [False, True])
def test_a_search_is_called_stuck_only_while_it_is(exhaustive: bool) -> None:
    """Its first wrong value is on the board on every frame on which the sentence is shown."""
    names = ("row-major", "mrv", "mrv+singles")
    limits = Limits(exhaustive=exhaustive)
    film = Film([search(MEDIUM.grid, name, limits) for name in names], settings_of({"fps": 30}))
    timeline, count = film.timeline, 0
    for callout in film.callouts:
        if (
            "stuck" in callout.text
            or "in vain" in callout.text
            or "last digits first" in callout.text
        ):
            wrong = film.narration.moves[callout.search].wrong
            assert wrong
            last = timeline.steps_at(callout.end - 1 - timeline.intro + 1)[callout.search]
            assert wrong.step <= timeline.steps_at(callout.start - timeline.intro)[callout.search]
            assert not wrong.until or last < wrong.until
            count += 1
    assert count


def test_no_sentence_flashes() -> None:
    """Each sentence is shown for at least half a second, however soon the search ends."""
    traces = [search(EASY.grid, name, Limits(10)) for name in ("mrv+singles", "row-major")]
    film = Film(traces, settings_of({"size": "640x360", "fps": 10}))
    assert film.callouts
    for callout in film.callouts:
        assert callout.result or callout.end - callout.start >= 5, callout


def test_a_forced_digit_that_the_pencil_marks_do_not_show_is_explained_while_the_clock_stops() -> (
    None
):
    """Its cell has several options: the unit in which it has the only place lights up."""
    film = medium_story("mrv", "mrv+singles")
    timeline = film.timeline
    (told,) = (each for each in film.callouts if each.text == "The only place for 9 in row 3.")
    steps, puzzle = steps_of(film, 1), film.headers[1].puzzle
    op, cell, value = steps[4]
    assert (op, value, told.placed) == (Op.FORCED, 9, cell)
    assert len(options_of(puzzle, board_after(puzzle, steps, 4), cell)) == 4
    assert told.start == timeline.frame_of(1, 5)
    assert told.lit == puzzle.geometry.units[puzzle.geometry.units_of[cell][0]].cells
    assert told.rings_end == told.end >= told.start + timeline.fps * 3 / 2
    assert not any(timeline.speed_at(told.start + frame) for frame in range(1, 30))


def test_a_trace_of_another_solver_says_what_it_does_before_the_first_step() -> None:
    """In the words of its header; a film of such traces alone has the beat of the rules, too."""
    tracer = Tracer(MEDIUM.grid, title="Mine", description="Asks its neighbour.")
    for cell, value in ((0, 4), (1, 5)):
        tracer.place(cell, value)
    for cell in (1, 0):
        tracer.undo(cell)
    film = Film([tracer.trace()], settings_of({"size": "640x360"}))
    beat = beat_of(film, BeatKind.RULES)
    first = film.callouts[0]
    assert (first.start, first.text) == (
        beat.start,
        "Asks its neighbour.",
    )
    again = parse_header(json.dumps(header_object(film.headers[0])), "a test")
    assert again.description == "Asks its neighbour."


@pytest.mark.parametrize("name", ["hard", "jigsaw"])
def test_no_first_value_is_called_wrong_where_the_winner_begins_with_a_wrong_one(name: str) -> None:
    """Viewers would take the winner for the worse one; both say how many options they have."""
    puzzle = read(str(PUZZLES / f"{name}.txt"))
    film = Film([search(puzzle, spec) for spec in ("row-major", "mrv")], settings_of({}))
    wrong = film.narration.moves[1].wrong
    assert wrong
    assert wrong.step == 1
    made = [note.claim for note in film.narration.claims(film.timeline)]
    first = [claim for claim in made if claim.step == 1]
    assert {claim.kind for claim in first} == {ClaimKind.ONE_RIGHT}
    assert first[0].count > first[1].count


def test_a_search_for_all_solutions_says_why_it_continues_after_the_first_one() -> None:
    traces = [search(MEDIUM.grid, name, Limits(exhaustive=True)) for name in ("row-major", "mrv")]
    film = Film(traces, settings_of({"size": "640x360"}))
    found = [each for each in film.callouts if each.text.startswith("One solution found.")]
    assert [each.search for each in found] == [0, 1]
    for each in found:
        assert each.end - each.start >= Fraction(3, 2) * film.timeline.fps
        # The clock stands still, so that the complete board is seen.
        stopped = range(each.start + 1, each.start + int(Fraction(3, 2) * film.timeline.fps))
        assert not any(map(film.timeline.speed_at, stopped))
        step = first_full(film.headers[each.search].puzzle, steps_of(film, each.search))
        assert each.start == film.timeline.frame_of(each.search, step)


@pytest.mark.parametrize("exhaustive", [False, True])
def test_a_search_for_all_solutions_says_so_from_the_first_picture_on(exhaustive: bool) -> None:
    limits = Limits(exhaustive=exhaustive)
    for names in (("row-major", "mrv"), ("mrv",)):
        film = Film([search(MEDIUM.grid, spec, limits) for spec in names], settings_of({}))
        assert film.title.endswith(". Looking for all solutions.") is exhaustive


def test_a_search_without_guesses_says_so_also_if_its_digits_last_beyond_the_slow_passage() -> None:
    """Each digit of the easy puzzle is the only one that fits; viewers watch how it comes true."""
    film = Film([search(EASY.grid, "mrv")], settings_of({}))
    slow = beat_of(film, BeatKind.SLOW)
    (said,) = (each for each in film.callouts if "no guess, only one fits each" in each.text)
    assert slow.start <= said.start < slow.end
    count = int(said.text.split()[2])
    assert count > slow.step + slow.steps
    puzzle, steps = film.headers[0].puzzle, steps_of(film, 0)
    for number, (_, cell, value) in enumerate(steps[:count]):
        assert options_of(puzzle, board_after(puzzle, steps, number), cell) == {value}


@pytest.mark.parametrize("name", ["mrv+luby:10", "mrv+lds"])
def test_a_search_that_goes_back_without_a_failure_is_not_said_to_notice(name: str) -> None:
    """A restart, or the end of a wave, takes the wrong digit back. After a restart the same digit
    may follow in its cell."""
    film = Film([search(HARD.grid, each) for each in (name, "mrv")], settings_of({}))
    assert film.narration.moves[0].wrong
    said = [each.text for each in film.callouts if each.search == 0]
    assert any("Wrong 5 taken back at step" in each for each in said)
    assert not any("notice" in each for each in said)
    assert not any("Then 5 there" in each for each in said)
    assert any("It notices its wrong 5" in each.text for each in film.callouts)


def test_a_puzzle_that_takes_a_plain_search_too_long_is_proved_with_logic() -> None:
    """So that its film can call a digit wrong."""
    solution = only_solution(read(str(PUZZLES / "fifty-minutes.txt")))
    assert solution and len(solution) == 81


def test_the_ring_of_a_mistake_never_surrounds_a_right_digit() -> None:
    """Neither when it appears nor on the last frame before it is removed."""
    film = medium_story()
    (solution,) = solutions_of(film.headers[0].puzzle)
    ringed = 0
    for each in film.callouts:
        if not each.wrong or each.placed < 0:
            continue
        steps = steps_of(film, each.search)
        for frame in {each.start, each.rings_end - 1} if each.rings_end > each.start else ():
            done = film.timeline.steps_at(frame - film.timeline.intro)[each.search]
            board = board_after(film.headers[each.search].puzzle, steps, done)
            assert board[each.placed] in (0, *{*range(1, 10)} - {solution[each.placed]})
            ringed += board[each.placed] > 0
    assert ringed


def test_a_sentence_with_a_count_ends_before_the_clock_goes_on() -> None:
    film = medium_story("row-major", "mrv", "mrv+singles")
    timeline, count = film.timeline, 0
    for callout in film.callouts:
        if "still stands" in callout.text or "dead ends so far" in callout.text:
            before, after = (
                timeline.steps_at(frame - timeline.intro)[callout.search]
                for frame in (callout.start, callout.end - 1)
            )
            assert before == after
            count += 1
    assert count == 2


def test_the_story_of_the_usual_pair_is_told_in_these_sentences() -> None:
    """The rules; a guess beside a digit that needs none, and why it is wrong; praise until a step
    is undone; how long each wrong digit stays; what both have met when one ends; what the wrong
    digits of the other one cost. Each begins in its passage and can be read in time."""
    film = medium_story()
    rules, first, slow = BeatKind.RULES, BeatKind.FIRST_STEP, BeatKind.SLOW
    fast, rest = BeatKind.ACCELERATION, BeatKind.REMAINDER
    assert [
        (each.search, beat.kind, each.wrong, each.text)
        for each in film.callouts
        if (beat := film.timeline.beat_at(each.start))
    ] == [
        (0, rules, False, "Takes the empty cells in reading order."),
        (0, first, False, "3 digits fit here. It guesses 4."),
        (0, first, True, "Both cells need 5, so this 4 is wrong. It notices at step 2,816."),
        (0, slow, True, "Dead end: no digit fits here. 3 is taken back."),
        (0, fast, True, "It changes its last digits first. The wrong 4 stays until step 2,816."),
        (0, BeatKind.FINISH, True, "98 dead ends so far. The wrong 4 still stands."),
        (0, rest, True, "Wrong 4 taken back at step 2,816. Then 5 there: wrong, too."),
        (0, rest, True, "Wrong digits in its first 2 cells cost 14,288 steps."),
        (0, BeatKind.LAST_STEPS, False,
         "Done in 17,536 steps. Wrong digits in its first 2 cells cost 14,288 steps."),
        (1, rules, False, "Takes the cell where the fewest digits fit."),
        (1, first, False, "Only 4 fits here: no guess."),
        (1, slow, False, "Its first 4 digits: no guess, only one fits each."),
        (1, slow, True, "2 digits fit here: this 4 is wrong. It notices at step 389."),
        (1, fast, False, "It notices its wrong 4 at step 389."),
        (1, fast, False, "Done in 534 steps, 17 dead ends."),
    ]  # fmt: skip
    for each in film.callouts:
        seconds = reading_time(each.text) if each.end <= 10 * film.timeline.fps else Fraction(1, 2)
        assert each.end - each.start >= seconds * film.timeline.fps
    ringed = [(each.placed, each.shown, each.mistakes) for each in film.callouts if each.wrong]
    assert ringed == [
        (0, (27, 36), ()), (1, (2,), ()), (0, (), ()), (0, (), ()), (0, (), ()), (0, (1,), ()),
        (1, (), ()),
    ]  # fmt: skip
    praise, wrong = film.callouts[11:13]
    moves = film.narration.moves[1]
    assert moves.first_return and moves.wrong
    assert praise.end <= film.timeline.frame_of(1, moves.first_return.number)
    assert (wrong.rings_end, wrong.start) == (
        wrong.end,
        film.timeline.frame_of(1, moves.wrong.step),
    )


NO_LOGIC_FIRST = read(str(PUZZLES / "twenty-five.txt"))
"""A puzzle whose first digit with one place in a unit is written in step 11."""


@pytest.mark.parametrize(
    ("puzzle", "names", "pace", "part", "sentences"),
    [
        (MEDIUM.grid, PAIR, "short", "no guess", [(1, "Only 4 fits: no guess.")]),
        (
            MEDIUM.grid,
            ("mrv", "mrv+singles"),
            "story",
            "by logic",
            [(1, "10 digits by logic, without a guess.")],
        ),
        (
            NO_LOGIC_FIRST,
            ("mrv+singles",),
            "story",
            "by logic",
            [(0, "5 digits by logic, without a guess.")],
        ),
        (
            "12....3.........",
            PAIR,
            "story",
            "solution",
            [(number, "No solution. Everything tried in 2 steps.") for number in (0, 1)],
        ),
    ],
)
def test_what_the_first_steps_and_the_ends_prove_is_said(
    puzzle: str | Puzzle,
    names: tuple[str, ...],
    pace: str,
    part: str,
    sentences: list[tuple[int, str]],
) -> None:
    film = Film([search(puzzle, name) for name in names], settings_of({"pace": pace, "fps": 25}))
    assert [(one.search, one.text) for one in film.callouts if part in one.text] == sentences
