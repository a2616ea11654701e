"""How each check counts at a gate.

A run has few check ids and very many verdicts: each id is matched against the patterns once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache

from rackwright.model.gate import Gate


class CheckRole(Enum):
    """How a check counts at a gate."""

    ALWAYS = "always"
    WHEN_RUN = "when_run"
    NEVER = "never"
    """Advisory, or matched by no pattern of this gate."""


def check_roles(gate: Gate) -> Callable[[str], CheckRole]:
    """How each check counts at `gate`: `advisory` takes precedence over `when_run`, `when_run` over the other patterns."""

    @cache
    def role(check: str) -> CheckRole:
        if matches(check, gate.advisory):
            return CheckRole.NEVER
        if matches(check, gate.when_run):
            return CheckRole.WHEN_RUN
        return CheckRole.ALWAYS if matches(check, [*gate.required(), *gate.where_they_apply]) else CheckRole.NEVER

    return role


def check_patterns(gate: Gate) -> Callable[[str], frozenset[str]]:
    """The patterns of `gate.checks` and `gate.where` that match a check."""

    @cache
    def met(check: str) -> frozenset[str]:
        return frozenset(pattern for pattern in gate.required() if fnmatchcase(check, pattern))

    return met


def matches(check: str, patterns: Iterable[str]) -> bool:
    """True if any of `patterns` matches `check`."""
    return any(fnmatchcase(check, pattern) for pattern in patterns)
