"""Finds the slow part if each reading involves several parts.

A part that reached the bound in one trial is good: nothing in that trial was slow. A part that failed with two
partners, or with a partner that is good, is bad, unless those partners explain the readings themselves: two independent
partners before a node is condemned (oracle-quickstart/oci-hpc, multi-node check, read 2026-07-29). With one partner of
unknown state it is a suspect. If every part of a slow trial is good elsewhere, the parts are bad together: the fault is
a cable or a port between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class JointReading:
    """One reading that involves several parts."""

    parts: frozenset[str]
    low: bool
    says: str
    """The reading in words."""


@dataclass
class Blame:
    """The state of one part, as concluded from the trials."""

    state: str = "unseen"
    """``good``, ``bad``, ``suspect``, ``pair`` (bad together with another) or ``unseen`` (in no trial)."""
    says: list[str] = field(default_factory=list)
    """The readings that decided, in words."""
    partners: list[str] = field(default_factory=list)
    """Other parts of those trials."""


def blame_parts(parts: Sequence[str], trials: Sequence[JointReading]) -> Mapping[str, Blame]:
    """The state of every part of `parts`."""
    good = {part for trial in trials if not trial.low for part in trial.parts}
    certain = {part for trial in trials if trial.low for part in trial.parts if trial.parts - {part} <= good} - good
    by_part: dict[str, list[JointReading]] = {part: [] for part in parts}
    for trial in trials:
        for part in trial.parts & by_part.keys():
            by_part[part].append(trial)
    return {part: _blame_of(part, some, good, certain) for part, some in by_part.items()}


def _blame_of(part: str, trials: Sequence[JointReading], good: set[str], certain: set[str]) -> Blame:
    low = [trial for trial in trials if trial.low]
    if not trials:
        return Blame()
    if part in good:
        unexplained = [trial for trial in low if trial.parts <= good]
        return (
            _blamed("pair", part, unexplained)
            if unexplained
            else _blamed("good", part, [trial for trial in trials if not trial.low])
        )
    open_trials = [trial for trial in low if not trial.parts & certain - {part}]
    decided = part in certain or len(_partners(part, open_trials)) > 1
    return _blamed("bad" if decided else "suspect", part, low)


def _blamed(state: str, part: str, trials: Sequence[JointReading]) -> Blame:
    return Blame(state, [trial.says for trial in trials], _partners(part, trials))


def _partners(part: str, trials: Sequence[JointReading]) -> list[str]:
    return sorted({partner for trial in trials for partner in trial.parts} - {part})
