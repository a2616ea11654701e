"""How every verb prints: text for people, JSON for scripts."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from rackwright.base.errors import ProblemsError, RackwrightError


def add_format(parser: argparse.ArgumentParser) -> None:
    """``--format``, for verbs whose output a script may read."""
    parser.add_argument("--format", choices=["text", "json"], default="text", help="output for people or for scripts")


def emit(data: Any) -> None:
    """Print `data` as JSON."""
    json.dump(data, sys.stdout, indent=2, default=str)
    sys.stdout.write("\n")


def error(problem: RackwrightError, *, as_json: bool) -> None:
    """Print an error: all problems of a stage, or the sentence of any other error."""
    if isinstance(problem, ProblemsError):
        if as_json:
            emit({"problems": [entry.as_dict() for entry in problem.problems]})
            return
        for entry in problem.problems:
            print(entry, file=sys.stderr)
        count = len(problem.problems)
        print(f"rackwright: {count} problem{'s' if count != 1 else ''} found", file=sys.stderr)
    elif as_json:
        emit({"error": str(problem)})
    else:
        print(f"rackwright: {problem}", file=sys.stderr)
