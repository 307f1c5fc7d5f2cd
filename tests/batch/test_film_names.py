"""Which names films may have."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from undoku.batch.film_names import check_name, filled, slug
from undoku.errors import SettingsError


@given(st.text(max_size=40))
def test_a_name_that_is_taken_stays_inside_its_folder(name: str) -> None:
    try:
        check_name(name)
    except SettingsError:
        return
    inside = Path("/films")
    path = inside / name
    assert path.is_relative_to(inside)
    assert ".." not in path.parts
    assert not any(part.startswith(("-", ".")) for part in name.split("/"))


@given(st.text(max_size=40))
def test_a_slug_is_always_a_part_of_a_good_name(text: str) -> None:
    assert "/" not in slug(text)
    check_name("x" + slug(text)[:40].rstrip(".-"))


def test_a_field_is_filled_and_padded() -> None:
    assert filled("{a}-{n:03}", {"a": "x", "n": "7"}) == "x-007"
