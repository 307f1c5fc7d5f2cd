"""The options of commands that search: puzzles, strategies and limits."""

from __future__ import annotations

import argparse

from undoku.cli.film_arguments import add_named_options, add_options
from undoku.render.settings.option import Group

__all__ = ["add_inputs", "add_search_options", "add_words", "whole"]


def add_search_options(command: argparse.ArgumentParser) -> None:
    """Add the options for the limits of a search."""
    add_options(command, Group.SEARCH)


def add_words(command: argparse.ArgumentParser, labels: str, **more: str) -> None:
    """Add the options for the names of searches and for the language, and further options of films
    by name. `labels` describes the default names, `more` the defaults of the other options."""
    add_named_options(command, labels=labels, language="English", **more)


def add_inputs(command: argparse.ArgumentParser, count: str) -> None:
    """Add the arguments for puzzles or traces, `count` of them (argparse's nargs), and for
    strategies."""
    command.add_argument(
        "inputs",
        nargs=count,
        metavar="PUZZLE|TRACE",
        help="81 cells, a puzzle file, a trace file, or - for stdin",
    )
    command.add_argument(
        "-s", "--strategy", action="append", metavar="S", help="may be repeated; row-major and mrv"
    )
    add_search_options(command)


def whole(text: str) -> int:
    """A whole number of 0 or more."""
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
