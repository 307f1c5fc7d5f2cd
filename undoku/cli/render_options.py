"""The options of `undoku render`: those of a film, and those of only the command."""

from __future__ import annotations

import argparse

from undoku.cli.film_arguments import Arguments, add_options
from undoku.cli.search_options import add_inputs, whole
from undoku.render.settings.option import Group

__all__ = ["add_preview", "add_render"]


def add_render(added: argparse.ArgumentParser) -> None:
    add_inputs(added, "*")
    output = added.add_argument_group("output")
    _add_output(output)
    add_options(output, Group.OUTPUT)
    add_options(added.add_argument_group("picture"), Group.PICTURE)
    add_options(added.add_argument_group("pace"), Group.PACE)
    _add_messages(added)


def add_preview(added: argparse.ArgumentParser) -> None:
    add_inputs(added, "*")
    add_options(added.add_argument_group("picture"), Group.PICTURE)
    add_options(added.add_argument_group("pace"), Group.PACE)
    served = added.add_argument_group("server")
    served.add_argument("--port", type=whole, metavar="N", help="port; default: any free one")
    served.add_argument("--no-browser", action="store_true", help="only print the address")
    served.add_argument("-q", "--quiet", action="store_true", help="print the address and errors")


def _add_output(output: Arguments) -> None:
    output.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help="may be repeated; the suffix is the format (undoku list formats); - for stdout",
    )
    output.add_argument(
        "--format", metavar="FORMAT",
        help="format of the output -, such as gif; default: mp4",
    )  # fmt: skip
    output.add_argument("-y", "--yes", action="store_true", help="replace files that exist")
    output.add_argument(
        "--again",
        metavar="FILE",
        help="re-render the film recorded in FILE; other options override it",
    )
    output.add_argument(
        "--embed",
        choices=("html", "markdown"),
        help="print a snippet to paste; writes a still picture beside the film",
    )
    output.add_argument(
        "-j", "--jobs", type=whole, metavar="N",
        help="draw one long MP4 in segments, N at once; they are joined",
    )  # fmt: skip


def _add_messages(command: argparse.ArgumentParser) -> None:
    messages = command.add_argument_group("messages")
    messages.add_argument("--json", action="store_true", help="print one JSON object")
    messages.add_argument(
        "--dry-run", action="store_true", help="print what would be written, and write nothing"
    )
    loudness = messages.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    loudness.add_argument(
        "-v", "--verbose", action="store_true", help="print the time of each part"
    )
