"""Tools whose hardware the twin only simulates, as files of a host: each prints what the state says for the exact words that it is called with.

Words that nobody wrote an answer for go to the real tool behind it on the path (``find``),
and are refused as an unknown option would be where there is none, never answered by a guess. The programs are for the shell, because
a host of the twin runs twenty of them for every reading of its state, and Python takes ten times as long to start.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

TOOLS = "/usr/local/sbin"
"""Where a simulated tool is found before the real one (order of PATH in a login shell)."""
ANSWERS = "/run/rackwright-twin/answers"
UNKNOWN = 64
"""Exit status of words without an answer (sysexits.h, EX_USAGE)."""
BETWEEN = "\x1f"
"""Between the words of a command line; no word of a collector holds it."""
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


def files(said: Mapping[str, Mapping[str, Any]], folder: str = ANSWERS) -> dict[str, str]:
    """Path -> text of the answers in `said` (command line -> ``stdout``, ``stderr``, ``rc``), which lie in `folder`."""
    return {
        f"{folder}/{number}.{stream}": one[stream]
        for number, one in enumerate(said.values())
        for stream in ("stdout", "stderr")
        if one[stream]
    }


def programs(said: Mapping[str, Mapping[str, Any]], folder: str = ANSWERS) -> dict[str, str]:
    """Tool -> program, for every tool that `said` has an answer of."""
    cases: dict[str, list[str]] = defaultdict(list)
    for number, (line, one) in enumerate(said.items()):
        tool, *words = shlex.split(line)
        called = shlex.quote(BETWEEN.join([str(len(words)), *words]))
        cases[tool].append(f"{called}) {_act(f'{folder}/{number}', one)} ;;")
    return {
        tool: PROGRAM.format(between=BETWEEN, cases="\n".join(own), tool=tool, unknown=UNKNOWN)
        for tool, own in sorted(cases.items())
    }


def _act(path: str, one: Mapping[str, Any]) -> str:
    """What a program does; nothing that it starts is searched for on the path, where ``cat`` may be one of ours."""
    if not one["stderr"] and one["rc"] == 0:
        return f"exec /bin/cat {path}.stdout" if one["stdout"] else "exit 0"
    told = [f"/bin/cat {path}.stdout"] if one["stdout"] else []
    told += [f"/bin/cat {path}.stderr >&2"] if one["stderr"] else []
    return "; ".join([*told, f"exit {int(one['rc'])}"])
