"""Copies archived results into the documentation: `python -m benchmarks.documents` in the folder of
the repository, or `make docs`.

A result is between `<!-- result: NAME -->` and `<!-- end of result -->`; NAME is a page of
benchmarks/results without its ending.
"""

from __future__ import annotations

from pathlib import Path

from tests.support.documentation import filled

RESULTS = Path(__file__).parent / "results"
# The conditions that decide how to read a figure; the page itself has the others.
_KEPT = ("date", "machine", "commit")


def documents(folder: Path) -> dict[Path, str]:
    """The pages of the documentation in `folder` that show results, with the archived ones. Raises
    FileNotFoundError for a result that is not archived."""
    return filled(folder, "result", _block)


def _block(name: str) -> str:
    """An archived page as a code block: command, conditions, and what the benchmark printed."""
    head, _, body = (RESULTS / f"{name}.txt").read_text(encoding="utf-8").partition("\n\n")
    command, *conditions = head.splitlines()
    kept = [line for line in conditions if line.startswith(_KEPT)]
    return "\n".join(["```text", command, *kept, "", body.rstrip(), "```", ""])


if __name__ == "__main__":
    for page, contents in documents(Path("docs")).items():
        page.write_text(contents, encoding="utf-8")
