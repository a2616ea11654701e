"""The decision of the gates as a function of stored inputs: made by the gate, and repeated by whoever signs or verifies
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rackwright import attest, gate, judge
from rackwright.flow import isolation_results, part_history
from rackwright.flow.evidence_extract import GateExtract
from rackwright.flow.sealed_history import SealedHistory
from rackwright.judge.limits import LimitTable
from rackwright.model.design import Design
from rackwright.model.gate import Decision, GroupDecision, Waiver
from rackwright.model.node_verdicts import Verdicts
from rackwright.model.repair import PartEvent


@dataclass(frozen=True)
class GateRecord:
    """Input of the gates besides design, limits, evidence and verdicts."""

    nodes: tuple[str, ...]
    """The accelerator nodes to decide on."""
    now: datetime
    waivers: Sequence[Waiver]
    part_events: Sequence[PartEvent]
    """The history of the parts of the site before the decision, oldest first."""
    sealed: SealedHistory
    """Results of isolation, and the repairs among `part_events`."""


@dataclass(frozen=True)
class GateDecision:
    """The decision of the gates."""

    nodes: Sequence[Decision]
    groups: Sequence[GroupDecision]
    repairs: gate.RepairState
    """The state of the parts on which the decision is based."""


def waiver_policy(design: Design) -> gate.WaiverPolicy:
    """Requirements of the gates and the site for waivers, with the keys of its approvers."""
    site = design.site
    return gate.waiver_policy(site.acceptance, design.roots, site=site.site, signer_of=attest.waiver_signer)


def load_waivers(design: Design, site: Path) -> list[Waiver]:
    """The waivers of the site file `site`. Raises what `gate.load_waivers` raises."""
    waivers = design.site.acceptance.waivers
    names = [*(node.name for node in design.nodes()), *judge.plant_names(design)]
    policy = waiver_policy(design)
    return gate.load_waivers(
        site.parent / waivers if waivers else None, tuple(judge.load_checks(design.roots)), names, policy
    )


def void_waivers(design: Design, record: GateRecord) -> dict[gate.WaiverKey, str]:
    """Key of each waiver of `record` that did not count at the time of its decision -> the reason."""
    policy = waiver_policy(design)
    return gate.void_reasons(record.waivers, policy, record.now.date())


def void_sentences(design: Design, record: GateRecord) -> list[str]:
    """One sentence for every waiver of `record` that did not count at the time of its decision."""
    policy = waiver_policy(design)
    return gate.void_waivers(record.waivers, policy, record.now.date())


def decide(
    design: Design, limits: LimitTable, record: GateRecord, extract: GateExtract, verdicts: Verdicts
) -> GateDecision:
    """The decision of the whole chain of gates. Pure, except that the gates are read from the installed content."""
    repairs = part_history.repair_state(limits, record.part_events, extract)
    acceptance = design.site.acceptance
    chain = gate.load_chain(acceptance.gates, roots=design.roots, hours=acceptance.policy.evidence_hours)
    void = void_waivers(design, record)
    isolated = isolation_results.gate_inputs(
        design, record.nodes, record.now, record.sealed.isolations, extract.coverage
    )
    case = gate.GateInput(
        verdicts=verdicts,
        nodes=record.nodes,
        waivers=[waiver for waiver in record.waivers if waiver.key not in void],
        now=record.now,
        collected=extract.collected,
        members=gate.node_groups(design, record.nodes),
        capabilities=gate.node_capabilities(design, record.nodes),
        around=gate.plant_units(design, record.nodes),
        coverage=isolated.coverage,
        faults=isolated.faults,
        notes=isolated.notes,
        holds=[
            *gate.state_holds(extract.changed, record.nodes),
            *gate.repair_holds(repairs, verdicts, extract.collected, chain[-1]),
            *isolated.holds,
        ],
    )
    decisions, groups = gate.decide_all(chain, case)
    return GateDecision(decisions, groups, repairs)
