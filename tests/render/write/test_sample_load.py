"""The load of a film is that of its largest sample and of its busiest window."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from undoku.render.write.film_samples import SampleLoad


@given(
    samples=st.lists(st.tuples(st.integers(1, 1000), st.integers(1, 9)), min_size=1, max_size=60),
    window=st.integers(1, 30),
    cuts=st.sets(st.integers(1, 60)),
)
def test_the_load_is_the_same_however_samples_are_added(
    samples: list[tuple[int, int]], window: int, cuts: set[int]
) -> None:
    load = SampleLoad(window)
    edges = sorted({0, len(samples), *(cut for cut in cuts if cut < len(samples))})
    for start, stop in pairwise(edges):
        part = samples[start:stop]
        if len(part) == 1:
            load.add(*part[0])
        else:
            sizes, durations = np.array(part, np.int64).T
            load.add_many(sizes, durations)
    starts = np.cumsum([0, *(duration for _, duration in samples)])[:-1]
    sizes = np.array([size for size, _ in samples])
    within = [int(sizes[(starts > at - window) & (starts <= at)].sum()) for at in starts]
    assert load.busiest == max(within)
    assert load.largest == int(sizes.max())
