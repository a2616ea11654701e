"""The first page of a report: what is handed over, how much of it was looked at, and on what conditions.

Capacity is that of the
data sheets of the SKUs, times what was accepted: what was measured is shown elsewhere, beside its limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from rackwright.model.handover import Handover
from rackwright.model.verdict import Outcome
from rackwright.report import view
from rackwright.report.cards import Fact, GateLine, Summary, WaiverLine
from rackwright.report.view import Status


def summary(handover: Handover, covered: Sequence[view.Node]) -> Summary:
    """The facts and the capacity."""
    judged = [verdict for node in covered for verdict in node.verdicts]
    counts = Counter(verdict.outcome for verdict in judged)
    told = ", ".join(f"{counts[one]:,} {one.value.replace('_', ' ')}" for one in Outcome if counts[one])
    measured = sum(verdict.value is not None for verdict in judged)
    waived = sum(verdict.waived for verdict in judged)
    taken = sorted(one.taken for one in handover.evidence.values() if one.taken)
    open_gates = sum(one.open for one in handover.groups)
    facts = [
        Fact(
            name="Verdicts", value=f"{len(judged):,} by {len({one.check for one in judged})} checks: {told or 'none'}"
        ),
        Fact(name="Measured", value=f"{measured:,} values beside their limit"),
        Fact(name="Waived findings", value=f"{waived}" if waived else "none"),
    ]
    if handover.groups:
        facts.append(
            Fact(name="Gates", value=f"{open_gates} of {len(handover.groups)} open for racks, fabrics, pools and site")
        )
    if taken:
        facts.append(Fact(name="Evidence taken", value=_span(taken[0], taken[-1])))
    return Summary(facts=facts, capacity=_capacity(handover, covered))


def _span(first: str, last: str) -> str:
    start, end = (text[:16].replace("T", " ") for text in (first, last))
    return f"{start} UTC" if start == end else f"{start} to {end} UTC"


def _capacity(handover: Handover, covered: Sequence[view.Node]) -> list[Fact]:
    """Accelerators of accepted nodes by SKU, with their memory and dense BF16 speed."""
    counts: Counter[str] = Counter()
    for node in covered:
        server = handover.design.servers.get(node.sku)
        if node.status is Status.ACCEPTED and server is not None and server.accelerator:
            counts[server.accelerator] += node.accelerators
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
    """What each gate says of racks, fabrics, pools and the site."""
    names = ("gate", "scope", "group", "open", "reason")
    return [GateLine(**one.model_dump(include=set(names))) for one in handover.groups]


def waivers(handover: Handover) -> list[WaiverLine]:
    """The waivers of the site, the ones that end first on top; days are counted from the day of the report."""
    today = date.fromisoformat(handover.created[:10])
    used = {(decision.node, check) for decision in handover.decisions for check in decision.waived}
    lines = [
        WaiverLine(
            **one.model_dump(),
            days_left=(date.fromisoformat(one.until) - today).days,
            used=(one.node, one.check) in used,
        )
        for one in handover.waivers
    ]
    return sorted(lines, key=lambda line: (line.until, line.node, line.check, line.object))
