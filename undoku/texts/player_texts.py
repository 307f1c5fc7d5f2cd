"""The texts of the player's buttons, keys and hints, each declared once, as in
`undoku.texts.wording`."""

from __future__ import annotations

from undoku.texts.language import Text

__all__ = ["PLAYER_TEXTS"]

PLAY = Text("player-play", "Play")
PAUSE = Text("player-pause", "Pause")
AGAIN = Text("player-again", "Watch again")
STEP_BACK = Text("player-step-back", "One step back")
STEP_ON = Text("player-step-on", "One step on")
BACKTRACK_BACK = Text("player-backtrack-back", "To the backtrack before")
BACKTRACK_ON = Text("player-backtrack-on", "To the next backtrack")
HIGHLIGHT_BACK = Text("player-highlight-back", "To the highlight before")
HIGHLIGHT_ON = Text("player-highlight-on", "To the next highlight")
SPEED = Text("player-speed", "Speed")
POSITION = Text("player-position", "Position in the film")
GO_TO_STEP = Text("player-go-to-step", "Go to step")
STEP_AND_TIME = Text("player-step-and-time", "step {step} of {steps}, {time}")
PANELS = Text("player-panels", "Panels")
PANEL_DEPTH = Text("player-panel-depth", "Depth over time")
PANEL_TREE = Text("player-panel-tree", "Search tree")
PANEL_WHY = Text("player-panel-why", "Why, in words")
PANEL_CANDIDATES = Text("player-panel-candidates", "Options")
PANEL_HEAT = Text("player-panel-heat", "Heat: how often each cell was tried")
PANEL_SOLUTIONS = Text("player-panel-solutions", "Solutions found")
PANEL_CODE = Text("player-panel-code", "Code: the line that runs")
PANEL_COUNTERS = Text("player-panel-counters", "All counters")
THEME = Text("player-theme", "Colours")
THEME_SYSTEM = Text("player-theme-system", "As the system")
THEME_DARK = Text("player-theme-dark", "Dark")
THEME_LIGHT = Text("player-theme-light", "Light")
THEME_CONTRAST = Text("player-theme-contrast", "Strong contrast")
THEME_FILM = Text("player-theme-film", "As the film")
COPY_LINK = Text("player-copy-link", "Copy link to this step")
SAVE_PICTURE = Text("player-save-picture", "Save this picture")
COPY_COMMAND = Text("player-copy-command", "Copy command")
COMMAND_FILM = Text("player-command-film", "Copy the command for this film")
COMMAND_PICTURE = Text("player-command-picture", "Copy the command for this picture")
COPIED = Text("player-copied", "Copied")
COPY_THIS = Text("player-copy-this", "Copy this:")
SAVE_BY_MENU = Text("player-save-by-menu", "Save it from the picture's own menu.")
KEYS = Text("player-keys", "Keys")
SHARE = Text("player-share", "Share")
CLOSE = Text("player-close", "Close")
KEY_PLAY = Text("player-key-play", "play or pause")
KEY_STEP = Text("player-key-step", "step back or on")
KEY_BACKTRACK = Text("player-key-backtrack", "backtrack before or after")
KEY_HIGHLIGHT = Text("player-key-highlight", "highlight before or after")
KEY_ENDS = Text("player-key-ends", "beginning or end")
KEY_SPEED = Text("player-key-speed", "slower or faster")
KEY_CELLS = Text("player-key-cells", "in a board: to the next cell")
KEY_HELP = Text("player-key-help", "show these keys")
KEY_LEAVE = Text("player-key-leave", "close")
KEY_LINK = Text("player-key-link", "copy link to this step")
SPACE_BAR = Text("player-space-bar", "Space")
BOARD_OF = Text("player-board-of", "Board of {label}")
DEPTH_OF_ALL = Text(
    "player-depth-of-all", "Depth of the searches over their steps. Press on it to go to a step."
)
TREE_OF = Text("player-tree-of", "Search tree of {label}. Press on it to go to a step.")
SOLUTIONS_OF = Text("player-solutions-of", "Solutions of {label}. Press on one to go to its step.")
CELL_GIVEN = Text("player-cell-given", "given {value}")
CELL_HOLDS = Text("player-cell-holds", "holds {value}")
CELL_CANDIDATES = Text("player-cell-candidates", "options: {values}")
CELL_NO_CANDIDATE = Text("player-cell-no-candidate", "no option left")
CELL_EXCLUDED = Text("player-cell-excluded", "not {value}: {cells}")
CELL_REMOVED = Text("player-cell-removed", "not {value}: removed by logic")
CELL_NEVER_TRIED = Text("player-cell-never-tried", "never tried")
CELL_CHANGED = Text("player-cell-changed", "last changed at step {step}")
ENLARGE = Text("player-enlarge", "Show {label} large")
LIVE_FOLLOWS = Text("player-live-follows", "Following the solver")
LIVE_LOST = Text("player-live-lost", "The preview has ended.")
FILM = Text("player-film", "Film")
FAILED = Text("player-failed", "This page needs a newer browser.")
CELL_TRIED = Text("player-cell-tried", "tried {count} times", one="tried once")

PLAYER_TEXTS = (
    PLAY,
    PAUSE,
    AGAIN,
    STEP_BACK,
    STEP_ON,
    BACKTRACK_BACK,
    BACKTRACK_ON,
    HIGHLIGHT_BACK,
    HIGHLIGHT_ON,
    SPEED,
    POSITION,
    GO_TO_STEP,
    STEP_AND_TIME,
    PANELS,
    PANEL_DEPTH,
    PANEL_TREE,
    PANEL_WHY,
    PANEL_CANDIDATES,
    PANEL_HEAT,
    PANEL_SOLUTIONS,
    PANEL_CODE,
    PANEL_COUNTERS,
    THEME,
    THEME_SYSTEM,
    THEME_DARK,
    THEME_LIGHT,
    THEME_CONTRAST,
    THEME_FILM,
    COPY_LINK,
    SAVE_PICTURE,
    COPY_COMMAND,
    COMMAND_FILM,
    COMMAND_PICTURE,
    COPIED,
    COPY_THIS,
    SAVE_BY_MENU,
    KEYS,
    SHARE,
    CLOSE,
    KEY_PLAY,
    KEY_STEP,
    KEY_BACKTRACK,
    KEY_HIGHLIGHT,
    KEY_ENDS,
    KEY_SPEED,
    KEY_CELLS,
    KEY_HELP,
    KEY_LEAVE,
    KEY_LINK,
    SPACE_BAR,
    BOARD_OF,
    DEPTH_OF_ALL,
    TREE_OF,
    SOLUTIONS_OF,
    CELL_GIVEN,
    CELL_HOLDS,
    CELL_CANDIDATES,
    CELL_NO_CANDIDATE,
    CELL_EXCLUDED,
    CELL_REMOVED,
    CELL_NEVER_TRIED,
    CELL_CHANGED,
    ENLARGE,
    LIVE_FOLLOWS,
    LIVE_LOST,
    FILM,
    FAILED,
    CELL_TRIED,
)
"""All texts of the player. A page contains their wordings, because it fills them in itself."""
