"""The lines of pseudocode of a search: each text declared once, as in `undoku.texts.wording`."""

from __future__ import annotations

from undoku.texts.language import Text

CODE = Text("code", "code")
CODE_SOLVE = Text("code-solve", "solve:")
CODE_FULL = Text("code-full", "board full? done")
CODE_CELL = Text("code-cell", "choose a cell: {order}")
CODE_ANY_CELL = Text("code-any-cell", "choose an empty cell")
CODE_EACH = Text("code-each", "for each option:")
CODE_EACH_IN_ORDER = Text("code-each-in-order", "for each option, {order}:")
CODE_PLACE = Text("code-place", "write it")
CODE_INFER = Text("code-infer", "fill in what follows: {rules}")
CODE_ELIMINATE = Text("code-eliminate", "cross off what can't be: {rules}")
CODE_CHECK = Text("code-check", "no option left somewhere? go back")
CODE_ONCE = Text("code-once", "once, at the start: {rules}")
CODE_RESTART = Text("code-restart", "too many dead ends? begin again")
CODE_DEEPER = Text("code-deeper", "solve the rest")
CODE_UNDO = Text("code-undo", "take it back")
CODE_UNDO_WAY = Text("code-undo-way", "take it back: {way}")
CODE_DEAD_END = Text("code-dead-end", "no option left? dead end")
