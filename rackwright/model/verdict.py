"""Outcomes and verdicts. Judging fails closed: only what was shown to be good is `PASS`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypedDict

from pydantic import ConfigDict, Field

from rackwright.model.base import Record

SUBJECT = "\0subject\0"
"""Stands for the name of the node in the sentence of a finding that many nodes share; no tool prints such a word."""


class Outcome(StrEnum):
    """The five outcomes, everywhere."""

    PASS = "pass"
    DEGRADED = "degraded"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    """Ran, but cannot be judged: tool error, path not proven, no limit for this model, a crash of the check."""
    NOT_RUN = "not_run"
    """The reading was never taken."""


class Unlimited(Record):
    """A reading for which there is no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str
    key: dict[str, str]
    """What the limit would be keyed by, beside the kind of node."""
    value: float
    """Of the worst part."""


class Finding(Record):
    """The result of a check: one sentence with subject, observed, expected and source."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    outcome: Outcome
    observed: str
    expected: str
    source: str
    """Where the expected value comes from (SKU, site field, limits row, with date)."""
    says: str
    next_step: str = ""
    """What to do about it; empty where the check's text says it."""
    value: float | None = None
    """The number that decided, of the worst part when there are several; None where the check judges no number."""
    unit: str = ""
    """Of `value` and `limit` (``GB/s``, ``celsius``, ``us``)."""
    limit: float | None = None
    """The number that `value` was compared with."""
    metric: str = ""
    """Metric of the limits that `value` is a reading of (``bandwidth.hbm``); empty where there is none."""
    key: dict[str, str] = Field(default_factory=dict)
    """Key of that limit (``{collective: all_reduce, size: 1GiB}``)."""
    unlimited: list[Unlimited] = Field(default_factory=list)
    """Readings that could not be judged for want of a limit, or were by an advisory one: a site may calibrate one from them. Not part of a verdict."""
    advisory: bool = Field(default=False, exclude_if=lambda advisory: not advisory)
    """True when the limit that decided is advisory: the finding is shown, and refuses nobody."""


class Decided(TypedDict, total=False):
    """The optional fields of a finding."""

    next_step: str
    value: float | None
    unit: str
    limit: float | None
    metric: str
    key: dict[str, str]
    unlimited: list[Unlimited]
    advisory: bool


UNDECIDED = Decided(next_step="", value=None, unit="", limit=None, metric="", key={}, unlimited=[], advisory=False)
"""Those of a finding that has none of them, in their order."""


def verdict_fields(finding: Finding) -> dict[str, Any]:
    """The fields that a finding and its verdict share."""
    fields = dict(finding)
    del fields["unlimited"]
    return fields


class Verdict(Record):
    """A finding with its place: which check, on what, from which evidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    check: str
    """Check id, equal to its path (``gpu.row_remap``)."""
    target: str
    """Node name."""
    title: str
    outcome: Outcome
    observed: str
    expected: str
    source: str
    says: str
    next_step: str = ""
    value: float | None = None
    """As in `Finding`."""
    unit: str = ""
    limit: float | None = None
    metric: str = ""
    key: dict[str, str] = {}
    advisory: bool = Field(default=False, exclude_if=lambda advisory: not advisory)
    evidence: list[str]
    """SHA-256 of the raw outputs it was judged from."""
