"""A tool whose hardware the twin only simulates: prints what the state says for the exact command line that it was called with.

In: its own words and `ANSWERS` (command line -> stdout, stderr, rc). Out: those; words that nobody wrote an answer for are refused as an
unknown option would be, never answered by a guess.
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
        print(f"{words[0]}: the twin has no answer to {shlex.join(words)}", file=sys.stderr)
        return UNKNOWN
    sys.stdout.write(said["stdout"])
    sys.stderr.write(said["stderr"])
    return int(said["rc"])
