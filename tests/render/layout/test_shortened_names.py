"""Names that don't fit are shortened so that they can still be told apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from render.style.lettering import Face, fitted_name, text_width


@given(st.text("abcdefg+-/:019", min_size=1, max_size=60), st.integers(20, 400))
def test_a_name_fits_and_keeps_both_its_ends(name: str, width: int) -> None:
    shown = fitted_name(name, Face.BOLD, 17, width)
    assert text_width(shown, Face.BOLD, 17) <= width
    if shown != name and len(shown) > 4:
        head, tail = shown.split("…")
        assert name.startswith(head)
        assert name.endswith(tail)


def test_strategies_that_begin_alike_are_told_apart() -> None:
    names = ("row-major+locked+pairs", "row-major+locked+singles")
    shown = {fitted_name(name, Face.BOLD, 17, 140) for name in names}
    assert len(shown) == 2
