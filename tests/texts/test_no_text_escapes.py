"""Texts of films, captions and cards come from the table of texts, and every entry is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import undoku
from tests.support.films import film_of
from tests.support.marked_texts import drawn_texts, keys_in, write_marked
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, Puzzle
from undoku.player.html_page import page_script
from undoku.render.delivery.captions import captions
from undoku.render.delivery.filmstrip import filmstrip
from undoku.render.film.film import Film
from undoku.render.panels.panel_registry import panels
from undoku.solver.problem.variants import jigsaw_geometry, with_diagonals
from undoku.solver.search.part_registry import REPERTOIRE
from undoku.texts.language import places_in
from undoku.texts.wording import ABOUT, NOUNS, english, part_key

REGIONS = [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]
JIGSAW = Puzzle((0,) * 16, with_diagonals(jigsaw_geometry(REGIONS)))
PANELS = ",".join(kind.name for kind in panels())


def made(
    texts: str, puzzle: Any, strategies: Iterable[str], limits: Limits | None = None, **given: Any
) -> Film:
    options = {"language": texts, "size": "640x360", **given}
    return film_of(*strategies, puzzle=puzzle, limits=limits, **options)


def few_shots(film: Film) -> list[Any]:
    """Some shots of each phase of a film, in order, and those that its beats begin with."""
    shots = list(film.timeline.shots())
    step = max(1, len(shots) // 60)
    return [
        shot for number, shot in enumerate(shots) if number % step == 0 or number > len(shots) - 3
    ]


FILMS: dict[str, Callable[[str], Film]] = {
    "two": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], title_card="1s",
                              duration="4s", card="1s", panels=PANELS, size="1280x720"),
    "two-small": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], title_card="1s",
                                    duration="4s", card="1s", size="360x640"),
    "slow": lambda texts: made(texts, EASY.grid, ["mrv+singles", "row-major"], title_card="1s",
                               steps_per_second="2", to_step=6, panels="board,why,counters"),
    "highlights": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], highlights=True,
                                     duration="9s"),
    "ramp": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], ramp=True, duration="4s",
                               title_card="1s"),
    "finish": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv", "mrv+singles@root"],
                                 clock="finish", duration="2s", title_card="1s"),
    "time": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], clock="time",
                               duration="2s", title_card="1s"),
    "heat": lambda texts: made(texts, MEDIUM.grid, ["row-major"], heat="overlay", duration="1s"),
    "heat-map": lambda texts: made(texts, MEDIUM.grid, ["row-major"], heat="beside", duration="1s"),
    "capped": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], Limits(40),
                                 duration="1s"),
    "exhausted": lambda texts: made(texts, JIGSAW, ["fewest-options-first"], Limits(3000),
                                    duration="1s", title_card="1s"),
    "tree": lambda texts: made(texts, EASY.grid, ["mrv"], panels="board,tree,depth", duration="1s"),
    "counters": lambda texts: made(
        texts, EASY.grid, ["mrv"], duration="1s", size="1280x720",
        counters="steps,taken-back,solutions,depth,dead-ends,backtracks,branching"),
    "story": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], size="1280x720"),
    "story-of-one": lambda texts: made(texts, EASY.grid, ["mrv"]),
}  # fmt: skip


def foreign(text: str, film: Film | None = None) -> list[str]:
    """The words of a text that are in English: not of specs, which may be cut."""
    specs = " ".join(header.strategy for header in film.headers) if film else ""
    return [word for word in re.findall(r"[A-Za-z]{2,}", text) if word not in specs]


@pytest.mark.parametrize("name", FILMS)
def test_no_text_escapes_the_table(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A film in a language in which every text is a mark draws no English word, nor do its captions
    and filmstrips have one."""
    film = FILMS[name](write_marked(tmp_path))
    with drawn_texts(monkeypatch) as drawn:
        for _ in film.draw(few_shots(film)):
            pass
        if film.settings.width > 1000:
            filmstrip(film, 2)
            filmstrip(film, 3)
        film.still(film.shot_of_step(2))
    reported = drawn.texts | {caption.text for caption in captions(film)} | {film.title}
    reported |= {highlight.text for highlight in film.highlights}
    assert not sorted({word for text in reported for word in foreign(text, film)})
    assert len({key for text in reported for key in keys_in(text)}) > 5


ROOT = Path(undoku.__file__).parent


def read_names(path: Path) -> Iterator[str]:
    """The texts that a module reads as attributes, by their keys, and its string constants."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr.isupper():
            yield node.attr.lower().replace("_", "-")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_text_is_said_somewhere() -> None:
    """Those of the page are said by its script, and those of parts by their names."""
    said = {name for path in ROOT.rglob("*.py") for name in read_names(path)}
    scripts = (path.read_text("utf-8") for path in ROOT.rglob("*.js"))
    said |= {name for script in scripts for name in re.findall(r'say\("([\w-]+)"', script)}
    said |= {f"{part_key(part)}{end}" for part in REPERTOIRE for end in ("", "-does")}
    keys = {key.partition(ABOUT)[0] for key in english()}
    assert {
        key for key in keys if not key.startswith(("player-", "unit-", "found-", "noun-"))
    } <= said


def test_every_text_that_is_said_exists_and_is_given_its_values() -> None:
    calls = [
        node
        for path in ROOT.rglob("*.py")
        if "undoku.texts" in (code := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "say"
        and node.func.attr.isupper()
    ]
    assert len(calls) > 100
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        forms = english()[call.func.attr.lower().replace("_", "-")]
        places = {*places_in(forms["other"]), *["count"] * ("one" in forms)} - {*NOUNS}
        assert {value.arg for value in call.keywords} == places, ast.unparse(call)


def test_every_text_of_the_player_is_said_by_its_script() -> None:
    """By its key, or by the name of a panel or of a theme."""
    said = set(re.findall(r'"(?:player-)?([\w-]+)"', page_script()))
    keys = {key.removeprefix("player-") for key in english() if key.startswith("player-")}
    assert {re.sub("^(panel|theme)-", "", key) for key in keys - said} <= said
