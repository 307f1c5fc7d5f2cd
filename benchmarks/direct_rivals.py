"""Writes pictures from a file to MP4 with other programs, in its own process without undoku:

python direct_rivals.py NAME PICTURES.npy COUNT FILM.mp4
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

RIVALS = {
    "imageio": "imageio, default writer",
    "matplotlib": "matplotlib, FFMpegWriter",
    "animation": "matplotlib, FuncAnimation",
    "manim": "manim, an ImageMobject",
}
FPS = 60


def imageio(pictures: Any, film: Path) -> None:
    from imageio import get_writer

    with get_writer(film, fps=FPS) as writer:
        for picture in pictures:
            writer.append_data(picture)  # type: ignore[attr-defined]


def _figure(pictures: Any) -> tuple[Any, Any]:
    """A figure of the pictures' size that shows the first picture, without axes."""
    import imageio_ffmpeg
    import matplotlib as mpl

    mpl.use("agg")
    mpl.rcParams["animation.ffmpeg_path"] = imageio_ffmpeg.get_ffmpeg_exe()
    from matplotlib import pyplot

    height, width = pictures.shape[1:3]
    figure = pyplot.figure(figsize=(width / 100, height / 100), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    return figure, axes.imshow(pictures[0], interpolation="nearest")


def matplotlib(pictures: Any, film: Path) -> None:
    from matplotlib.animation import FFMpegWriter

    figure, image = _figure(pictures)
    writer = FFMpegWriter(fps=FPS)
    with writer.saving(figure, str(film), dpi=100):
        for picture in pictures:
            image.set_data(picture)
            writer.grab_frame()


def animation(pictures: Any, film: Path) -> None:
    from matplotlib.animation import FuncAnimation

    figure, image = _figure(pictures)

    def show(number: int) -> tuple[Any, ...]:
        image.set_data(pictures[number])
        return (image,)

    FuncAnimation(figure, show, frames=len(pictures), blit=True).save(
        str(film), writer="ffmpeg", fps=FPS
    )


def manim(pictures: Any, film: Path) -> None:
    """An ImageMobject whose pixels an updater replaces in each frame."""
    import manim as mn

    folder = film.parent / "manim"
    height, width = pictures.shape[1:3]
    settings = {
        "pixel_width": width, "pixel_height": height, "frame_rate": FPS, "media_dir": str(folder),
        "disable_caching": True, "verbosity": "ERROR", "progress_bar": "none",
        "output_file": "film",
    }  # fmt: skip

    class Slides(mn.Scene):  # type: ignore[misc]
        def construct(self) -> None:
            image = mn.ImageMobject(pictures[0])
            image.height = mn.config.frame_height
            self.shown = 0

            def change(one: Any) -> None:
                one.pixel_array[..., :3] = pictures[min(self.shown, len(pictures) - 1)]
                self.shown += 1

            image.add_updater(change)
            self.add(image)
            self.wait(len(pictures) / FPS)

    with mn.tempconfig(settings):
        Slides().render()
    made = max(folder.rglob("film.mp4"), key=lambda path: path.stat().st_size)
    made.replace(film)


class Pictures:
    """The first `count` pictures of a .npy file, read one by one, so that the measured memory is
    that of the writer."""

    def __init__(self, path: str, count: int) -> None:
        import numpy as np

        self._file = Path(path).open("rb")  # noqa: SIM115  # as long as the process lasts
        np.lib.format.read_magic(self._file)
        (_, *shape), _, self._kind = np.lib.format.read_array_header_1_0(self._file)
        self.shape = (count, *shape)
        self._start, self._size = self._file.tell(), int(np.prod(shape))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, number: int) -> Any:
        import numpy as np

        if not 0 <= number < len(self):
            raise IndexError(number)
        self._file.seek(self._start + number * self._size)
        content = self._file.read(self._size)
        return np.frombuffer(content, self._kind).reshape(self.shape[1:])


def write() -> None:
    name, source, count, film = sys.argv[1:]
    writers: dict[str, Callable[[Any, Path], None]] = {
        "imageio": imageio,
        "matplotlib": matplotlib,
        "animation": animation,
        "manim": manim,
    }
    writers[name](Pictures(source, int(count)), Path(film))


if __name__ == "__main__":
    # A script's own folder is first on sys.path; its modules must not shadow packages.
    sys.path[:] = [place for place in sys.path if Path(place or ".") != Path(__file__).parent]
    write()
