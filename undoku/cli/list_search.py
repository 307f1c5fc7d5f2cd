"""Finds the rows of a list that match given words."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from undoku.errors import SettingsError

__all__ = ["matching"]


def matching(rows: Sequence[dict[str, Any]], query: str, what: str) -> list[dict[str, Any]]:
    """The rows that match `query`, in their order: each of its words is a prefix of a word in the
    same text of the row, or all words joined are a prefix of a name, such as "ac3" or
    "dancinglinks". Capitals, accents and hyphens are ignored. Raises SettingsError if there are
    none, with the most similar names.
    """
    words = _words(query)
    found = [
        row
        for row in rows
        if any(_begins(words, text) for text in _texts(row))
        or any(_begins_joined(words, name) for name in _names(row))
    ]
    if found:
        return found
    named = {" ".join(_words(name)): row["name"] for row in rows for name in _names(row)}
    near = difflib.get_close_matches(" ".join(words), named, 3, 0.7)
    nearest = list(dict.fromkeys(named[name] for name in near))
    raise SettingsError(
        f"none of the {what} matches {query!r}",
        remedy=f"did you mean {' or '.join(nearest)}?"
        if nearest
        else f"undoku list {what} shows all of them",
    )


def _names(row: dict[str, Any]) -> list[str]:
    return [row["name"].removesuffix(":SEED"), row.get("plain", ""), *row.get("aliases", ())]


def _texts(row: dict[str, Any]) -> list[str]:
    return [*_names(row), row["sentence"], row.get("source", "")]


def _words(text: str) -> list[str]:
    """The words of a text, in lower case without accents."""
    parted = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(r"\w+", "".join(mark for mark in parted if not unicodedata.combining(mark)))


def _begins(words: list[str], text: str) -> bool:
    there = _words(text)
    return bool(words) and all(any(one.startswith(word) for one in there) for word in words)


def _begins_joined(words: list[str], name: str) -> bool:
    there = _words(name)
    query = "".join(words)
    return bool(words) and any(
        "".join(there[start:]).startswith(query) for start in range(len(there))
    )
