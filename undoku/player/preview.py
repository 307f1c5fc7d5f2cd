"""The preview: its sources, whose pages are made on request, the watch over their files, and its
server, on the loopback address only; requests need its random token.

| path | response |
|---|---|
| `/TOKEN/` | the page; `?film=2` for the third of several films |
| `/TOKEN/changes` | what has changed since, as JSON (see `PreviewServer.news`) |

A page contains the number of earlier changes, and asks for later ones with `?version=NUMBER`. The
answer comes at the next change, or after some seconds without one. A page of searches that are
still being written also names the number of events that it has of each, as `&events=100,20`.
"""

from __future__ import annotations

import base64
import json
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from undoku.errors import OutputError, UndokuError
from undoku.player.html_page import page_of
from undoku.player.page_content import page_content
from undoku.render.film.film import Film
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.stream import Spool
from undoku.solver.trace.trace import EVENT, Events, Trace

Content = dict[str, Any]


class PreviewSource(ABC):
    """One or more films."""

    @abstractmethod
    def content(self, number: int = 0) -> Content:
        """The content of film `number`'s page. Raises UndokuError."""

    def events(self, number: int, start: int) -> tuple[Events, bool]:
        """At most CHUNK events of a search that is still being written, from event `start` on, and
        whether the search goes on."""
        return np.empty(0, EVENT), False


