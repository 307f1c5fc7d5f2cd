"""PNG files hold a frame's pixels exactly, alone and in sequence."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.support.changed_films import scribble
from tests.support.sink_contexts import sink_context
from undoku.errors import OutputError, SettingsError
from undoku.render.write.formats import is_sequence
from undoku.render.write.png import PngSink, encode_png, open_sequence
from undoku.render.write.staging import Staging

ABOUT = (("Title", "Zwei Wege – two ways"), ("Command", "undoku render p.txt -o a.png"))
SHAPE = sink_context(31, 17, Fraction(25), about=ABOUT)


@given(
    seed=st.integers(0, 1 << 32),
    width=st.integers(1, 40),
    height=st.integers(1, 40),
    colours=st.sampled_from([1, 2, 3, 4, 5, 16, 17, 255, 256, 257, 5000]),
)
def test_pictures_of_any_size_and_number_of_colours_are_read_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, seed: int, width: int, height: int, colours: int
) -> None:
    random = np.random.default_rng(seed)
    palette = random.integers(0, 256, (colours, 3), np.uint8)
    picture = palette[random.integers(0, colours, (height, width))]
    path = tmp_path_factory.mktemp("png") / "one.png"
    path.write_bytes(encode_png(picture))
    with Image.open(path) as file:
        assert np.array_equal(np.asarray(file.convert("RGB")), picture)
        many = len(np.unique(picture.reshape(-1, 3), axis=0)) > 256
        assert file.mode == ("RGB" if many else "P")


@pytest.mark.parametrize(
    ("colours", "bits"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8), (256, 8)]
)
def test_a_palette_takes_as_few_bits_as_its_colours_need(
    tmp_path: Path, colours: int, bits: int
) -> None:
    """By the header's fields: bits of a sample, and the colour type "indexed"."""
    shades = np.arange(colours, dtype=np.uint8)
    picture = np.repeat(shades, 3).reshape(1, colours, 3)
    path = tmp_path / "one.png"
    path.write_bytes(encode_png(picture))
    assert path.read_bytes()[24:26] == bytes((bits, 3))
    with Image.open(path) as file:
        assert bytes(file.getpalette() or ())[: 3 * colours] == picture.tobytes()


def test_the_same_picture_gives_the_same_file_whatever_memory_it_lies_in() -> None:
    picture = np.random.default_rng(3).integers(0, 5, (31, 17, 3), np.uint8)
    other = np.asfortranarray(picture)
    wide = np.zeros((31, 40, 3), np.uint8)
    wide[:, 10:27] = picture
    assert encode_png(picture) == encode_png(other) == encode_png(wide[:, 10:27])


def test_the_last_frame_is_the_picture_and_the_texts_are_in_it(tmp_path: Path) -> None:
    film = scribble(4, 31, 17, 9)
    path = tmp_path / "last.png"
    with PngSink(Staging(path), SHAPE) as sink:
        for frame in film:
            sink.write(frame)
        frame.pixels[:] = 99  # the canvas goes on, the picture doesn't
        written = sink.finish()
    with Image.open(path) as file:
        assert np.array_equal(np.asarray(file.convert("RGB")), film.pictures()[-1])
        assert file.text == dict(ABOUT)  # type: ignore[attr-defined]
    assert (written.frames, written.bytes) == (1, path.stat().st_size)
    assert list(tmp_path.iterdir()) == [path]


def test_texts_of_any_language_and_names_of_any_length_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "one.png"
    texts = (("n" * 100, "数独"), ("Name ✓", "a\nb"))
    path.write_bytes(encode_png(np.zeros((4, 4, 3), np.uint8), texts))
    with Image.open(path) as file:
        assert file.text == {"n" * 79: "数独", "Name ?": "a\nb"}  # type: ignore[attr-defined]


def test_a_sequence_has_one_file_for_every_tick(tmp_path: Path) -> None:
    film = scribble(4, 31, 17, 9, longest=3)
    folder = tmp_path / "frames"
    with open_sequence(folder / "a-%04d.png", SHAPE) as sink:
        for frame in film:
            sink.write(frame)
        assert not folder.exists()
        written = sink.finish()
    wanted = [
        picture
        for picture, (_, ticks) in zip(film.pictures(), film.frames, strict=True)
        for _ in range(ticks)
    ]
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"a-{number:04d}.png" for number in range(1, len(wanted) + 1)]
    for name, picture in zip(names, wanted, strict=True):
        with Image.open(folder / name) as file:
            assert np.array_equal(np.asarray(file.convert("RGB")), picture)
    assert written.frames == len(wanted)
    assert written.duration == film.duration
    assert written.bytes == sum(path.stat().st_size for path in folder.iterdir())
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_is_replaced_only_when_asked_and_only_when_it_is_a_sequence(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    pattern = folder / "%d.png"

    def film(count: int, *, overwrite: bool) -> None:
        with open_sequence(pattern, SHAPE, overwrite=overwrite) as sink:
            for frame in scribble(4, 31, 17, count):
                sink.write(frame)
            sink.finish()

    film(5, overwrite=False)
    with pytest.raises(OutputError, match="holds files already"):
        film(2, overwrite=False)
    film(2, overwrite=True)
    assert sorted(path.name for path in folder.iterdir()) == ["1.png", "2.png"]
    (folder / "letter.txt").write_text("dear")
    with pytest.raises(OutputError, match=r"holds 'letter.txt'"):
        film(2, overwrite=True)
    assert len(list(folder.iterdir())) == 3
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *((name, "not a pattern") for name in ("f/%s.png", "f/%06d%d.png", "f/%.png", "f/1%.png")),
        ("%06d.png", "names no folder for the frames"),
    ],
)
def test_a_pattern_has_one_number_and_a_folder_of_its_own(name: str, message: str) -> None:
    assert is_sequence(Path(name))
    with pytest.raises(SettingsError, match=message):
        open_sequence(Path(name), SHAPE)
