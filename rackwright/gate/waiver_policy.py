"""Decides which waivers count: how long a waiver holds, who may grant it, and how many persons must agree.

A waiver that does not count stays in its file and is named with the reason; a row that could never count is refused
when the file is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from rackwright.base import content
from rackwright.gate.gates import load_file
from rackwright.gate.waiver_keys import ApproverKeys, SignerOf, approver_keys, signer_of_nobody
from rackwright.model.gate import Waiver
from rackwright.model.site import Acceptance

WaiverKey = tuple[str, str, str]
"""Check, node and part of a waiver."""


@dataclass(frozen=True)
class WaiverPolicy:
    """Requirements for waivers by ``gates.yaml`` and the site."""

    days: int
    """Longest validity of a waiver in days."""
    approvals: int = 1
    """Number of persons who must have agreed, including the one who granted it."""
    approvers: Sequence[str] = ()
    """Persons who may grant and confirm a waiver; empty: anyone who writes the file."""
    counts: Mapping[str, str] = field(default_factory=dict)
    """Checks whose waivers must name a part or a reading -> the reason."""
    keys: ApproverKeys = field(default_factory=ApproverKeys)
    """Keys of the approvers that have one."""


def waiver_policy(
    acceptance: Acceptance,
    roots: content.Roots | None = None,
    *,
    site: str = "",
    signer_of: SignerOf = signer_of_nobody,
) -> WaiverPolicy:
    """The policy of `site`; without `signer_of` all approvers with a key count as not having signed.

    ProblemsError for an invalid ``gates.yaml``.
    """
    tables, _ = load_file(roots=roots)
    [terms] = [row.record for row in tables["waivers"]]
    return WaiverPolicy(
        days=min(acceptance.policy.waiver_days or terms.days, terms.most_days),
        approvals=acceptance.policy.waiver_approvals,
        approvers=tuple(approver.name for approver in acceptance.approvers),
        counts={row.record.check: row.record.why for row in tables["counts"]},
        keys=approver_keys(acceptance, site, signer_of),
    )


def last_day(waiver: Waiver, policy: WaiverPolicy) -> date:
    """The last day on which `waiver` counts: its end date, or earlier if it exceeds the longest validity of the policy."""
    if not waiver.since:
        return waiver.last_day
    return min(waiver.last_day, date.fromisoformat(waiver.since) + timedelta(days=policy.days))


def in_force(waivers: Iterable[Waiver], policy: WaiverPolicy, today: date) -> list[Waiver]:
    """The waivers that count on `today`."""
    return [waiver for waiver in waivers if not void_reason(waiver, policy, today)]


def void_reasons(waivers: Iterable[Waiver], policy: WaiverPolicy, today: date) -> dict[WaiverKey, str]:
    """Key of each waiver that does not count on `today` -> the reason."""
    reasons = {waiver.key: void_reason(waiver, policy, today) for waiver in waivers}
    return {key: reason for key, reason in reasons.items() if reason}


def void_waivers(waivers: Iterable[Waiver], policy: WaiverPolicy, today: date) -> list[str]:
    """One sentence for every waiver that does not count on `today`."""
    return [
        f"{waiver.node}: the waiver of {waiver.check} by {waiver.by} {reason}"
        for waiver in waivers
        if (reason := void_reason(waiver, policy, today))
    ]


def void_reason(waiver: Waiver, policy: WaiverPolicy, today: date) -> str:
    """Why `waiver` does not count on `today`; empty if it does."""
    if waiver.last_day < today:
        return f"ended on {waiver.until} and no longer holds"
    if waiver.since > today.isoformat():
        return f"holds from {waiver.since}, not before"
    if last_day(waiver, policy) < today:
        return f"of {waiver.since} ended on {last_day(waiver, policy)}: one holds for {policy.days} days; waive again if it must go on"
    length = (waiver.last_day - today).days
    if not waiver.since and length > policy.days:
        return f"does not count: it holds for {length} days more, {policy.days} are allowed, and no `since` says from when; waive again"
    missing = policy.approvals - 1 - len(waiver.approved_by)
    if missing > 0:
        who = "another approver" if missing == 1 else f"{missing} other approvers"
        return f"does not count before {who} confirmed it: rackwright waive SITE --approve"
    return ""
