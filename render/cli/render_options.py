"""The options of `undoku render`."""

from __future__ import annotations

import argparse

from render.cli.search_options import AddCommand, add_inputs, whole

__all__ = ["add_render"]


def add_render(add: AddCommand) -> None:
    added = add("render", "Film searches: a puzzle by several strategies, or recorded traces.")
    add_inputs(added, "*")
    _add_output(added)
    _add_picture(added)
    _add_pace(added)
    _add_messages(added)


def _add_output(command: argparse.ArgumentParser) -> None:
    output = command.add_argument_group("output")
    output.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help="may be repeated; the suffix is the format (undoku list formats); - for stdout",
    )
    output.add_argument(
        "--format", metavar="FORMAT",
        help="of what goes to -, such as gif; default: mp4",
    )  # fmt: skip
    output.add_argument("-y", "--yes", action="store_true", help="replace files that exist")
    output.add_argument(
        "--at-step", type=whole, metavar="N", help="one picture: the state after N steps"
    )
    output.add_argument(
        "--filmstrip", type=whole, metavar="N", help="one picture: N moments of the search"
    )
    output.add_argument(
        "--again", metavar="FILE", help="the film that FILE, made by undoku, holds; options differ"
    )
    output.add_argument(
        "--loop",
        type=whole,
        metavar="N",
        help="play a GIF, WebP or APNG N times (0: for ever)",
    )
    output.add_argument(
        "--embed",
        choices=("html", "markdown"),
        help="print a snippet to paste; writes a still picture beside the film",
    )
    output.add_argument(
        "--max-size",
        metavar="SIZE",
        help="5MB: give up frame rate, length, size, then colours to keep it",
    )
    output.add_argument(
        "--for", dest="platform", metavar="PLATFORM",
        help="keep its limits: github, x, mastodon, discord, youtube, shorts, blog",
    )  # fmt: skip
    output.add_argument(
        "--flash-safe",
        action="store_true",
        default=None,
        help="fade what would flash too often (WCAG 2.3.1)",
    )
    output.add_argument(
        "--captions", metavar="FILE", help=".srt or .vtt: what the searches do, in words"
    )
    output.add_argument(
        "--encoder",
        choices=("x264", "direct", "auto"),
        help="of MP4; direct: none, for few steps a frame; default: auto, what is smaller",
    )
    output.add_argument("--quality", metavar="NAME", help="of films; see undoku list presets")
    output.add_argument(
        "--key-interval",
        metavar="TIME",
        help="at most so long between an MP4's key frames, to which players jump",
    )
    output.add_argument(
        "--variable-rate",
        action="store_true",
        default=None,
        help="store frames of a directly written MP4 that change nothing as a longer one",
    )
    output.add_argument(
        "-j", "--jobs", type=whole, metavar="N",
        help="draw one long MP4 in segments, N at once; they are joined",
    )  # fmt: skip


def _add_picture(command: argparse.ArgumentParser) -> None:
    picture = command.add_argument_group("picture")
    picture.add_argument("--size", metavar="WxH", help="default: 1280x720")
    picture.add_argument("--theme", metavar="NAME", help="see undoku list themes; default: dark")
    picture.add_argument(
        "--colours", "--colors", type=whole, metavar="N",
        help="at most N, 2 to 255, in pixels (not in SVG and PDF); default: all",
    )  # fmt: skip
    picture.add_argument("--title", metavar="TEXT", help='"" for none')
    picture.add_argument(
        "--panels",
        metavar="LIST",
        help="names of undoku list panels; default: board,counters,depth,tree, as far as there is "
        "room",
    )
    picture.add_argument(
        "--heat",
        choices=("beside", "overlay"),
        help="how often each cell was tried: on a map beside the board, or on the board itself",
    )
    picture.add_argument(
        "--highlights",
        action="store_true",
        default=None,
        help="slow down where the search turns and say so; lists the moments in a .json beside",
    )
    picture.add_argument(
        "--last-state",
        action="store_true",
        default=None,
        help="show a frame of many steps as its last board, not as how long each digit stood",
    )


def _add_pace(command: argparse.ArgumentParser) -> None:
    pace = command.add_argument_group("pace")
    pace.add_argument("--fps", metavar="RATE", help="60 or 30000/1001; default: 60")
    pace.add_argument("--steps-per-frame", metavar="N", help="12 or 1/4; default: 1")
    pace.add_argument(
        "--every", type=whole, metavar="N", help="show every Nth step, for one frame each"
    )
    pace.add_argument("--steps-per-second", metavar="N", help="the same at any frame rate")
    pace.add_argument("--duration", metavar="TIME", help="fit the whole film: 20s, 1m30s, 1:30")
    pace.add_argument(
        "--ramp", action="store_true", help="start and end at a speed the eye can follow"
    )
    pace.add_argument("--from-step", type=whole, metavar="N", help="begin the race after N steps")
    pace.add_argument("--to-step", type=whole, metavar="N", help="end the race after N steps")
    pace.add_argument(
        "--clock", choices=("steps", "finish", "time"),
        help="steps: the same steps per frame for all (default); finish: all finish together; "
        "time: each as fast as its search was",
    )  # fmt: skip
    for name, sentence, default in (
        ("title-card", "puzzle and strategies before the givens", "2s, in GIFs and the like none"),
        ("intro", "the givens before the race", "1.5s"),
        ("hold", "the boards after the race", "1.5s"),
        ("card", "the end card", "2.5s"),
    ):
        pace.add_argument(f"--{name}", metavar="TIME", help=f"{sentence}; default: {default}")


def _add_messages(command: argparse.ArgumentParser) -> None:
    messages = command.add_argument_group("messages")
    messages.add_argument("--json", action="store_true", help="print one JSON object")
    messages.add_argument(
        "--dry-run", action="store_true", help="say what would be written, and write nothing"
    )
    loudness = messages.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    loudness.add_argument("-v", "--verbose", action="store_true", help="say how time was spent")
