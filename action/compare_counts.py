"""Compares the counts of a batch with those that are expected, and writes a comment about both.

    python compare_counts.py REPORT COUNTS [--films LINK] [--comment FILE] [--update]

REPORT is what `undoku batch --json` printed, COUNTS a JSON object from names of films to counts, or
"" for none; --update writes it. Exit code 1 when a count differs, or a film is missing or new; 2
when a file can't be read. Needs Python alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path


def counts_of(report: Path) -> dict[str, str]:
    """The counts of each film that a batch has made or kept."""
    films = json.loads(report.read_text("utf-8"))["films"]
    return {film["name"]: film["counts"] for film in films if "counts" in film}


def expected_counts(path: Path) -> dict[str, str]:
    """What a file of counts says. Raises ValueError when it isn't an object."""
    content = json.loads(path.read_text("utf-8"))
    if not isinstance(content, dict):
        raise ValueError(f"{str(path)!r} isn't a JSON object")
    return content


def compared(found: dict[str, str], expected: dict[str, str] | None) -> tuple[list[str], bool]:
    """The lines of a table, and whether anything differs."""
    lines = ["| film | counts | |", "|---|---|---|"]
    differs = False
    for name in sorted({*found, *(expected or {})}):
        now, before = found.get(name), (expected or {}).get(name)
        note = ""
        if expected is not None and now != before:
            differs = True
            note = "new" if before is None else "missing" if now is None else f"was: {before}"
        cells = (f"`{name}`", now or "", f"**{note}**" if note else "")
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines, differs


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Compare the counts of a batch.")
    parser.add_argument("report", type=Path)
    parser.add_argument("counts")
    parser.add_argument("--films", default="")
    parser.add_argument("--comment", type=Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args(arguments)
    try:
        found = counts_of(options.report)
        if options.update:
            text = json.dumps(found, indent=2, sort_keys=True, ensure_ascii=False)
            Path(options.counts).write_text(f"{text}\n", "utf-8")
        expected = expected_counts(Path(options.counts)) if options.counts else None
    except OSError as error:
        print(
            f"counts can't be compared: {error.filename!r}: {error.strerror}; "
            "--update writes a file of counts",
            file=sys.stderr,
        )
        return 2
    except (ValueError, LookupError, TypeError) as error:
        print(f"counts can't be compared, a file is not as expected: {error!r}", file=sys.stderr)
        return 2
    lines, differs = compared(found, expected)
    head = "Counts changed" if differs else "Counts as expected" if expected is not None else ""
    link = f"[The films]({options.films})" if options.films else ""
    comment = "\n".join([f"### {head or 'Films'}", "", *lines, "", link]).rstrip() + "\n"
    if options.comment:
        options.comment.write_text(comment, "utf-8")
    print(comment, end="")
    return int(differs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
