"""How sizing refuses: one problem, with the command-line option it is about."""

from __future__ import annotations

from rackwright.base.errors import Problem, ProblemsError


def refuse(option: str, message: str, expected: str, actual: str, next_step: str) -> ProblemsError:
    """The error for a request without a solution."""
    return ProblemsError([Problem("size", option, message, expected, actual, next_step, "size.impossible")])
