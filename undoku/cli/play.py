"""undoku play: a race of searches as text in the terminal, with keys; plain text elsewhere."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from collections.abc import Sequence
from math import ceil, inf
from textwrap import wrap

from undoku.cli.progress import SearchProgress
from undoku.cli.searches import labels_of, searches_of
from undoku.cli.terminal import Screen, is_terminal, size
from undoku.cli.text_picture import BOLD, TextBoard, TextPicture
from undoku.render.film.search_labels import labelled
from undoku.render.playback.verdict import verdict_of
from undoku.solver.trace.state import State
from undoku.solver.trace.steps import NO_STEPS, steps_of
from undoku.solver.trace.trace import Outcome, Trace
from undoku.texts import wording as say
from undoku.texts.language import number, speaking
from undoku.texts.language_files import load_language
from undoku.visible_text import columns, visible

EXAMPLE = "...67..2.7.1...9..8...53....1..2..6...9..6...3.....78...5...3.72..3..5.......5.4."
"""The puzzle that is played if none is given."""

_FRAME = 0.05
"""Seconds from one picture to the next."""

_FIRST_SPEED, _DOUBLES = 6.0, 0.75
"""Steps a second at first, and the seconds in which they double until a key sets the speed."""

_MIN_WIDTH = 24
"""The columns of a board with its texts."""

_GAP = 3
_ALL = 1 << 62
_KEYS = "space pause  ← → step  + - speed  tab boards  q quit"
_HINTS = """\
your puzzle:         undoku play PUZZLE -s STRATEGY -s STRATEGY
problems, all else:  undoku list strategies; undoku list problems; undoku --help"""


class Runner:
    """One search of a race, at any step."""

    def __init__(self, trace: Trace, label: str) -> None:
        self.trace, self.label = trace, label
        self._board = TextBoard(trace.header.puzzle)
        self.width, self.height = max(self._board.width, _MIN_WIDTH), self._board.height + 2
        self._restart()

    def _restart(self) -> None:
        self.state = State(self.trace.header.puzzle)
        self._read, self._steps = steps_of(self.trace), NO_STEPS
        self.ended = False

    def play(self, step: int, deadline: float) -> bool:
        """Play until `step` steps are done or the search ends, or until a time (of
        `time.monotonic`) has passed; returns whether it is there."""
        if step < self.state.steps:
            self._restart()
        while not self.ended and self.state.steps < step and time.monotonic() < deadline:
            self.state.play(self._steps, step)
            if self.state.steps < step:
                self._read_on()
        return self.ended or self.state.steps >= step

    def _read_on(self) -> None:
        try:
            self._steps = next(self._read)
        except StopIteration:
            self.ended = True
            return
        if not len(self._steps.cells):
            self.state.apply_events(self._steps.events)

    def draw(self, picture: TextPicture, row: int, column: int) -> None:
        """Draw the name, the board and the last step."""
        picture.put(row, column, self.label[: self.width], BOLD)
        self._board.draw(picture, row + 1, column, self.state)
        if last := self.state.last:
            problem = self.trace.header.puzzle.problem
            value = self._board.names[last.value - 1]
            text = f"{'−' if last.undone else '+'} {value}: {say.cell_name(problem, last.cell)}"
            picture.put(row + self.height - 1, column, text[: self.width])


class Race:
    """Searches on one clock, and pictures of them."""

    def __init__(self, traces: Sequence[Trace], labels: Sequence[str]) -> None:
        self._runners = [Runner(trace, label) for trace, label in zip(traces, labels, strict=True)]

    def play(self, step: int, deadline: float = inf) -> bool:
        """Play all searches until `step` steps are done, or until a time (of `time.monotonic`) has
        passed; returns whether all are there."""
        there = [runner.play(step, deadline) for runner in self._runners]
        return all(there)

    @property
    def ended(self) -> bool:
        return all(runner.ended for runner in self._runners)

    @property
    def steps(self) -> int:
        """The steps of the search that has made most so far."""
        return max(int(runner.state.steps) for runner in self._runners)

    @property
    def step(self) -> int:
        """The step up to which all searches have been played that have not ended."""
        running = [int(runner.state.steps) for runner in self._runners if not runner.ended]
        return min(running, default=self.steps)

    @property
    def result(self) -> str:
        """The result in words; "" as long as not all searches have ended."""
        if not self.ended:
            return ""
        headers = [runner.trace.header for runner in self._runners]
        return verdict_of(headers, [runner.trace.tally() for runner in self._runners]).text

    def picture(
        self, text: str, width: int, height: int | None = None, first: int = 0
    ) -> TextPicture:
        """The steps of each search with a bar, a text, and the boards, from number `first` on
        (after the last one comes the first again), as many as fit into the `height`; without one,
        all of them."""
        said = wrap(text, width)
        top = len(self._runners) + len(said) + 2
        places = self._places(first, width)
        bottoms = [top + row + runner.height for row, _, runner in places]
        picture = TextPicture(width, height or max(bottoms) + 1)
        self._draw_bars(picture)
        for row, line in enumerate(said, len(self._runners) + 1):
            picture.put(row, 0, line, BOLD)
        for (row, column, runner), bottom in zip(places, bottoms, strict=True):
            if row == 0 or bottom < picture.height:
                runner.draw(picture, top + row, column)
        return picture

    def _places(self, first: int, width: int) -> list[tuple[int, int, Runner]]:
        """The row and the column of each board, side by side as far as they fit."""
        first %= len(self._runners)
        places = []
        row = column = below = 0
        for runner in [*self._runners[first:], *self._runners[:first]]:
            if column and column + runner.width > width:
                row, column = below, 0
            places.append((row, column, runner))
            column += runner.width + _GAP
            below = max(below, row + runner.height + 1)
        return places

    def _draw_bars(self, picture: TextPicture) -> None:
        longest = max(columns(runner.label) for runner in self._runners)
        name = min(longest, picture.width // 3)
        steps = len(number(self.steps))
        start = name + steps + 2
        for row, runner in enumerate(self._runners):
            share = runner.state.steps / max(self.steps, 1)
            shown = number(runner.state.steps)
            picture.put(row, 0, runner.label)
            picture.put(row, name, f" {shown:>{steps}} ")
            picture.put(row, start, "█" * ceil(share * (picture.width - start - 2)))
            if runner.ended:
                capped = runner.trace.tally().outcome is Outcome.CAPPED
                picture.put(row, picture.width - 1, "…" if capped else "✓")


class View:
    """A race as it runs, with keys. Its speed grows until a key sets it, so that both the first
    steps and the end of long searches are seen."""

    def __init__(self, race: Race) -> None:
        self._race = race
        self._step, self._speed = 0.0, _FIRST_SPEED
        self._first = 0
        self._grows, self._paused = True, False
        self.touched = False
        """Whether any key was pressed."""

    def press(self, key: str) -> None:
        self.touched = True
        if key == " ":
            self._paused, self._step = not self._paused, self._race.step
        elif key in ("left", "right"):
            self._paused = True
            self._step = max(0, int(self._step) + (1 if key == "right" else -1))
        elif key in ("+", "=", "up", "-", "down"):
            self._grows = False
            self._speed = max(1, self._speed * (0.5 if key in ("-", "down") else 2))
        elif key == "\t":
            self._first += 1

    def advance(self, seconds: float) -> None:
        """Play what `seconds` bring, in about a frame's time; all waits for the slowest search."""
        if not self._race.play(int(self._step), time.monotonic() + _FRAME):
            return
        if self._race.ended:
            self._step = self._race.steps
        elif not self._paused:
            self._step += self._speed * seconds
            self._speed *= 2 ** (seconds / _DOUBLES) if self._grows else 1

    def picture(self, width: int, height: int) -> TextPicture:
        now = f"step {number(self._race.step)} · {number(round(self._speed))} steps/s"
        text = self._race.result or now + " · paused" * self._paused
        picture = self._race.picture(text, width, height, self._first)
        picture.put(height - 1, 0, _KEYS.ljust(width), BOLD)
        return picture


