"""Labels of any characters and lengths: every frame is drawn, inside the picture; those that can't
be seen are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.films import film_of
from tests.support.manifests import QUICK, groups
from tests.support.puzzles import EASY
from undoku import SettingsError
from undoku.render.draw.canvas import Rect

LONG = ("A solver with a name that does not end " * 6)[:200]
UNBROKEN = "W" * 200
HEBREW = "פותר עם שם " * 8
STACKED = "Z" + "\u0301\u0323\u0335" * 12 + "algo"
CONTROLS = "one\ntwo\tthree\x1b[31mred\x07\u202eback"
EMOJI = "\U0001f600 \U0001f468\u200d\U0001f469\u200d\U0001f467"


WIDE = {"size": "640x360", "language": "en"}
# As for Shorts: the margins on the left and on the right differ.
TALL = {"size": "270x480", "language": "he", "margins": "4,10,11,25"}


@pytest.mark.parametrize(
    ("labels", "settings"),
    [
        ((LONG, HEBREW), TALL),
        ((UNBROKEN, EMOJI), TALL),
        ((STACKED, CONTROLS), TALL),
        (("same",) * 3, WIDE),
        long((LONG, UNBROKEN, HEBREW, EMOJI), WIDE),
        long(("same",) * 4, TALL),
        long((LONG, HEBREW), WIDE),
        long((UNBROKEN, EMOJI), WIDE),
        long((STACKED, CONTROLS), WIDE),
        long(("same", "same"), TALL),
        long((LONG, UNBROKEN, HEBREW, EMOJI), TALL),
        long(("same",) * 4, WIDE),
    ],
)
def test_films_with_any_labels_are_drawn(
    labels: tuple[str, ...], settings: dict[str, object]
) -> None:
    """No change lies outside the picture: it would make compiled loops read other memory."""
    names = ["row-major", "mrv", "dom-wdeg", "column-major"][: len(labels)]
    made = film_of(*names, puzzle=EASY.grid, pace="story", fps="3", labels=labels, **settings)  # type: ignore[arg-type]
    assert len({*made.labels}) == len(labels)
    whole = Rect(0, 0, made.settings.width, made.settings.height)
    assert all(whole.contains(rect) for frame in made.frames() for rect, _ in frame.changes)


@pytest.mark.parametrize(
    ("labels", "mistake"),
    [
        (["a", ""], "labels: '' is blank"),
        (" \n\t", "is blank"),
        (["\u200b\u2060"], r"labels: '\\u200b\\u2060' is blank"),
        (["a", "\u202e\u2067"], "is blank"),
        (["\0\x1b"], "is blank"),
        (["W" * 100_000], "a text of 100,000 characters"),
        (["a", "b", "c"], "3 labels for 2 searches"),
        ([1], "labels is not a text or a list of texts"),
        ([], "labels is not a text or a list of texts"),
    ],
)
def test_a_mistake_in_the_labels_of_a_manifest_has_its_line(
    tmp_path: Path, labels: object, mistake: str
) -> None:
    given = json.dumps(labels, ensure_ascii=True)
    with pytest.raises(SettingsError, match=mistake) as caught:
        groups(tmp_path, f'{QUICK}[[jobs]]\npuzzles = "easy.txt"\nlabels = {given}\n')
    place = caught.value.place
    assert "films.toml, jobs[0].labels, line " in str(place)
    assert caught.value.remedy
    assert str(caught.value).isprintable() and "\n" not in str(caught.value)


@pytest.mark.parametrize("label", [CONTROLS, HEBREW, EMOJI, STACKED, LONG, UNBROKEN, "\u202ea"])
def test_a_manifest_takes_any_label_that_can_be_seen(tmp_path: Path, label: str) -> None:
    given = json.dumps([label], ensure_ascii=False).replace("\x7f", "\\u007f")
    (one,) = groups(tmp_path, f'{QUICK}[[jobs]]\npuzzles = "easy.txt"\nformats = "gif"\n'
                    f"labels = {given}\n")  # fmt: skip
    assert one.settings.labels == (label,)
