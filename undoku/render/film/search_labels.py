"""The labels of the searches of one film, which differ from each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from undoku.errors import SettingsError
from undoku.render.playback.search_texts import added
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header
from undoku.texts import wording as say
from undoku.texts.strategy_texts import strategy_name
from undoku.texts.text_lines import encodable


def check_label_count(
    labels: Sequence[str], count: int, one: str = "search", many: str = "searches"
) -> None:
    """Raise SettingsError for more labels than there are searches, or other things that are called
    `one` and `many`."""
    if len(labels) > count:
        raise SettingsError(
            f"{len(labels)} labels for {count} {one if count == 1 else many}",
            remedy=f"give one label for each {one}, in their order",
        )


def labelled(
    headers: Iterable[Header], labels: Sequence[str], *, briefly: bool = False
) -> tuple[Header, ...]:
    """The headers with the labels of the film: the first of `labels` for the first search and so
    on, or else their own. If `briefly`, one of these that begins with that of another search is
    what it has more: "+ forced digits". Equal labels are extended by the specification of the
    strategy, or else the name of the puzzle, or else a number in brackets.

    Raises SettingsError for more labels than headers.
    """
    headers = list(headers)
    check_label_count(labels, len(headers))
    own = [_label(header) for header in headers[len(labels) :]]
    found = [*labels, *(map(partial(added, own), own) if briefly else own)]
    found = [" ".join(encodable(label).split()) for label in found]
    for further in (
        [header.strategy for header in headers],
        [header.puzzle.title for header in headers],
    ):
        found = _distinguished(found, further)
    found = _numbered(found)
    return tuple(
        header._replace(given_label=label) for header, label in zip(headers, found, strict=True)
    )


def search_names(headers: Iterable[Header], labels: Sequence[str] = ()) -> tuple[str, ...]:
    """What tables call the searches: the first of `labels` for the first search and so on, else
    their titles, or their strategies as specs write them. Where two would be the same, they get the
    label of their trace or a number in brackets.

    Raises SettingsError for more labels than headers.
    """
    headers = list(headers)
    check_label_count(labels, len(headers))
    found = [*labels, *(header.name for header in headers[len(labels) :])]
    return tuple(_numbered(_distinguished(found, [header.given_label for header in headers])))


def strategy_labels(strategies: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """What a study calls its strategies: the first of `labels` for the first strategy and so on,
    else as specs write them; no two alike.

    Raises SettingsError for more labels than strategies.
    """
    check_label_count(labels, len(strategies), "strategy", "strategies")
    found = [" ".join(encodable(label).split()) for label in labels]
    return tuple(_numbered([*found, *strategies[len(labels) :]]))


def _label(header: Header) -> str:
    """Like `Header.label`, in the language of the film."""
    if header.given_label or header.title:
        return header.label
    strategy = Strategy.known(header.strategy)
    return strategy_name(strategy) if strategy else header.strategy or say.MY_SOLVER()


def _distinguished(labels: Sequence[str], further: Sequence[str]) -> list[str]:
    """`labels`, equal ones extended by the text in `further` in brackets, if that differs."""
    found = list(labels)
    for label in set(labels):
        alike = [number for number, other in enumerate(labels) if other == label]
        more = {further[number] for number in alike}
        if len(more) == len(alike) > 1 and all(more):
            for number in alike:
                found[number] = f"{label} ({further[number]})"
    return found


def _numbered(labels: Sequence[str]) -> list[str]:
    """`labels`, equal ones numbered from 1, so that all differ."""
    found: list[str] = []
    for label in labels:
        number, new = 1, label if labels.count(label) == 1 else f"{label} (1)"
        while new in found:
            number += 1
            new = f"{label} ({number})"
        found.append(new)
    return found
