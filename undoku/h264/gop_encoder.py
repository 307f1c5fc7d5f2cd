"""Encodes groups of pictures (GOPs), each independently of the others but for the contents that
returned in earlier ones after they were lost, which the atlas keeps when they are lost again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from undoku.h264.loops import I64, U8
from undoku.h264.parameters import EncoderSettings
from undoku.h264.picture_encoder import EncodedPart, PictureEncoder
from undoku.h264.sprites import Change, Pixels, SpriteRun

GAP = 4
"""A group knows of all groups but the last GAP - 1, so that as many can be encoded at once."""


class ReturnedContents:
    """The tables of returned contents (see previous_picture.py) after each of the last groups.
    Groups are counted from 1; a group 1 begins a segment, in which nothing is known of earlier
    ones."""

    def __init__(self) -> None:
        self._after: deque[tuple[int, I64]] = deque(maxlen=GAP)

    def add(self, number: int, learned: I64) -> None:
        """Add group `number`, the one after the group that was added last, with its table at the
        end."""
        if number == 1:
            self._after.clear()
        before = self._after[-1][1] if self._after else 0
        # Odd entries are contents that have returned, even ones were lost only.
        self._after.append((number, np.where(learned & 1, learned, before)))

    def known(self, number: int) -> I64 | None:
        """What is known when group `number` begins; None for the first GAP groups. All groups up to
        number - GAP must have been added."""
        return next((table for group, table in self._after if group == number - GAP), None)


class GopEncoder:
    """Encodes groups of pictures. Where `settings.concurrent_groups` allows several, the bytes of a
    group are the same whichever groups this encoder encoded before; otherwise it must encode all of
    them in order, and what it learned from one helps it with the next. Memory does not grow.

    Raises LevelError for odd sides, or a size and frame rate beyond the levels of H.264.
    """

    def __init__(self, settings: EncoderSettings) -> None:
        self._pictures = PictureEncoder(
            settings.size, settings.visible, settings.quantiser, settings.error_limit
        )
        self._is_alone = settings.concurrent_groups == 1
        self._begins = True
        """Whether the next frame begins a group."""

    def begin(self, number: int, known: I64 | None) -> None:
        """Begin the `number`th group of pictures, counted from 1: its parity is written to the key
        frame. `known` are returned contents of earlier groups."""
        if number == 1 or not self._is_alone:
            self._pictures.begin(number, known)
        self._begins = True

    def encode_frame(self, pixels: Pixels, changes: Sequence[Change], passing: bool) -> EncodedPart:
        """Encode the next frame of the group; the first one must be changed as a whole. What a
        `passing` one changes must be among the changes of a later one, too. The result is valid
        until the next call."""
        key, self._begins = self._begins, False
        return self._pictures.frame(pixels, changes, key=key, passing=passing)

    def encode_run(self, run: SpriteRun) -> Iterator[EncodedPart]:
        """Play a run, the next part of a group that a frame has begun, and encode it. Each result
        is valid until the next is requested."""
        at = 0
        while at < len(run.first) - 1:
            part = self._pictures.run(run, at)
            at += len(part.sizes)
            yield part

    def learned(self) -> I64:
        """The table of returned contents at the end of the group."""
        return self._pictures.learned()

    def decoded(self) -> U8:
        """The last picture, atlas included, as a decoder has it: (macroblocks, 384) uint8, row by
        row."""
        return self._pictures.decoded()
