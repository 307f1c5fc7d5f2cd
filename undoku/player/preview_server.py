"""The server of a preview, on the loopback address only; requests need its random token.

| path | response |
|---|---|
| `/TOKEN/` | the page; `?film=2` for the third of several films |
| `/TOKEN/changes` | a stream of server-sent events (see below) |

The stream sends "changed" when the page must be reloaded, and "failed" with a sentence. A page
contains the number of earlier changes; with `?version=NUMBER` the stream reports later changes at
once. With `live` it first sends the events of searches that are still being written, as "more".
"""

from __future__ import annotations

import base64
import json
import queue
import secrets
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from undoku.errors import OutputError, UndokuError
from undoku.player.html_page import page_of
from undoku.player.preview_source import FollowedSource, PreviewSource

__all__ = ["PreviewServer"]

_HOST = "127.0.0.1"

_PAUSE = 0.5
"""Seconds after which a stream of changes checks whether its reader is still connected."""

_MAX_EVENTS = 1 << 18
"""The maximum number of events that are sent at once."""

_CHANGED = "changed"

Message = tuple[str, str]


class PreviewServer:
    """Serves what `source` shows at `address`, from `start` until `close`. `port` 0 chooses any
    free port. Raises OutputError if the port is in use."""

    def __init__(self, source: PreviewSource, port: int = 0) -> None:
        self.source = source
        self.token = secrets.token_urlsafe(24)
        self._readers: set[queue.SimpleQueue[Message]] = set()
        self._lock = threading.Lock()
        self.version = 0
        self.closing = threading.Event()
        served = self

        class Handler(_Handler):
            preview = served

        try:
            self._http = ThreadingHTTPServer((_HOST, port), Handler)
        except OSError as error:
            raise OutputError(
                f"port {port} can't be used: {error.strerror or error}",
                remedy="leave out --port, or give another one",
            ) from None
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.1,), daemon=True)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return self._http.server_address[1]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The valid host names of this server; requests with other names may come from foreign
        pages."""
        return f"{_HOST}:{self.port}", f"localhost:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{_HOST}:{self.port}/{self.token}/"

    def start(self) -> None:
        self._thread.start()

    def broadcast(self, kind: str, text: str = "") -> None:
        """Send a message to all open pages."""
        with self._lock:
            self.version += kind == _CHANGED
            for reader in self._readers:
                reader.put((kind, text))

    def subscribe(self) -> queue.SimpleQueue[Message]:
        """A queue that receives all messages from now on."""
        reader: queue.SimpleQueue[Message] = queue.SimpleQueue()
        with self._lock:
            self._readers.add(reader)
        return reader

    def unsubscribe(self, reader: queue.SimpleQueue[Message]) -> None:
        """Stop sending messages to a queue."""
        with self._lock:
            self._readers.discard(reader)

    def close(self) -> None:
        """End all connections."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    preview: PreviewServer
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        found = urlsplit(self.path)
        _, _, rest = found.path.partition("/")
        token, _, name = rest.partition("/")
        known = secrets.compare_digest(token.encode(), self.preview.token.encode())
        if not known or self.headers.get("Host") not in self.preview.hosts:
            self.send_error(404)
        elif name == "":
            self._page(parse_qs(found.query).get("film", ["0"])[0])
        elif name == "changes":
            asked = parse_qs(found.query, keep_blank_values=True)
            self._changes(asked.get("version", [""])[0], live="live" in asked)
        else:
            self.send_error(404)

    def _page(self, number: str) -> None:
        film = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
        try:
            # Changes while the page is made are reported again.
            version = {"version": self.preview.version}
            page = page_of(self.preview.source.content(film) | version, connects=True)
        except UndokuError as error:
            page = _failed_page(str(error))
        content = page.encode()
        self.send_response(200)
        self._headers("text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self._send([content])

    def _changes(self, version: str, *, live: bool) -> None:
        reader = self.preview.subscribe()
        if version and version != str(self.preview.version):
            reader.put((_CHANGED, ""))
        try:
            self.send_response(200)
            self._headers("text/event-stream")
            self.end_headers()
            if self._send([b": here\n\n"]) and (not live or self._follow()):
                self._stream(reader)
        finally:
            self.preview.unsubscribe(reader)

    def _stream(self, reader: queue.SimpleQueue[Message]) -> None:
        while not self.preview.closing.is_set():
            try:
                kind, text = reader.get(timeout=_PAUSE)
            except queue.Empty:
                if not self._send([b": still here\n\n"]):
                    return
                continue
            if not self._send([_event(kind, text)]):
                return

    def _follow(self) -> bool:
        """Send the events of searches that are being written, until they have ended; returns
        whether the page is still connected."""
        source = self.preview.source
        if not isinstance(source, FollowedSource):
            return True
        sent = [0] * source.searches
        running = True
        while running and not self.preview.closing.is_set():
            running = False
            for number in range(source.searches):
                events, more = source.events(number, sent[number])
                running |= more or len(events) > _MAX_EVENTS
                part = events[:_MAX_EVENTS]
                sent[number] += len(part)
                text = base64.b64encode(part.tobytes()).decode("ascii")
                content = json.dumps({"search": number, "events": text})
                if len(part) and not self._send([_event("more", content)]):
                    return False
        return self._send([_event(_CHANGED, "")])

    def _headers(self, kind: str) -> None:
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")

    def _send(self, parts: Iterable[bytes]) -> bool:
        """Send data; returns whether the reader is still connected."""
        try:
            for part in parts:
                self.wfile.write(part)
            self.wfile.flush()
        except OSError:
            return False
        return True

    def log_message(self, format: str, *arguments: object) -> None:
        """A preview does not log requests."""


def _event(kind: str, text: str) -> bytes:
    lines = "".join(f"data: {line}\n" for line in text.split("\n"))
    return f"event: {kind}\n{lines}\n".encode()


def _failed_page(sentence: str) -> str:
    """A page with a sentence, which reloads every second."""
    from html import escape

    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="refresh" content="1"><title>undoku</title></head>'
        f"<body><pre>{escape(sentence)}</pre></body></html>\n"
    )
