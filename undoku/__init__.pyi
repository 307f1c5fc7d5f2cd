# The public names and the modules that they come from; `__init__.py` reads this list.
from undoku.api import compare as compare
from undoku.api import film as film
from undoku.api import frames as frames
from undoku.cli.batch import batch as batch
from undoku.cli.chart import chart as chart
from undoku.cli.generate import generate as generate
from undoku.cli.list import strategies as strategies
from undoku.cli.printing import Results as Results
from undoku.cli.solve import solve as solve
from undoku.cli.stats import stats as stats
from undoku.cli.study import study as study
from undoku.cli.trace import trace as trace
from undoku.errors import (
    EncoderError as EncoderError,
)
from undoku.errors import (
    InputError as InputError,
)
from undoku.errors import (
    OutputError as OutputError,
)
from undoku.errors import (
    PuzzleError as PuzzleError,
)
from undoku.errors import (
    ReadError as ReadError,
)
from undoku.errors import (
    RunError as RunError,
)
from undoku.errors import (
    SettingsError as SettingsError,
)
from undoku.errors import (
    StrategyError as StrategyError,
)
from undoku.errors import (
    TraceError as TraceError,
)
from undoku.errors import (
    UndokuError as UndokuError,
)
from undoku.render.delivery.notebook import NotebookFilm as NotebookFilm
from undoku.render.delivery.write import Report as Report
from undoku.render.delivery.write import write_film as write_film
from undoku.render.draw.canvas import Canvas as Canvas
from undoku.render.draw.canvas import Frame as Frame
from undoku.render.draw.canvas import Rect as Rect
from undoku.render.draw.picture import Picture as Picture
from undoku.render.draw.theme import Theme as Theme
from undoku.render.draw.theme import load_theme as load_theme
from undoku.render.film.film import Film as Film
from undoku.render.playback.player import Player as Player
from undoku.render.playback.player import Snapshot as Snapshot
from undoku.render.settings.settings import FilmSettings as FilmSettings
from undoku.render.timeline.pace import Clock as Clock
from undoku.render.timeline.race_plan import plan as plan
from undoku.render.timeline.timeline import (
    Pace as Pace,
)
from undoku.render.timeline.timeline import (
    Phase as Phase,
)
from undoku.render.timeline.timeline import (
    Shot as Shot,
)
from undoku.render.timeline.timeline import (
    Timeline as Timeline,
)
from undoku.render.write.film_reader import read_frames as read_frames
from undoku.solver.problem.problem import Unit as Unit
from undoku.solver.problem.puzzle import Geometry as Geometry
from undoku.solver.problem.puzzle import Puzzle as Puzzle
from undoku.solver.problem.puzzle import standard_geometry as standard_geometry
from undoku.solver.problem.sources import parse_puzzle as parse_puzzle
from undoku.solver.search.part_registry import parts as parts
from undoku.solver.search.part_registry import register as register
from undoku.solver.search.strategy import Strategy as Strategy
from undoku.solver.search.strategy_part import Part as Part
from undoku.solver.search.strategy_part import PartKind as PartKind
from undoku.solver.trace.calls import calls as calls
from undoku.solver.trace.recorded import FileTrace as FileTrace
from undoku.solver.trace.recorded import MemoryTrace as MemoryTrace
from undoku.solver.trace.recorded import open_trace as open_trace
from undoku.solver.trace.replay import Replay as Replay
from undoku.solver.trace.replay import board_at as board_at
from undoku.solver.trace.replay import check as check
from undoku.solver.trace.search_trace import (
    Limits as Limits,
)
from undoku.solver.trace.search_trace import (
    SearchTrace as SearchTrace,
)
from undoku.solver.trace.search_trace import (
    search as search,
)
from undoku.solver.trace.stream import StreamTrace as StreamTrace
from undoku.solver.trace.trace import (
    EVENT as EVENT,
)
from undoku.solver.trace.trace import (
    Header as Header,
)
from undoku.solver.trace.trace import (
    Op as Op,
)
from undoku.solver.trace.trace import (
    Outcome as Outcome,
)
from undoku.solver.trace.trace import (
    Tally as Tally,
)
from undoku.solver.trace.trace import (
    Trace as Trace,
)
from undoku.solver.trace.tracer import Tracer as Tracer
from undoku.solver.trace.watch import watch as watch
from undoku.solver.trace.writing import write_lines as write_lines
from undoku.solver.trace.writing import write_trace as write_trace

__version__: str