def run(options: Namespace) -> int:
    options.inputs = options.inputs or [EXAMPLE]
    language = load_language(options.language or "")
    traces = searches_of(options)
    with speaking(language.about(traces[0].header.puzzle.problem)):
        headers = labelled([trace.header for trace in traces], labels_of(options))
        labels = [header.label for header in headers]
        race = Race(traces, labels)
        if is_terminal():
            _show(race)
        else:
            with SearchProgress(traces, labels, quiet=options.quiet):
                race.play(_ALL)
        text = race.result or f"after {number(race.steps)} steps"
        print("\n".join(race.picture(text, size()[0]).lines(styled=False)))
    if not options.quiet:
        from undoku.cli.render import command_words  # takes longer to load than all of the above

        film = visible(command_words(options))
        print(f"the film:            {film} -o film.mp4\n{_HINTS}")
    return 0


def _show(race: Race) -> None:
    """Show a race until "q" is pressed, or if no key was pressed, until its end."""
    coloured = not os.environ.get("NO_COLOR")
    view, shown = View(race), 0.0
    with Screen() as screen:
        while view.touched or not race.ended:
            screen.draw(view.picture(*size()).lines(styled=True, coloured=coloured))
            begun = time.monotonic()
            for key in screen.keys(max(0.0, shown + _FRAME - begun)):
                if key == "q":
                    return
                view.press(key)
            before, shown = shown or begun, time.monotonic()
            view.advance(shown - before)
