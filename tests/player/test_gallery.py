"""The gallery of a batch, as a browser shows it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.support.browser_pages import OpenedPage
from tests.support.manifests import QUICK, groups
from undoku.render.batch.batch import BatchReport, FilmStatus, make_films
from undoku.render.batch.batch_folder import BatchFolder
from undoku.render.batch.gallery import write_report
from undoku.render.batch.journal import Entry

TEXT = (
    QUICK
    + """
[[jobs]]
puzzles = ["easy.txt"]
formats = ["mp4", "gif", "webm", "png", "pdf", "svg"]
name = "films & co/{puzzle} 'é'"
[[jobs]]
puzzles = ["medium.txt"]
steps_per_frame = "1/999999"
formats = "png"
name = "eternal"
[[jobs]]
puzzles = ["medium.txt"]
formats = "apng"
name = "medium"
"""
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BatchReport]:
    folder = tmp_path_factory.mktemp("report")
    return folder / "out", make_films(groups(folder, TEXT), folder / "out", jobs=0)


def links_of(page: Path) -> list[str]:
    """What the attributes of a page point to."""
    found = re.findall('(?:src|href|poster)="([^"]*)"', page.read_text("utf-8"))
    return [unquote(unescape(link)) for link in found]


def test_every_film_is_in_the_gallery_and_every_link_leads_to_a_file(
    made: tuple[Path, BatchReport],
) -> None:
    folder, report = made
    text = (folder / "report.html").read_text()
    links = links_of(folder / "report.html")
    assert (text.count("<video"), text.count("<img")) == (2, 5)
    assert all((folder / link).is_file() for link in links)
    linked = {link.removeprefix("./") for link in links}
    assert {film.name for film in report.films if film.entry} <= linked
    assert "<script" not in text
    assert "row-major: solved" in text
    assert "8 films, 1 missing" in text
    assert report.count(FilmStatus.FAILED) == 1
    assert "eternal.png" in text
    assert "1 frame" not in text, "pictures have no frames"


def test_many_films_take_several_pages_and_a_smaller_batch_leaves_none_behind(
    tmp_path: Path,
) -> None:
    entry = Entry("", "", "", 10, 1, 1.0, "mrv: solved, 1 nodes, 1 steps")
    films = [(f"{number:03}.mp4", entry, "") for number in range(450)]
    cards = [*films[:300], ("lost.gif", None, "the disk is full"), *films[300:]]
    with BatchFolder(tmp_path) as room:
        write_report(room, cards)
    pages = [tmp_path / "report.html", *sorted((tmp_path / "report").glob("*.html"))]
    assert [page.name for page in pages] == ["report.html", "page-2.html", "page-3.html"]
    found: list[str] = []
    for page in pages:
        links = links_of(page)
        others = [link for link in links if link.endswith(".html")]
        assert all((page.parent / link).is_file() for link in others)
        assert sum("page-2" in link for link in others) == 2 * (page.name != "page-2.html")
        shown = dict.fromkeys(Path(link).name for link in links if link.endswith(".mp4"))
        assert len(shown) <= 200
        found += shown
    assert found == [name for name, _, _ in films]
    assert "the disk is full" in pages[0].read_text()
    assert "451 films, 1 missing" in pages[2].read_text()
    with BatchFolder(tmp_path) as room:
        write_report(room, films[:3])
    assert not list((tmp_path / "report").glob("*.html"))


PROBE = """async () => {
  const soon = (ms) => new Promise((done) => setTimeout(done, ms));
  const found = {pictures: [], films: [], cards: document.querySelectorAll("li").length};
  for (const img of document.querySelectorAll("img")) {
    img.loading = "eager";
    await img.decode().catch(() => 0);
    found.pictures.push([img.naturalWidth, img.naturalHeight]);
  }
  for (const film of document.querySelectorAll("video")) {
    film.muted = true;
    const poster = new Image();
    poster.src = film.poster;
    await poster.decode().catch(() => 0);
    await film.play().catch((error) => found.error = String(error));
    for (let turn = 0; turn < 600 && film.currentTime < 0.3; turn++) await soon(50);
    found.films.push([film.videoWidth, film.videoHeight, film.currentTime >= 0.3,
                      Math.round(film.duration * 10), poster.naturalWidth]);
  }
  return found;
}"""


def test_films_play_and_pictures_show_in_chromium(
    page: OpenedPage, made: tuple[Path, BatchReport]
) -> None:
    page.page.goto((made[0] / "report.html").as_uri())
    content = page.run(PROBE)
    assert content["cards"] == 8
    assert content["pictures"] == [[320, 180]] * 5
    assert content["films"] == [[320, 180, True, 10, 320]] * 2, content


def test_texts_of_others_are_only_text_in_the_report(tmp_path: Path) -> None:
    """Names can't hold markup; nothing is hidden or reordered."""
    evil = "a\x1b[2J\u202eb\u2028<script>alert(1)</script>\"'&"
    entry = Entry(f"{evil}.gif", "", "", 1, 1, 1.0, f"{evil}; {evil}")
    with BatchFolder(tmp_path) as folder:
        write_report(folder, [(f"{evil}.gif", entry, ""), (evil, None, evil)])
    page = (tmp_path / "report.html").read_text()
    assert page.replace("\n", "").isprintable()
    assert "<script" not in page and "\"'" not in page
    assert page.count(r"a\x1b[2J\u202eb\u2028&lt;script&gt;") >= 5
