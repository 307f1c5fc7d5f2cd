"""The site: built with a small gallery, and read in Chromium as files, without a network."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tomllib
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from PIL import Image

from tests.support.amounts import long
from tests.support.browser_pages import AXE, OpenedPage
from tests.support.command import Undoku
from tests.support.manifests import QUICK, groups
from tests.support.system import ROOT
from undoku import read_frames
from undoku.render.batch.batch import BatchReport, FilmStatus, make_films
from undoku.render.batch.batch_folder import BatchFolder
from undoku.render.batch.gallery import write_report
from undoku.render.batch.journal import Entry

pytest.importorskip("sphinx")
sys.path.append(str(ROOT / "packaging"))
from site_pages.build import build
from site_pages.gallery import command_of, film_name, jobs_of, rendered_gallery
from site_pages.links import broken_links

JOBS = jobs_of(ROOT)
SHORT = {"size": "320x240", "fps": 5, "duration": "2s"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with one film and without the Python reference; nothing in it is broken."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "films").mkdir()
    shutil.copyfile(ROOT / "docs" / "media" / "demo.gif", folder / "films" / "race.gif")
    assert build(folder / "site", folder / "films", reference=False) == []
    return folder / "site"


def shown(page: OpenedPage, site: Path, name: str, width: int = 1280) -> OpenedPage:
    page.view((width, 844), color_scheme="dark" if width > 1000 else "light")
    page.page.goto(f"{site.as_uri()}/{name}")
    return page


CONTRASTS = """() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const linear = (c) => c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
  const light = (rgb) => rgb.slice(0, 3).map(linear)
    .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
  const ground = (node) => {
    for (; node; node = node.parentElement) {
      const colour = channels(getComputedStyle(node).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const node of document.querySelectorAll("body *")) {
    const words = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!words || !node.checkVisibility({ checkVisibilityCSS: true })) continue;
    const style = getComputedStyle(node);
    const [low, high] = [light(channels(style.color)), light(ground(node))].sort((a, b) => a - b);
    const large = parseFloat(style.fontSize) >= 24;
    if ((high + 0.05) / (low + 0.05) < (large ? 3 : 4.5)) poor.push(node.outerHTML.slice(0, 120));
  }
  return poor;
}"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    "name", ["index.html", "gallery.html", long("film.html"), "command.html", "tutorial-de.html"]
)
def test_a_page_can_be_read_in_both_widths(
    site: Path, page: OpenedPage, tmp_path: Path, name: str, width: int
) -> None:
    """Wide and dark, and as narrow as a phone and light: legible, nothing beside the window,
    nothing from the network."""
    opened = shown(page, site, name, width)
    assert opened.run(CONTRASTS) == []
    assert opened.run("document.documentElement.scrollWidth") <= width
    assert opened.run("document.documentElement.lang") == ("de" if "-de" in name else "en")
    assert all(address.startswith(("file:", "data:", "about:")) for address in opened.requests)
    _check_picture(opened, tmp_path / f"{name}-{width}.png", width)


def _check_picture(page: OpenedPage, path: Path, width: int) -> None:
    """The first screen, which is kept: its headline is drawn, and below it is more; nothing but
    the page's ground touches the right edge."""
    page.page.screenshot(path=path)
    with Image.open(path) as shot:
        pixels = np.asarray(shot.convert("L"), np.int16)
    assert pixels.shape == (844, width)
    box = page.page.locator("h1").first.bounding_box()
    assert box and box["y"] >= 0 and box["y"] + box["height"] < 422
    top, bottom = int(box["y"]), int(box["y"] + box["height"])
    for part in (pixels[top:bottom, int(box["x"]) :], pixels[bottom:]):
        ground = int(np.median(part))
        assert 0.01 < (abs(part - ground) > 60).mean() < 0.5
    assert np.ptp(pixels[top:, -8:]) < 16


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (npm install in player/)")
@pytest.mark.parametrize(
    ("name", "width"),
    [
        *(("index.html", 1280), ("gallery.html", 390), ("command.html", 1280)),
        *(long("index.html", 390), long("gallery.html", 1280), long("command.html", 390)),
    ],
)
def test_axe_finds_nothing_on_a_page_that_keeps_readers_out(
    site: Path, page: OpenedPage, name: str, width: int
) -> None:
    assert shown(page, site, name, width).kept_out() == []
    page.wrong.clear()  # axe-core itself asks for style sheets


