"""What commands say beside their results, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from undoku.render.draw.text_runs import named_characters
from undoku.render.draw.typesetting import Typesetting
from undoku.visible_text import visible

__all__ = ["Messages", "report_letters"]


class Messages:
    """Messages for people, not for scripts: on stderr, and not with --quiet."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def __call__(self, text: str) -> None:
        if not self._quiet:
            print(text, file=sys.stderr)


def report_letters(typesetting: Typesetting, texts: Iterable[str], say: Messages) -> None:
    """Report letters of the language's texts, and of the names and titles `texts` in them, that
    can't be drawn correctly."""
    texts = [*texts]
    if missing := typesetting.unshown(texts):
        say(f"warning: no font has {visible(named_characters(missing))}; install one that does, or "
            "give one with --font")  # fmt: skip
    if typesetting.unjoined(texts):
        say("warning: letters are neither joined, stacked nor written from right to left here: "
            "Pillow was built without raqm; install a Pillow that has it")  # fmt: skip
