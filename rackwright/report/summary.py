"""The first page of a report: the capacity handed over, the extent of the examination, and the conditions.

Capacity is the data-sheet value of the SKUs times the accepted nodes; measured values are printed elsewhere, beside their limits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from rackwright.model.handover import Handover
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from rackwright.report import view
from rackwright.report.cards import Fact, GateLine, Summary, WaiverLine
from rackwright.report.view import NodeStatus


def summary(handover: Handover, covered: Sequence[view.ReportNode]) -> Summary:
    """The facts and the capacity."""
    judged = [verdict for node in covered for verdict in node.verdicts]
    counts = Counter(verdict.outcome for verdict in judged)
    outcomes = ", ".join(f"{counts[record]:,} {record.value.replace('_', ' ')}" for record in Outcome if counts[record])
    measured = sum(verdict.value is not None for verdict in judged)
    waived = sum(verdict.waived for verdict in judged)
    times = sorted(parse_time(record.taken) for record in handover.evidence.values() if record.taken)
    open_gates = sum(record.open for record in handover.groups)
    facts = [
        Fact(
            name="Verdicts",
            value=f"{len(judged):,} by {len({record.check for record in judged})} checks: {outcomes or 'none'}",
        ),
        Fact(name="Measured", value=f"{measured:,} values beside their limit"),
        Fact(name="Waived findings", value=f"{waived}" if waived else "none"),
    ]
    if handover.groups:
        facts.append(
            Fact(name="Gates", value=f"{open_gates} of {len(handover.groups)} open for racks, fabrics, pools and site")
        )
    if times:
        facts.append(Fact(name="Evidence taken", value=_span(times[0], times[-1])))
    dated = [decision for decision in handover.decisions if decision.evidence]
    if dated:
        oldest = min(dated, key=lambda decision: parse_time(handover.evidence[decision.node].taken))
        facts.append(Fact(name="Oldest evidence", value=f"{oldest.node}: {oldest.evidence}"))
    return Summary(facts=facts, capacity=_capacity(handover, covered))


def _span(first: datetime, last: datetime) -> str:
    start, end = (f"{time:%Y-%m-%d %H:%M}" for time in (first, last))
    return f"{start} UTC" if start == end else f"{start} to {end} UTC"


def _capacity(handover: Handover, covered: Sequence[view.ReportNode]) -> list[Fact]:
    """Accelerators of accepted nodes by SKU, with their memory and dense BF16 performance."""
    counts: Counter[str] = Counter()
    for node in covered:
        server = handover.design.servers.get(node.sku)
        if node.status is NodeStatus.ACCEPTED and server is not None and server.accelerator:
            counts[server.accelerator] += server.accelerators
    facts = []
    for sku, count in sorted(counts.items()):
        part = handover.design.accelerators[sku]
        facts.append(Fact(name=f"{part.manufacturer} {part.model}", value=f"{count:,} accelerators"))
        facts.append(Fact(name="Accelerator memory", value=f"{count * part.memory_gib / 1024:,.1f} TiB"))
        if part.bf16_dense_tflops:
            facts.append(
                Fact(name="BF16, dense", value=f"{count * part.bf16_dense_tflops / 1000:,.1f} PFLOPS by data sheet")
            )
    return facts


def gates(handover: Handover) -> list[GateLine]:
    """Each gate's decision on racks, fabrics, pools and the site."""
    names = ("gate", "scope", "group", "open", "reason")
    return [GateLine(**decision.model_dump(include=set(names))) for decision in handover.groups]


def waivers(handover: Handover) -> list[WaiverLine]:
    """The waivers of the site, earliest end first; days are counted from the date of the report."""
    today = parse_time(handover.created).date()
    used = {(decision.node, check) for decision in handover.decisions for check in decision.waived}
    lines = [
        WaiverLine(
            **waiver.model_dump(),
            days_left=(handover.waiver_ends.get(waiver.key, waiver.last_day) - today).days,
            void=handover.void_waivers.get(waiver.key, ""),
            used=(waiver.node, waiver.check) in used,
        )
        for waiver in handover.waivers
    ]
    return sorted(lines, key=lambda line: (line.until, line.node, line.check, line.object))