def test_the_search_finds_a_page_without_a_server(site: Path, page: OpenedPage) -> None:
    opened = shown(page, site, "search.html?q=swordfish")
    opened.until("document.querySelector('#search-results li a')")
    found = opened.run("[...document.querySelectorAll('#search-results li a')].map(a => a.href)")
    assert any("strategies.html" in address for address in found)
    assert all(address.startswith("file:") for address in opened.requests)


def test_a_film_plays_while_it_is_visible_until_it_is_stopped(site: Path, page: OpenedPage) -> None:
    opened = shown(page, site, "gallery.html")
    opened.until("document.querySelector('.race img').src.endsWith('race.gif')")
    opened.run("document.querySelector('.race button').click()")
    assert opened.run("document.querySelector('.race img').src").endswith("race.png")
    assert opened.run("document.querySelector('.race button').textContent") == "Play"


def test_no_film_plays_by_itself_where_reduced_motion_is_preferred(
    site: Path, page: OpenedPage
) -> None:
    page.view(reduced_motion="reduce")
    page.page.goto((site / "gallery.html").as_uri())
    page.until("document.querySelector('.race button')")
    page.drawn()
    assert page.run("document.querySelector('.race img').src").endswith("race.png")


def test_links_pictures_and_hosts_are_checked(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="a.html#top"></a><a href="a.html#low"></a><a href="b.html"></a>'
        '<img src="a.html"><script src="https://example.org/x.js"></script>'
    )
    assert broken_links(tmp_path) == [
        "a.html: a.html has no text",
        "a.html: https://example.org/x.js comes from another host",
        "a.html: a.html#low has no such place",
        "a.html: b.html is missing",
    ]


def test_every_film_of_the_gallery_has_its_texts() -> None:
    texts = tomllib.loads((ROOT / "examples" / "gallery" / "texts.toml").read_text("utf-8"))
    made = {name: text for name, text in texts.items() if "command" in text}
    assert [name for name in texts if name not in made] == [job["name"] for job in JOBS]
    assert (len(texts), len(made)) == (33, 3)
    needed = {"title", "sentence", "shows"}
    for name, text in texts.items():
        assert text.keys() - {"section"} == needed | (
            {"film", "command"} & made.get(name, {}).keys()
        )
    for text in made.values():
        assert text["command"].endswith(Path(text["film"]).name) and (ROOT / text["film"]).exists()


@pytest.mark.parametrize("name", ["latin-square", long("diagonals")])
def test_the_command_below_a_film_makes_what_the_batch_makes(
    undoku: Undoku, tmp_path: Path, name: str
) -> None:
    """Frame by frame, of a smaller film."""
    (job,) = [{**job, **SHORT} for job in JOBS if job["name"] == name]
    shutil.copytree(ROOT / "examples" / "puzzles", tmp_path / "examples" / "puzzles")
    undoku(*shlex.split(command_of(job))[1:], cwd=tmp_path, code=0)
    puzzle = str(ROOT / "examples" / job["puzzles"].removeprefix("../"))
    report = make_films({"jobs": [{**job, "puzzles": puzzle}]}, tmp_path / "films", jobs=0)
    assert [film.reason for film in report.films] == [""]
    one, other = (
        [
            (picture.seconds, picture.pixels.tobytes())
            for picture in read_frames(folder / film_name(job))
        ]
        for folder in (tmp_path, tmp_path / "films")
    )
    assert one == other


@pytest.mark.long
def test_the_whole_site_is_built(tmp_path: Path) -> None:
    """With the Python reference and all films, which are kept for the next time."""
    assert build(tmp_path / "site", rendered_gallery(ROOT / "output" / "gallery")) == []
    assert len(list((tmp_path / "site" / "films").iterdir())) > 50
    page = (tmp_path / "site" / "api.html").read_text("utf-8")
    assert all(f'id="undoku.{name}"' in page for name in ("film", "watch", "Tracer", "PuzzleError"))


# The gallery of a batch, as a browser shows it.


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
