"""What a gate asks of one check.

A run has few check ids and very many verdicts: each id is matched against the patterns once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache

from rackwright.model.gate import Gate


class Asked(Enum):
    """How a check counts at a gate."""

    ALWAYS = "always"
    WHEN_RUN = "when_run"
    NEVER = "never"
    """Advisory, or asked for by no pattern of this gate."""


def asks(gate: Gate) -> Callable[[str], Asked]:
    """How each check counts at `gate`: advisory goes before `when_run`, which goes before the patterns."""

    @cache
    def asked(check: str) -> Asked:
        if matches(check, gate.advisory):
            return Asked.NEVER
        if matches(check, gate.when_run):
            return Asked.WHEN_RUN
        return Asked.ALWAYS if matches(check, [*gate.checks, *gate.where_they_apply]) else Asked.NEVER

    return asked


def meets(gate: Gate) -> Callable[[str], frozenset[str]]:
    """The patterns of `gate.checks` that a check meets."""

    @cache
    def met(check: str) -> frozenset[str]:
        return frozenset(pattern for pattern in gate.checks if fnmatchcase(check, pattern))

    return met


def matches(check: str, patterns: Iterable[str]) -> bool:
    """Whether one of `patterns` matches."""
    return any(fnmatchcase(check, pattern) for pattern in patterns)
