"""The gate: the requirements before a node may join, and the decisions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Literal

from rackwright.model.base import Record
from rackwright.model.capability import Capability

Scope = Literal["node", "rack", "fabric", "cluster", "site"]
"""What a gate opens for: one node, all nodes of a rack, of an InfiniBand fabric, of a pool, or the whole site."""


class AgeLimit(Record):
    """How old evidence may be when a gate decides."""

    hours: float
    most_hours: float
    """As far as a site may widen `hours` (``acceptance.policy.evidence_hours``)."""
    skew_minutes: float
    """How far after the decision evidence may be dated, because the clocks of two machines differ."""
    why: str
    """Where the numbers come from."""


class Gate(Record):
    """A gate of ``validators/gates.yaml`` with all requirements of the gates before it; patterns are globs over check ids."""

    name: str
    allow_degraded: bool
    checks: list[str]
    """Each must match at least one verdict of a node, and every verdict that it matches must open (``gpu.*``)."""
    scope: Scope = "node"
    where: dict[Capability, list[str]] = {}
    """As `checks`, for nodes whose accelerators have the capability."""
    where_they_apply: list[str] = []
    """As `checks`, for nodes that have such a part: a node to which no such check applies is not refused for it."""
    when_run: list[str] = []
    """Tests that a campaign may leave out: a verdict decides like any other, one that was not run is named as untested."""
    closes: list[str] = []
    """Of the checks that decide, those that tell of the whole rack, fabric, pool or site: it stays closed while a node is refused by one,
    whatever `share` allows."""
    advisory: list[str] = []
    """Check ids that are reported and decide nothing, whatever pattern matches them."""
    share: float = 1.0
    """Of the covered nodes of a rack, fabric, pool or site, how many must have passed for the whole to open (0 to 1)."""
    coverage: float = 0.0
    """Of the planned cables of the covered nodes in a fabric, how many must have been seen (0 to 1)."""
    evidence: AgeLimit | None = None
    """Age by the clock beyond which evidence no longer counts; every gate of a file has it."""
    holds: bool = False
    """Whether a rack, fabric, pool or site that stays closed keeps its good nodes out, too."""

    def required(self, capabilities: Iterable[Capability] | None = None) -> list[str]:
        """The patterns of `checks`, and those of `where` for `capabilities` (None: all of them)."""
        chosen = self.where if capabilities is None else capabilities
        return list(
            dict.fromkeys([*self.checks, *(pattern for name in chosen for pattern in self.where.get(name, []))])
        )


class Waiver(Record):
    """A named person accepts a failed check on a node, with a reason and an end."""

    check: str
    node: str
    object: str = ""
    """One part of the node as the findings name it (``GPU 3``, ``mlx5_4``, a serial); empty: whatever the check found."""
    reason: str
    by: str
    until: str
    """ISO date; the waiver is void after it."""
    ticket: str = ""
    since: str = ""
    """ISO date on which it was granted; a waiver without it counts only in the days before its end that policy allows."""
    approved_by: list[str] = []
    """Persons who confirmed it, beside `by`."""

    @property
    def last_day(self) -> date:
        """`until` as a date. Raises ValueError if it is malformed; `rackwright.gate.load_waivers` refuses such a row."""
        return date.fromisoformat(self.until)

    @property
    def key(self) -> tuple[str, str, str]:
        """(check, node, part): two waivers with the same key are refused."""
        return self.check, self.node, self.object


class WaiverSignature(Record):
    """A signature of an approver below a waiver, as it stands beside the waivers."""

    approver: str
    check: str
    node: str
    object: str = ""
    key: str
    """The public key: SubjectPublicKeyInfo in base64."""
    signature: str
    """Of the waiver in the words of `signed_content`, in a DSSE envelope; hex."""


class WaiverTerms(Record):
    """How long one waiver may hold."""

    days: int
    most_days: int
    """As far as a site may lengthen `days` (``acceptance.policy.waiver_days``)."""
    why: str
    """Where the numbers come from."""


class Hold(Record):
    """The reason why a node is kept out although its verdicts would let it in."""

    node: str
    rule: str
    """Stable id (``evidence.age``, ``evidence.state``, ``repair.rejoin``, ``repair.replace``, ``gate.rack``)."""
    says: str
    """One sentence, without the name of the node."""


class Decision(Record):
    """Accepted or refused, with the checks that decided it."""

    node: str
    accepted: bool
    blocking: list[str]
    """Ids of the checks and rules that refuse it, in id order; empty when accepted."""
    reason: str
    """One line, fit for the scheduler's reason field."""
    waived: list[str] = []
    holds: list[Hold] = []
    untested: list[str] = []
    """Ids of tests that the gate would have counted, had they been run."""
    evidence: str = ""
    """Date and age of the oldest evidence of the node, the age allowed, and until when it counts; empty without evidence."""


class GroupDecision(Record):
    """Whether a gate is open for a rack, a fabric, a pool or the site."""

    gate: str
    scope: Scope
    group: str
    open: bool
    passed: int
    """Covered nodes that this gate lets through."""
    covered: int
    reason: str
    """One sentence with subject, observed and expected."""
