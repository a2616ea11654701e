"""How every verb prints: text for people, JSON for scripts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from typing import Any

from rackwright.base.errors import Problem, ProblemsError, RackwrightError
from rackwright.base.terminal_text import as_line, escape_controls


def add_format(parser: argparse.ArgumentParser) -> None:
    """``--format``, for verbs whose output a script may read."""
    parser.add_argument("--format", choices=["text", "json"], default="text", help="output for people or for scripts")


def emit(data: Any) -> None:
    """Print `data` as JSON."""
    json.dump(data, sys.stdout, indent=2, default=str)
    sys.stdout.write("\n")


def print_lines(lines: Iterable[object]) -> None:
    """Print each of `lines` as a single line, whatever nodes, bundles and files wrote into it."""
    print("\n".join(map(as_line, lines)))


def error(problem: RackwrightError, *, as_json: bool) -> None:
    """Print an error: all problems of a stage, or the sentence of any other error."""
    if isinstance(problem, ProblemsError):
        if as_json:
            emit({"problems": [entry.as_dict() for entry in problem.problems]})
            return
        for entry in problem.problems:
            print(_one_line_each(entry), file=sys.stderr)
        count = len(problem.problems)
        print(f"rackwright: {count} problem{'s' if count != 1 else ''} found", file=sys.stderr)
    elif as_json:
        emit({"error": str(problem)})
    else:
        print(f"rackwright: {escape_controls(str(problem))}", file=sys.stderr)


def _one_line_each(problem: Problem) -> Problem:
    """`problem` with each field as a single line, so that no field can imitate another."""
    return Problem(**{name: as_line(text) for name, text in problem.as_dict().items()})
