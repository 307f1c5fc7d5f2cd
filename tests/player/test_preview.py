"""The preview: a server on this machine alone, which follows files and traces."""

from __future__ import annotations

import base64
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import numpy as np
import pytest

from tests.support.command import Undoku
from tests.support.films import made, puzzle_of
from tests.support.puzzles import EASY, MEDIUM
from tests.support.system import PATIENCE, peak_of, until
from tests.support.written_trace import WrittenTrace
from undoku import search
from undoku.errors import OutputError
from undoku.player.preview import FilmsSource, FollowedSource, PreviewServer, watch_files
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.solver.problem.sources import read
from undoku.solver.trace import stream
from undoku.solver.trace.stream import LiveTrace
from undoku.solver.trace.trace import CHUNK, EVENT, Events


def film(grid: str) -> Film:
    return made(puzzle_of(grid), "mrv")


@pytest.fixture
def served() -> Iterator[PreviewServer]:
    found = PreviewServer(FilmsSource(lambda: [("", film(EASY.grid))], list))
    found.start()
    yield found
    found.close()


def asked(server: PreviewServer, path: str, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def content_of(page: str) -> dict[str, Any]:
    found = re.search(r'id="undoku-content">([^<]*)</script>', page)
    assert found
    content: dict[str, Any] = json.loads(found[1])
    return content


def test_the_page_requires_the_token(served: PreviewServer) -> None:
    assert served.address.startswith("http://127.0.0.1:") and len(served.token) >= 32
    path = urlsplit(served.address).path
    status, page = asked(served, path)
    assert status == 200 and content_of(page)["searches"][0]["label"] == "Fewest options first"
    assert "connect-src 'self'" in page
    for other in ("/", "/favicon.ico", f"/x{path[1:]}", path[:-2] + "/", f"{path}more"):
        assert asked(served, other)[0] == 404


def test_a_malformed_request_gets_an_answer_and_nothing_is_printed(
    served: PreviewServer, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as connection:
        connection.sendall(b"GET http://[/ HTTP/1.0\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.0 400 ")
    assert asked(served, urlsplit(served.address).path)[0] == 200
    assert capfd.readouterr() == ("", "")


def test_connections_without_a_request_need_few_threads(served: PreviewServer) -> None:
    before = threading.active_count()
    with ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(socket.create_connection(("127.0.0.1", served.port), PATIENCE))
        until(lambda: threading.active_count() >= before + 50)
        assert threading.active_count() <= before + 64


def test_requests_with_another_host_name_are_refused(served: PreviewServer) -> None:
    """The name of a foreign page could resolve to this machine."""
    path = urlsplit(served.address).path
    assert asked(served, path, Host="evil.example")[0] == 404
    assert asked(served, path, Host=f"localhost:{served.port}")[0] == 200


def test_a_port_that_is_taken_is_reported(served: PreviewServer) -> None:
    with pytest.raises(OutputError, match=f"port {served.port} can't be used"):
        PreviewServer(served.source, served.port)


def test_a_page_that_was_made_before_a_change_is_told_of_it_at_once(served: PreviewServer) -> None:
    path = urlsplit(served.address).path
    served.changed()
    status, text = asked(served, f"{path}changes?version=0")
    assert status == 200
    assert json.loads(text) == {"version": 1, "failure": "", "events": [], "closed": False}


def test_a_change_and_the_end_are_sent_to_all_open_pages(served: PreviewServer) -> None:
    told: list[Any] = []
    for version, act in ((0, partial(served.changed, "first\nsecond")), (1, served.close)):
        readers = [
            threading.Thread(target=lambda at=version: told.append(served.news(at, [])))
            for _ in range(2)
        ]
        for reader in readers:
            reader.start()
        act()
        for reader in readers:
            reader.join(PATIENCE)
    assert [news["failure"] for news in told[:2]] == ["first\nsecond"] * 2
    assert [news["closed"] for news in told] == [False, False, True, True]


def test_films_are_made_again_when_their_files_changed(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text(EASY.grid)
    source = FilmsSource(
        lambda: [("", Film([search(read(str(path)), "mrv")], settings_of({})))], lambda: [path]
    )
    first = source.content()["boards"][0]["givens"]
    path.write_text(MEDIUM.grid)
    assert source.content()["boards"][0]["givens"] == first
    source.forget()
    assert source.content()["boards"][0]["givens"] == [int(mark) for mark in MEDIUM.grid]


def test_a_file_that_is_written_or_replaced_is_seen(tmp_path: Path) -> None:
    path, other = tmp_path / "puzzle.txt", tmp_path / "other.txt"
    path.write_text("a")
    seen: list[str] = []
    stop = threading.Event()
    watcher = threading.Thread(
        target=watch_files, args=(lambda: [path], lambda: seen.append(path.read_text()), stop)
    )
    watcher.start()
    try:
        # The watch begins some time after its thread: until then, nothing that is written is seen.
        until(lambda: path.write_text("b") and other.write_text("not watched") and seen)
        until(lambda: seen[-1] == "b")
        (tmp_path / "new").write_text("c")
        (tmp_path / "new").replace(path)
        until(lambda: seen[-1] == "c")
        assert set(seen) <= {"", "b", "c"}  # while a file is written it can be empty
    finally:
        stop.set()
        watcher.join(PATIENCE)


def test_a_trace_is_followed_while_it_is_written() -> None:
    whole = film(MEDIUM.grid).traces[0]
    written = WrittenTrace(whole)
    source = FollowedSource([written], lambda traces: Film(traces, settings_of({})))
    until(lambda: len(source.events(0, 0)[0]) == 267)
    server = PreviewServer(source)
    server.start()
    news = server.news(0, [200])
    assert (news["version"], len(base64.b64decode(news["events"][0]))) == (0, 4 * 67)
    content = source.content()
    assert content["live"] is True and content["searches"][0]["events"] == 0
    written.go_on.release()
    until(lambda: len(base64.b64decode(server.news(0, [267])["events"][0])) == 4 * 267)
    until(lambda: server.news(0, [534])["version"] == 1)
    server.close()
    assert source.content()["searches"][0]["steps"] == 534


def test_a_trace_that_is_followed_for_long_is_neither_held_nor_read_again_from_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two million events would take 8 MB."""
    monkeypatch.setattr(stream, "MAX_IN_MEMORY", 1 << 20)
    header, chunk = search(EASY.grid).header, np.zeros(CHUNK, EVENT)
    last = threading.Event()

    def arriving() -> Iterator[Events]:
        yield from repeat(chunk, 8)
        last.wait(PATIENCE)

    followed = LiveTrace(header, arriving(), Mock(), Mock())

    def watch() -> None:
        server = PreviewServer(
            FollowedSource([followed], lambda traces: Film(traces, settings_of({})))
        )
        server.start()
        until(lambda: len(server.source.events(0, 8 * CHUNK - 9)[0]) == 9)
        news = server.news(0, [8 * CHUNK - 9])
        assert len(base64.b64decode(news["events"][0])) == 9 * EVENT.itemsize
        server.close()

    assert peak_of(watch) < 6 << 20
    last.set()


def test_the_command_shows_a_manifest_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "easy.txt").write_text(EASY.grid)
    (tmp_path / "films.toml").write_text(
        '[[jobs]]\npuzzles = ["easy.txt"]\nstrategies = ["mrv"]\nformats = ["gif"]\n'
        'name = "one"\n'
        '[[jobs]]\npuzzles = ["easy.txt"]\nstrategies = ["row-major"]\nformats = ["mp4", "html"]\n'
        'name = "two"\n'
    )
    process = subprocess.Popen(
        [sys.executable, "-c", "import signal, sys; signal.signal(signal.SIGINT, "
         "signal.default_int_handler); from undoku.cli.main import command; command()",
         "preview", "films.toml", "--no-browser"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        connection = http.client.HTTPConnection("127.0.0.1", address.port or 0, timeout=PATIENCE)
        connection.request("GET", f"{address.path}?film=1")
        content = content_of(connection.getresponse().read().decode())
        assert content["films"] == ["one.gif", "two.mp4"]
        assert content["film"] == 1 and content["searches"][0]["spec"] == "row-major"
    finally:
        process.send_signal(signal.SIGINT)
        _, reported = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in reported


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "there is nothing to show"),
        (["1234"], "cells"),
        (["missing.toml"], "missing.toml"),
        ([EASY.grid, "films.toml"], "can't be shown together with other inputs"),
        ([EASY.grid, "--theme", "none"], "no theme"),
    ],
)
def test_mistakes_are_reported_before_anything_opens(
    undoku: Undoku, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    done = undoku("preview", *arguments, "--no-browser", cwd=tmp_path)
    assert done.returncode in (2, 3)
    assert sentence in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == ""
