"""The messages of `undoku render`: the outputs on stdout, everything else on stderr."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from undoku.cli.messages import Messages
from undoku.cli.printing import counts, print_json, rate_number, table
from undoku.cli.single_picture import is_single
from undoku.render.delivery.report import Report
from undoku.render.film.film import Film

__all__ = ["dry_run", "print_report"]


def print_report(
    options: Namespace,
    report: Report,
    embeds: Sequence[str],
    sidecars: Sequence[Path],
    say: Messages,
    *,
    piped: bool = False,
) -> None:
    """Name the outputs and the `sidecars` on stdout, unless the film itself was `piped`
    there, and count them."""
    if options.json:
        outputs: list[dict[str, Any]] = [
            {
                "path": str(output.path),
                "frames": output.frames,
                "duration_s": round(float(output.duration), 6),
                "bytes": output.bytes,
                "width": output.width,
                "height": output.height,
                "fps": rate_number(output.fps),
            }
            for output in report.outputs
        ]
        for row, output in zip(outputs, report.outputs, strict=True):
            if output.encoder_summary:
                encoder, why = output.encoder
                row.update({"encoder": encoder, "encoder_why": why or "asked for"})
        for output_row, text in zip(outputs, embeds, strict=False):
            output_row["embed"] = text
        for output_row, text in zip(outputs, report.chosen, strict=False):
            output_row["chosen"] = text
        results = map(counts, report.names, report.tallies)
        content: dict[str, Any] = {"outputs": outputs, "results": list(results)}
        if report.sound:
            content["sound"] = {
                "lufs": round(report.sound.integrated, 1),
                "peak_dbfs": round(report.sound.peak, 1),
            }
        if sidecars:
            content["beside"] = list(map(str, sidecars))
        if report.flashes:
            content["flashes"] = {
                "most_in_a_second": float(report.flashes.most),
                "red_in_a_second": float(report.flashes.red),
                "safe": report.flashes.safe,
            }
        print_json(content)
    elif not options.quiet:
        show = say if piped else print
        for number, output in enumerate(report.outputs):
            if not piped:
                print(embeds[number] if embeds else output.path)
            counted = f"{output.frames:,} frame{'s' * (output.frames != 1)}"
            say(f"{counted}, {float(output.duration):.2f} s, {output.bytes:,} bytes")
        for path in sidecars:
            show(str(path))


def dry_run(options: Namespace, film: Film, paths: Sequence[Path | str]) -> int:
    """Print what would be written; returns the exit code."""
    frames, duration = film.timeline.frames, film.timeline.duration
    if is_single(options):
        frames, duration = 1, 1 / film.settings.fps
    if options.json:
        print_json(
            {
                "outputs": [str(path) for path in paths],
                "frames": frames,
                "duration_s": round(float(duration), 6),
                "width": film.settings.width,
                "height": film.settings.height,
                "fps": rate_number(film.settings.fps),
                "results": list(map(counts, film.names, film.tallies)),
            }
        )
    elif not options.quiet:
        print("\n".join(f"would write {path}" for path in paths))
        size = f"{film.settings.width}×{film.settings.height}"
        print(f"{frames:,} frames, {float(duration):.2f} s, {size}")
        print(table(list(zip(film.names, film.tallies, strict=True))))
    return 0
