"""The plural form for a number, by language (after Unicode CLDR's plural rules for
whole numbers)."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["FORMS", "forms_of", "plural_form"]

FORMS = ("zero", "one", "two", "few", "many", "other")
"""The plural forms that a language may have; every language has "other"."""


def _germanic(count: int) -> str:
    return "one" if count == 1 else "other"


def _french(count: int) -> str:
    return "one" if count in (0, 1) else "other"


def _single(count: int) -> str:
    return "other"


def _hebrew(count: int) -> str:
    return {1: "one", 2: "two"}.get(count, "other")


def _arabic(count: int) -> str:
    if count < 3:
        return ("zero", "one", "two")[count]
    last = count % 100
    if 3 <= last <= 10:
        return "few"
    return "many" if last > 10 else "other"


def _russian(count: int) -> str:
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14):
        return "few"
    return "many"


def _polish(count: int) -> str:
    if count == 1:
        return "one"
    return "few" if _russian(count) == "few" else "many"


def _czech(count: int) -> str:
    if count == 1:
        return "one"
    return "few" if count in (2, 3, 4) else "other"


_Rule = Callable[[int], str]
_TWO = ("one", "other")
_SLAVIC = ("one", "few", "many", "other")
_RULES: dict[str, tuple[_Rule, tuple[str, ...]]] = {
    "ar": (_arabic, FORMS),
    "he": (_hebrew, ("one", "two", "other")),
    **dict.fromkeys(("fr", "pt", "hi", "fa", "bn"), (_french, _TWO)),
    **dict.fromkeys(("ja", "ko", "zh", "vi", "th", "id", "ms"), (_single, ("other",))),
    **dict.fromkeys(("ru", "uk", "be"), (_russian, _SLAVIC)),
    "pl": (_polish, _SLAVIC),
    **dict.fromkeys(("cs", "sk"), (_czech, ("one", "few", "other"))),
}


def forms_of(language: str) -> tuple[str, ...]:
    """The plural forms of a language by its tag ("de", "pt-BR"); "one" and "other" if its rule is
    not known."""
    return _RULES.get(language.split("-", maxsplit=1)[0].lower(), (_germanic, _TWO))[1]


def plural_form(language: str, count: int) -> str:
    """The form for `count` >= 0."""
    return _RULES.get(language.split("-", maxsplit=1)[0].lower(), (_germanic, _TWO))[0](count)
