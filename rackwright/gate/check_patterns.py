"""The role of each check at a gate.

A run has few check ids and very many verdicts, and a campaign decides again and again: each id is matched with the
patterns of a gate once.
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
"""Number of gates whose results are cached: a site has some four in a chain."""


class CheckRole(Enum):
    """The role of a check at a gate."""

    ALWAYS = "always"
    WHEN_RUN = "when_run"
    NEVER = "never"
    """Advisory, or matched by no pattern of this gate."""


def check_roles(gate: Gate) -> Callable[[str], CheckRole]:
    """The role of each check at `gate`: `advisory` takes precedence over `when_run`, `when_run` over the other
    patterns.
    """
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
    """Checks that passed on a node, as they count at a gate."""

    counted: int
    """Number of them that count."""
    optional: frozenset[str]
    """Those that count only if they were run."""
    patterns: frozenset[str]
    """The patterns of the gate that they match."""


@dataclass(frozen=True)
class CheckRules:
    """The roles of the checks of a run at one gate; equal nodes passed the same checks, which are counted once."""

    gate: Gate
    role_of: Callable[[str], CheckRole]
    patterns_of: Callable[[str], frozenset[str]]
    _passed: dict[tuple[str, ...], Passed] = field(default_factory=dict)

    @classmethod
    def of(cls, gate: Gate) -> CheckRules:
        """The rules of `gate`."""
        return cls(gate, check_roles(gate), check_patterns(gate))

    def count(self, passed: tuple[str, ...]) -> Passed:
        """The checks named in `passed`, as they count at this gate; cached."""
        if passed not in self._passed:
            required = [check for check in passed if self.role_of(check) is CheckRole.ALWAYS]
            optional = [check for check in passed if self.role_of(check) is CheckRole.WHEN_RUN]
            patterns = frozenset[str]().union(*map(self.patterns_of, required))
            self._passed[passed] = Passed(len(required) + len(optional), frozenset(optional), patterns)
        return self._passed[passed]


def matches(check: str, patterns: Iterable[str]) -> bool:
    """True if any of `patterns` matches `check`."""
    return any(fnmatchcase(check, pattern) for pattern in patterns)
