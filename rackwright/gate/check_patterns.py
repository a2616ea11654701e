"""How each check counts at a gate.

A run has few check ids and very many verdicts: each id is matched against the patterns once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

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


class Passed(NamedTuple):
    """What checks that passed are at a gate."""

    counted: int
    """How many of them decide."""
    optional: frozenset[str]
    """Those that count only when they were run."""
    patterns: frozenset[str]
    """The patterns that they match."""


@dataclass(frozen=True)
class CheckRules:
    """How the checks of a run count at one gate; equal nodes passed the same checks, which are looked at once."""

    gate: Gate
    role_of: Callable[[str], CheckRole]
    patterns_of: Callable[[str], frozenset[str]]
    _passed: dict[tuple[str, ...], Passed] = field(default_factory=dict)

    @classmethod
    def of(cls, gate: Gate) -> CheckRules:
        """The rules of `gate`."""
        return cls(gate, check_roles(gate), check_patterns(gate))

    def count(self, passed: tuple[str, ...]) -> Passed:
        """What the checks called `passed` are."""
        if passed not in self._passed:
            required = [check for check in passed if self.role_of(check) is CheckRole.ALWAYS]
            optional = [check for check in passed if self.role_of(check) is CheckRole.WHEN_RUN]
            patterns = frozenset[str]().union(*map(self.patterns_of, required))
            self._passed[passed] = Passed(len(required) + len(optional), frozenset(optional), patterns)
        return self._passed[passed]


def matches(check: str, patterns: Iterable[str]) -> bool:
    """True if any of `patterns` matches `check`."""
    return any(fnmatchcase(check, pattern) for pattern in patterns)
