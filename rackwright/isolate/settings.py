"""Reads the numbers of a search from the limits.

In: the limits (``isolation.*``). Out: `Settings`. Cut here because every number has a source and a date there, and none stands in code.
"""

from __future__ import annotations

from rackwright.errors import Problem, ProblemsError
from rackwright.isolate.groups import Rules
from rackwright.isolate.noise import Noise
from rackwright.isolate.search import Settings
from rackwright.model.check import Limits

NAMES = ("sigma", "weakest", "disturbed", "prior", "largest", "worth", "missed", "blamed", "sets", "sweeps")


def settings(limits: Limits) -> Settings:
    """ProblemsError with every number that no row gives."""
    found = {name: limits.find(f"isolation.{name}") for name in NAMES}
    missing = [name for name, limit in found.items() if limit is None or not isinstance(limit.value, int | float)]
    if missing:
        raise ProblemsError([_problem(name) for name in missing])
    number = {
        name: float(limit.value) for name, limit in found.items() if limit and isinstance(limit.value, int | float)
    }
    return Settings(
        noise=Noise(number["sigma"], number["weakest"], number["disturbed"]),
        prior=number["prior"],
        rules=Rules(int(number["largest"]), number["worth"]),
        missed=number["missed"],
        blamed=number["blamed"],
        sets=int(number["sets"]),
        sweeps=int(number["sweeps"]),
    )


def _problem(name: str) -> Problem:
    return Problem(
        place="validators/limits",
        path=f"isolation.{name}",
        message="no row gives this number",
        expected="a number with source and date",
        found="nothing",
        next_step="add the row to validators/limits/isolation.yaml",
        code="isolate.no_number",
    )
