"""The data of a handover: everything the report prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.gate import Decision, GroupDecision, Waiver
from rackwright.model.isolation import Isolated
from rackwright.model.platform_record import PlatformRecord
from rackwright.model.repair import Part, PartEvent
from rackwright.model.verdict import Verdict


@dataclass(frozen=True)
class StepResult:
    """One step of the flow as recorded in the ledger."""

    step: str
    outcome: str
    """``done``, ``failed``, ``skipped``, ``resumed``."""
    seconds: float
    detail: str


@dataclass(frozen=True)
class Handover:
    """Input of the report."""

    design: Design
    nodes: tuple[str, ...]
    """The nodes that this run covered."""
    design_verdicts: tuple[Verdict, ...]
    verdicts: tuple[Verdict, ...]
    decisions: tuple[Decision, ...]
    steps: tuple[StepResult, ...]
    jobs: tuple[str, ...]
    """Sentences on the jobs that accepted nodes ran."""
    not_tested: tuple[str, ...]
    """What was not tested, one sentence each."""
    rehearsal: dict[str, Any] | None
    """For a rehearsal: ``injected`` and ``found`` (lists of sentences), ``sentences`` (the result), ``as_injected`` (bool)."""
    run_id: str
    created: str
    """ISO time in UTC."""
    version: str
    seen_links: Mapping[str, NodeFabric] = field(default_factory=dict)
    """By node: where its adapters were seen in the fabric; the drawing marks what differs from the plan."""
    evidence: Mapping[str, NodeEvidence] = field(default_factory=dict)
    """By node: its evidence, for the versions in its passport."""
    parts: Mapping[str, Sequence[Part]] = field(default_factory=dict)
    """By node: its parts with serials."""
    history: tuple[PartEvent, ...] = ()
    """Events of parts of the site, oldest first."""
    groups: tuple[GroupDecision, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    """All of the site, those that are over included."""
    waiver_ends: Mapping[tuple[str, str, str], date] = field(default_factory=dict)
    """By `Waiver.key`: the last day on which it counts, where that is not its own end."""
    void_waivers: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """By `Waiver.key`: why it did not count, for those that did not."""
    isolations: tuple[Isolated, ...] = ()
    """Every search for faulty parts that was kept."""
    platform: PlatformRecord | None = None
    """What Kubernetes got from the site; None where no stack was applied."""
