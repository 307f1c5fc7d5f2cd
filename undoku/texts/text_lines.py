"""Metadata as lines of text, for formats that store one plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable


def encodable(text: str) -> str:
    """The text without unpaired surrogates, which come from command lines that are not UTF-8, and
    which files and fonts can't represent."""
    return text.encode("utf-8", "replace").decode()


_NO_XML = "[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Compiled where XML is written: it takes 5 ms."""


def write_about(about: Iterable[tuple[str, str]]) -> str:
    """One line `name: text` for each; line breaks and backslashes in the text are escaped."""
    lines = []
    for name, text in about:
        escaped = text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")
        lines.append(f"{name}: {escaped}\n")
    return "".join(lines)


def read_about(comment: str) -> tuple[tuple[str, str], ...]:
    """The texts by name that `write_about` wrote; other lines are ignored."""
    found = []
    for line in comment.split("\n"):
        name, colon, escaped = line.partition(": ")
        if colon:
            pieces = (
                piece.replace("\\n", "\n").replace("\\r", "\r") for piece in escaped.split("\\\\")
            )
            found.append((name, "\\".join(pieces)))
    return tuple(found)


def xml_text(text: str) -> str:
    """`text` as content of XML; characters that XML can't hold become U+FFFD."""
    text = re.sub(_NO_XML, "\ufffd", text)
    for mark, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("\r", "#13")):
        text = text.replace(mark, f"&{name};")
    return text


def xmp_packet(text: str) -> str:
    """An XMP packet (ISO 16684-1) whose description is `text`."""
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>'
        f'<rdf:li xml:lang="x-default">{xml_text(text)}</rdf:li></rdf:Alt></dc:description>'
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    )
