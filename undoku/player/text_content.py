"""The texts that the page itself uses, in the language of its film."""

from __future__ import annotations

from typing import Any

from undoku.texts import code_texts, step_texts, story_texts
from undoku.texts import wording as say
from undoku.texts.counter_kinds import COUNTERS
from undoku.texts.language import Text, spoken
from undoku.texts.player_texts import PLAYER_TEXTS
from undoku.texts.plural_rules import plural_form

__all__ = ["text_content"]

_SAID = (
    *PLAYER_TEXTS,
    *(value for value in vars(step_texts).values() if isinstance(value, Text)),
    story_texts.A_STEP,
    say.LIST_MIDDLE,
    say.CELL,
    say.STEPS,
    say.STEP_NUMBER,
    say.STEP_OF,
    say.RATE_SECOND,
    say.ON_BOTH_BOARDS,
    say.ON_ALL_BOARDS,
    say.SEARCHING,
    say.DEPTH,
    say.TREE,
    say.TIMES,
    say.NODES,
    *(kind.label for kind in COUNTERS),
    say.SOLUTIONS_FOUND,
    code_texts.CODE,
    say.DEAD_ENDS,
    say.NO_DEAD_END,
    say.BAR_STOPPED,
    say.NOTE_STEP,
    say.NOTE_MARKS,
)

_FEW = 200
"""Above this number, plural forms depend only on the last two digits, in all known languages
(`undoku.texts.plural_rules`)."""


def text_content() -> dict[str, Any]:
    """The current language: its tag, direction and separators, the plural form for each number, and
    the wordings of texts by their keys, each with its forms."""
    language = spoken()
    wordings = {text.key: _forms(text) for text in _SAID}
    return {
        "language": language.tag,
        "rightToLeft": language.right_to_left,
        "thousands": language.thousands,
        "decimals": language.decimals,
        "plurals": [plural_form(language.tag, count) for count in range(_FEW)],
        "wordings": wordings,
    }


def _forms(text: Text) -> dict[str, str]:
    found = spoken().wordings.get(text.key)
    if found is not None:
        return dict(found)
    return {"one": text.one, "other": text.english} if text.one else {"other": text.english}
