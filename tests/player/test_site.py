"""The site: built with a small gallery, and read in Chromium as files, without a network."""

from __future__ import annotations

import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.support.amounts import long
from tests.support.browser_pages import AXE, OpenedPage
from tests.support.command import Undoku
from tests.support.system import ROOT
from undoku import read_frames
from undoku.render.batch.batch import make_films

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
    "name", ["index.html", "gallery.html", "film.html", "command.html", "tutorial-de.html"]
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
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["index.html", "gallery.html", "command.html"])
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
