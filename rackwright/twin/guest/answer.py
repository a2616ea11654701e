"""A tool whose hardware the twin only simulates: prints what the state says for the exact command line that it was called with.

In: its own words and `ANSWERS` (command line -> stdout, stderr, rc). Out: those. Words that nobody wrote an answer for go to the real tool
behind it on the path (``find``), and are refused as an unknown option would be where there is none, never answered by a guess.
"""

from __future__ import annotations

import json
import os
import shlex
import sys

ANSWERS = "/run/rackwright-twin/answers.json"
UNKNOWN = 64
"""Exit status of words without an answer (sysexits.h, EX_USAGE)."""


def main() -> int:
    """Entry point."""
    words = [os.path.basename(sys.argv[0]), *sys.argv[1:]]
    with open(ANSWERS, encoding="utf-8") as file:
        said = json.load(file).get(shlex.join(words))
    if said is None:
        _real(words)
        print(f"{words[0]}: the twin has no answer to {shlex.join(words)}", file=sys.stderr)
        return UNKNOWN
    sys.stdout.write(said["stdout"])
    sys.stderr.write(said["stderr"])
    return int(said["rc"])


def _real(words: list[str]) -> None:
    """Become the tool of the same name in a later folder of the path; nothing where there is none."""
    own = os.path.dirname(os.path.abspath(sys.argv[0]))
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, words[0])
        if os.path.abspath(folder) != own and os.access(path, os.X_OK):
            os.execv(path, words)  # noqa: S606 - the tool that was called, without a shell
