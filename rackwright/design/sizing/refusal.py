"""How sizing says no: one problem, with the option of the command that it is about."""

from __future__ import annotations

from rackwright.base.errors import Problem, ProblemsError


def refuse(option: str, message: str, expected: str, actual: str, next_step: str) -> ProblemsError:
    """The error for a question that has no answer."""
    return ProblemsError([Problem("size", option, message, expected, actual, next_step, "size.impossible")])
