"""Simulated tools as files of a host: each prints the recorded output for the exact words of its command line.

A command line without an answer goes to the real tool behind it on the path (``find``), or is refused as an unknown option; it is
never guessed. The programs are shell scripts: a host runs twenty of them for every reading, and Python starts ten times slower.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

TOOLS = "/usr/local/sbin"
"""Folder of the simulated tools, before the real ones in PATH of a login shell."""
ANSWERS = "/run/rackwright-twin/answers"
UNKNOWN = 64
"""Exit status of words without an answer (sysexits.h, EX_USAGE)."""
BETWEEN = "\x1f"
"""Separates the words of a command line; no word of a collector contains it."""
PROGRAM = """\
#!/bin/sh
IFS='{between}'
case "$#$IFS$*" in
{cases}
esac
IFS=:
for folder in ${{PATH:-/bin:/usr/bin}}; do
  if [ "$folder" != "${{0%/*}}" ] && [ -x "$folder/{tool}" ]; then
    exec "$folder/{tool}" "$@"
  fi
done
IFS=' '
echo "{tool}: the twin has no answer to {tool} $*" >&2
exit {unknown}
"""


def files(answers: Mapping[str, Mapping[str, Any]], folder: str = ANSWERS) -> dict[str, str]:
    """Path -> text of `answers` (command line -> ``stdout``, ``stderr``, ``rc``) in `folder`."""
    return {
        f"{folder}/{number}.{stream}": answer[stream]
        for number, answer in enumerate(answers.values())
        for stream in ("stdout", "stderr")
        if answer[stream]
    }


def programs(answers: Mapping[str, Mapping[str, Any]], folder: str = ANSWERS) -> dict[str, str]:
    """Tool -> program, for every tool with an answer."""
    cases: dict[str, list[str]] = defaultdict(list)
    for number, (line, answer) in enumerate(answers.items()):
        tool, *words = shlex.split(line)
        called = shlex.quote(BETWEEN.join([str(len(words)), *words]))
        cases[tool].append(f"{called}) {_act(f'{folder}/{number}', answer)} ;;")
    return {
        tool: PROGRAM.format(between=BETWEEN, cases="\n".join(cases_of_tool), tool=tool, unknown=UNKNOWN)
        for tool, cases_of_tool in sorted(cases.items())
    }


def _act(path: str, answer: Mapping[str, Any]) -> str:
    """The commands of a program; absolute paths, because ``cat`` on the path may be a simulated tool."""
    if not answer["stderr"] and answer["rc"] == 0:
        return f"exec /bin/cat {path}.stdout" if answer["stdout"] else "exit 0"
    commands = [f"/bin/cat {path}.stdout"] if answer["stdout"] else []
    commands += [f"/bin/cat {path}.stderr >&2"] if answer["stderr"] else []
    return "; ".join([*commands, f"exit {int(answer['rc'])}"])
