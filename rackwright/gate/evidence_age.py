"""Evidence that is too old to open a gate, judged by the clock at the time of the decision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from rackwright.model.gate import AgeLimit, Gate, Hold
from rackwright.model.times import minute_text

RULE = "evidence.age"
HOUR = 3600
DAY = 24 * HOUR


def old_evidence(collected: Mapping[str, datetime], gate: Gate, now: datetime, machines: Iterable[str]) -> list[Hold]:
    """One hold per machine whose evidence is older than `gate` allows, or dated after `now`.

    `collected` is the time of the evidence by machine. A machine without evidence gets no hold: it has no verdict either.
    """
    limit = gate.evidence
    if limit is None:
        return []
    first, last = now - timedelta(hours=limit.hours), now + timedelta(minutes=limit.skew_minutes)
    return [
        Hold(node=name, rule=RULE, says=_refusal_sentence(collected[name], limit, now))
        for name in machines
        if name in collected and not first <= collected[name] <= last
    ]


def age_text(collected_at: datetime, limit: AgeLimit, now: datetime) -> str:
    """``evidence of 2026-11-01, 22 days old, 14 allowed``: rounded up, so that evidence that is too old never appears
    to be within the limit.
    """
    days = limit.hours * HOUR >= 3 * DAY
    unit = DAY if days else HOUR
    age = math.ceil(max((now - collected_at).total_seconds(), 0) / unit * 10) / 10
    return f"evidence of {collected_at.date()}, {age:g} {'days' if days else 'hours'} old, {limit.hours * HOUR / unit:g} allowed"


def validity_text(collected_at: datetime, limit: AgeLimit, now: datetime) -> str:
    """`age_text`, and the time until which the evidence counts."""
    return f"{age_text(collected_at, limit, now)}, until {minute_text(collected_at + timedelta(hours=limit.hours))}"


def _refusal_sentence(collected_at: datetime, limit: AgeLimit, now: datetime) -> str:
    if collected_at > now:
        return (
            f"the evidence was taken at {minute_text(collected_at)}, after this decision ({minute_text(now)}, "
            f"{limit.skew_minutes:g} minutes allowed): set the clock right, collect again"
        )
    return f"{age_text(collected_at, limit, now)}: collect again, and burn in again where that is the old part"
