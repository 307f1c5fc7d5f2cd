"""undoku completion: scripts that let shells complete commands, options, strategies and values.

The scripts ask `undoku completion words`, which reads the words of a command line, one a line, and
prints what the last one may become. It knows only the parser, and so the one table of options.
"""

from __future__ import annotations

import re
import sys
from argparse import Action, Namespace
from collections.abc import Iterable, Sequence

from undoku.cli.parser import CommandParser, command_line

_SCRIPTS = {
    "bash": """\
# For ~/.bashrc: source <(undoku completion bash)
_undoku() {
  local IFS=$'\\n'
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(printf '%s\\n' "${words[@]}" | undoku completion words 2>/dev/null))
}
complete -o default -F _undoku undoku
""",
    "zsh": """\
# For ~/.zshrc, after compinit: source <(undoku completion zsh)
_undoku() {
  local -a found
  found=("${(@f)$(print -rl -- "${(@)words[2,CURRENT]}" | undoku completion words 2>/dev/null)}")
  if [[ -n $found[1] ]]; then compadd -- $found; else _files; fi
}
compdef _undoku undoku
""",
    "fish": """\
# For ~/.config/fish/config.fish: undoku completion fish | source
function __undoku_words
  begin
    commandline -opc | tail -n +2
    commandline -ct
  end | undoku completion words 2>/dev/null
end
complete -c undoku -a '(__undoku_words)'
""",
}


def run(options: Namespace) -> int:
    if options.shell == "words":
        print(*completed(sys.stdin.read().split("\n")[:-1]), sep="\n")
    else:
        print(_SCRIPTS[options.shell], end="")
    return 0


def completed(words: Sequence[str]) -> list[str]:
    """What the last of the words that follow `undoku` may become; nothing if it is a file."""
    *before, last = [word for word in words if word != "="] or [""]  # bash splits at "="
    prefix = ""
    if found := re.match(r"(--[\w-]+)=", last):
        before.append(found[1])
        prefix, last = found[0], last[found.end() :]
    (commands,) = [action for action in command_line().arguments if action.dest == "command"]
    parsers = dict(commands.choices or {})
    if not before:
        return _matching(parsers, last)
    if not isinstance(parser := parsers.get(before[0]), CommandParser):
        return []
    arguments = parser.arguments
    named = [one for one in arguments if before[-1] in one.option_strings and one.nargs != 0]
    if last.startswith("-") and not named:
        return _matching([name for one in arguments for name in one.option_strings], last)
    positional = [one for one in arguments if not one.option_strings][len(before) - 1 :]
    return [prefix + value for one in (named or positional)[:1]
            for value in _matching(_values(one), last)]  # fmt: skip


def _values(argument: Action) -> Iterable[str]:
    """The values of an argument, as far as there is a list of them."""
    if argument.dest in ("strategy", "strategies"):
        from undoku.cli.list import rows_of  # takes a while to load

        rows = rows_of("strategies")
        return [
            row["name"].removesuffix("SEED")
            for row in rows
            if row["kind"] in ("cell order", "preset")
        ]
    metavar = str(argument.metavar)
    choices = re.findall(r"[\w.-]+", metavar) if metavar.startswith("{") else []
    return argument.choices or choices


def _matching(words: Iterable[str], last: str) -> list[str]:
    return [word for word in words if word.startswith(last)]
