"""The allow-list of sudo for the account that collects evidence: the commands that need root, complete with every
argument.

sudo compares the arguments joined by blanks, so the account may also split one argument into several. ``sh -c`` then
runs only the beginning of a script, and words that end up in the place of file names are searched in ``/``, where the
account has no files.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.collect.collector import Collectors
from rackwright.collect.output import Ask
from rackwright.collect.plan import plan_requests
from rackwright.collect.wire import PATH
from rackwright.model.design import Design

FOLDERS = tuple(folder for folder in PATH.split(":") if folder.startswith("/usr/"))
"""Where sudo may find a command by `PATH`; ``/sbin`` and ``/bin`` are links to those in ``/usr`` on every system that
is onboarded.
"""
PATTERN, SEPARATORS = "*?[]", ":,=#"
"""Characters that sudoers(5) takes for a pattern, and for the end of a command, unless a backslash precedes them."""


def commands(design: Design, nodes: Sequence[str], collectors: Collectors) -> tuple[Ask, ...]:
    """The commands that collecting the evidence of `nodes` runs as root, each once."""
    asks = (ask for questions in plan_requests(design, nodes, collectors).asks.values() for ask in questions)
    return tuple({ask.command: ask for ask in asks if ask.as_root}.values())


def fragment(user: str, asks: Sequence[Ask]) -> str:
    """A file for ``/etc/sudoers.d``. sudo itself ends commands at their time limit: the account may not kill a process
    of root.
    """
    search = ":".join([PATH, *dict.fromkeys(folder for ask in asks for folder in ask.folders)])
    lines = [
        f"# What {user} runs as root to collect evidence, printed by `rackwright sudoers`.",
        f"# Install it on every node, by root: visudo -cf FILE && install -m 0440 FILE /etc/sudoers.d/{user}",
        f'Defaults:{user} !requiretty, !setenv, env_reset, runcwd=/, secure_path="{search}"',
    ]
    for ask in asks:
        allowed = ", ".join(f"{folder}/{_command(ask.command)}" for folder in FOLDERS)
        lines.append(f"{user} ALL=(root) TIMEOUT={ask.seconds:.0f}s NOPASSWD: {allowed}")
    return "\n".join(lines) + "\n"


def _command(words: Sequence[str]) -> str:
    name, *arguments = words
    return f"{name} {_escaped(' '.join(arguments))}" if arguments else f'{name} ""'


def _escaped(text: str) -> str:
    r"""`text` as sudoers(5) reads exactly it: a backslash is written four times, for the reader of the file and for the pattern."""
    marks = {"\\": "\\" * 4, **{letter: f"\\{letter}" for letter in PATTERN + SEPARATORS}}
    return "".join(marks.get(letter, letter) for letter in text).replace("  ", "\\ \\ ")