class FilmsSource(PreviewSource):
    """Films that `made` returns with their names each time it is called; `files` are their inputs:
    when one changes, the preview is updated. The last contents are cached until `forget`."""

    def __init__(
        self,
        made: Callable[[], Sequence[tuple[str, Film]]],
        files: Callable[[], Iterable[Path]],
    ) -> None:
        self._made = made
        self.files = files
        self._films: Sequence[tuple[str, Film]] | None = None
        self._contents: dict[int, Content] = {}
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Make the films again at the next request."""
        with self._lock:
            self._films = None
            self._contents.clear()

    def content(self, number: int = 0) -> Content:
        with self._lock:
            if self._films is None:
                self._films = self._made()
            names = [name for name, _ in self._films]
            number = min(number, len(names) - 1)
            if number not in self._contents:
                several = {"films": names, "film": number} if len(names) > 1 else {}
                self._contents[number] = page_content(self._films[number][1]) | several
            return self._contents[number]


class FollowedSource(PreviewSource):
    """Searches of which at least one is still being written: each is read in its own thread, and
    `filmed` makes a film of traces. When all have ended, the source is their film."""

    def __init__(self, traces: Sequence[Trace], filmed: Callable[[Sequence[Trace]], Film]) -> None:
        self._traces = traces
        self._filmed = filmed
        self._spools = [Spool() for _ in traces]
        self._running = len(traces)
        self._whole: Content | None = None
        self._failure: BaseException | None = None
        self._more = threading.Condition()
        self._start = self._filmed([MemoryTrace(trace.header, []) for trace in traces])
        for number in range(len(traces)):
            threading.Thread(target=self._read, args=(number,), daemon=True).start()

    def _read(self, number: int) -> None:
        """Read a search to its end."""
        try:
            for chunk in self._traces[number].chunks():
                with self._more:
                    self._spools[number].append(chunk)
                    self._more.notify_all()
        except BaseException as error:
            self._failure = error
        finally:
            with self._more:
                self._running -= 1
                self._more.notify_all()

    def content(self, number: int = 0) -> Content:
        if self._running:
            return page_content(self._start) | {"live": True}
        if self._failure is not None:
            raise self._failure
        if self._whole is None:
            self._whole = page_content(self._filmed(self._traces))
        return self._whole

    def events(self, number: int, start: int) -> tuple[Events, bool]:
        spool = self._spools[number]
        with self._more:
            self._more.wait_for(lambda: not self._running or spool.events > start, 0.2)
            return spool.read(start), self._running > 0


_LOOKS = 0.2
"""Seconds between two looks at the watched files."""


def watch_files(
    files: Callable[[], Iterable[Path]], changed: Callable[[], object], stop: threading.Event
) -> None:
    """Call `changed` whenever one of `files` is written, replaced or removed, until `stop` is set;
    `files` is called again after each change."""
    wanted = [*files()]
    known = [_stamp(path) for path in wanted]
    while not stop.wait(_LOOKS):
        if [_stamp(path) for path in wanted] != known:
            # What is written while the change is handled is seen at the next look.
            wanted = [*files()]
            known = [_stamp(path) for path in wanted]
            changed()


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Metadata that changes when a file is written or replaced; None for a missing file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


_HOST = "127.0.0.1"

_PAUSE = 10
"""Seconds after which a page is told that nothing has changed."""

_MAX_CONNECTIONS = 64


class _Server(ThreadingHTTPServer):
    """A server of at most `_MAX_CONNECTIONS` connections at once; further ones are closed. Errors
    of single connections are not reported."""

    daemon_threads = True
    request_queue_size = _MAX_CONNECTIONS

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._free = threading.BoundedSemaphore(_MAX_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class PreviewServer:
    """Serves what `source` shows at `address`, from `start` until `close`. `port` 0 chooses any
    free port. Raises OutputError if the port is in use."""

    def __init__(self, source: PreviewSource, port: int = 0) -> None:
        self.source = source
        self.token = secrets.token_urlsafe(24)
        self.version = 0
        self._failure = ""
        self._closed = False
        self._changed = threading.Condition()
        served = self

        class Handler(_Handler):
            preview = served

        try:
            self._http = _Server((_HOST, port), Handler)
        except OSError as error:
            raise OutputError(
                f"port {port} can't be used: {error.strerror or error}",
                remedy="leave out --port, or give another one",
            ) from None
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

    def changed(self, failure: str = "") -> None:
        """Tell all open pages that they must be loaded again, or why this is not possible."""
        with self._changed:
            self.version += 1
            self._failure = failure
            self._changed.notify_all()

    def news(self, version: int, counts: Sequence[int]) -> dict[str, Any]:
        """What a page does not know yet that was made after `version` changes and has `counts`
        events of the searches that are being written: the number of changes, which makes it load
        itself again, the `failure` of the last one, further events in base64, and whether the
        preview is `closed`. Waits for a change, for some seconds at most."""
        events, running = [], not counts
        for number, count in enumerate(counts):
            part, more = self.source.events(number, count)
            running |= more or len(part) > 0
            events.append(base64.b64encode(part.tobytes()).decode("ascii"))
        with self._changed:
            if not counts:
                self._changed.wait_for(lambda: self._closed or self.version != version, _PAUSE)
            # When all searches have ended, their film takes the place of this page.
            return {
                "version": self.version + (not running),
                "failure": self._failure,
                "events": events,
                "closed": self._closed,
            }

    def close(self) -> None:
        """End all connections."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    preview: PreviewServer
    protocol_version = "HTTP/1.0"
    timeout = 10
    """Seconds after which a connection without a complete request is closed."""

    def do_GET(self) -> None:
        try:
            found = urlsplit(self.path)
        except ValueError:
            self.send_error(400)
            return
        _, _, rest = found.path.partition("/")
        token, _, name = rest.partition("/")
        asked = {key: values[0] for key, values in parse_qs(found.query).items()}
        known = secrets.compare_digest(token.encode(), self.preview.token.encode())
        if not known or self.headers.get("Host") not in self.preview.hosts:
            self.send_error(404)
        elif name == "":
            self._send("text/html", self._page(_number(asked.get("film", ""))))
        elif name == "changes":
            counts = [_number(text) for text in asked.get("events", "").split(",") if text]
            news = self.preview.news(_number(asked.get("version", "")), counts)
            self._send("application/json", json.dumps(news))
        else:
            self.send_error(404)

    def _page(self, number: int) -> str:
        try:
            # Changes while the page is made are reported again.
            version = {"version": self.preview.version}
            return page_of(self.preview.source.content(number) | version, connects=True)
        except UndokuError as error:
            return _failed_page(str(error))

    def _send(self, kind: str, text: str) -> None:
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        with suppress(OSError):  # the reader has left
            self.end_headers()
            self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """A preview does not log requests."""


def _number(text: str) -> int:
    """A number in an address; 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def _failed_page(sentence: str) -> str:
    """A page with a sentence, which reloads every second."""
    from html import escape

    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="refresh" content="1"><title>undoku</title></head>'
        f"<body><pre>{escape(sentence)}</pre></body></html>\n"
    )
