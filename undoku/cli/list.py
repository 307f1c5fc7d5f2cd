"""undoku list: strategies, problems, themes, panels, formats, presets, platforms, texts."""

from __future__ import annotations

import difflib
import re
import unicodedata
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from undoku.cli.printing import Results, print_json
from undoku.errors import SettingsError

Row = dict[str, Any]
"""An entry of a list: `name` and `sentence`, and optionally `kind`, `spec`, `source`, `plain` (all
texts) and `aliases` (a list of texts)."""


def run(options: Namespace) -> int:
    rows = rows_of(options.what)
    if options.words:
        rows = matching(rows, " ".join(options.words), options.what)
    if options.json:
        print_json(rows)
        return 0
    width = max(len(row["name"]) for row in rows)
    kind = ""
    for row in rows:
        if row.get("kind", kind) != kind:  # strategies consist of parts of several kinds
            print(("\n" if kind else "") + row["kind"] + ":")
            kind = row["kind"]
        notes = [row["source"]] if row.get("source") else []
        if row.get("aliases"):
            notes.append("also called " + ", ".join(row["aliases"]))
        rest = row["sentence"] + (f" ({'; '.join(notes)})" if notes else "")
        if row.get("spec"):
            rest = f"{row['spec']}: {rest}"
        print(f"{'  ' * bool(kind)}{row['name']:<{width}}  {rest}")
    return 0


def strategies(query: str = "") -> Results:
    """The parts of strategies and the presets, with their sentences; those that match `query`, the
    beginnings of words, as in `strategies("DLX")`. Raises SettingsError if none does.

    >>> [part["name"] for part in undoku.strategies("DLX")]
    ['exact-cover', 'dancing-links']
    """
    rows = rows_of("strategies")
    if query:
        rows = matching(rows, query, "strategies")
    shown = [("name", "kind", "sentence"), *((r["name"], r["kind"], r["sentence"]) for r in rows)]
    return Results(rows, rows, shown, names=3)


def rows_of(what: str) -> list[Row]:
    """All rows of a list: "strategies", "panels", …"""
    match what:
        case "strategies":
            return _strategies()
        case "problems":
            from undoku.solver.problem.problem_kinds import kinds

            return [{"name": kind.written, "sentence": kind.sentence} for kind in kinds()]
        case "themes":
            from undoku.render.draw.theme import load_theme, theme_names

            return [{"name": name, "sentence": load_theme(name).title} for name in theme_names()]
        case "panels":
            from undoku.render.panels.panel_registry import panels

            return [{"name": kind.name, "sentence": kind.sentence} for kind in panels()]
        case "formats":
            from undoku.render.write.formats import formats

            return [
                {"name": entry.suffix, "sentence": f"{entry.name}: {entry.sentence}"}
                for entry in formats()
            ]
        case "presets":
            from undoku.render.write.quality import QUALITIES

            return [{"name": one.name, "sentence": one.sentence} for one in QUALITIES.values()]
        case "platforms":
            from undoku.render.delivery.platforms import limits_table

            return [dict(row) for row in limits_table()]
        case _:
            return _language_texts()


def _strategies() -> list[Row]:
    from undoku.solver.search.part_registry import parts
    from undoku.solver.search.strategy_part import PartKind

    rows: list[Row] = []
    for kind in PartKind:
        for part in parts(kind):
            row: Row = {"name": part.written, "sentence": part.sentence, "source": part.source}
            row |= {"plain": part.plain_name, "aliases": list(part.aliases), "kind": kind.value}
            rows.append(row | ({"spec": part.spec} if part.spec else {}))
    return rows


def _language_texts() -> list[Row]:
    from undoku.texts.language_files import language_names, load_language
    from undoku.texts.wording import english

    rows: list[Row] = [{"name": name, "sentence": load_language(name).tag, "kind": "languages"}
            for name in language_names()]  # fmt: skip
    for key, forms in english().items():
        sentence = f"{forms['other']} ({forms['one']})" if "one" in forms else forms["other"]
        rows.append({"name": key, "sentence": sentence, "kind": "texts"})
    return rows


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
