"""How each check counts at a gate.

A run has few check ids and very many verdicts, and a campaign decides again and again: each id is matched against the patterns of a gate once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import NamedTuple

from rackwright.model.gate import Gate

Patterns = tuple[str, ...]
GATES = 16
"""Gates of which the answers are kept: a site has some four in a chain."""


class CheckRole(Enum):
    """How a check counts at a gate."""

    ALWAYS = "always"
    WHEN_RUN = "when_run"
    NEVER = "never"
    """Advisory, or matched by no pattern of this gate."""


def check_roles(gate: Gate) -> Callable[[str], CheckRole]:
    """How each check counts at `gate`: `advisory` takes precedence over `when_run`, `when_run` over the other patterns."""
    return _roles(tuple(gate.advisory), tuple(gate.when_run), (*gate.required(), *gate.where_they_apply))


@lru_cache(maxsize=GATES)
def _roles(advisory: Patterns, when_run: Patterns, others: Patterns) -> Callable[[str], CheckRole]:
    @cache
    def role(check: str) -> CheckRole:
        if matches(check, advisory):
            return CheckRole.NEVER
        if matches(check, when_run):
            return CheckRole.WHEN_RUN
        return CheckRole.ALWAYS if matches(check, others) else CheckRole.NEVER

    return role


def check_patterns(gate: Gate) -> Callable[[str], frozenset[str]]:
    """The patterns of `gate.checks` and `gate.where` that match a check."""
    return _met(tuple(gate.required()))


@lru_cache(maxsize=GATES)
def _met(patterns: Patterns) -> Callable[[str], frozenset[str]]:
    @cache
    def met(check: str) -> frozenset[str]:
        return frozenset(pattern for pattern in patterns if fnmatchcase(check, pattern))

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
