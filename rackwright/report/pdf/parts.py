"""The parts of the PDF about the whole: result, gates, waivers, refused nodes, measured values, method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Spacer, Table

from rackwright.model.times import minute_text, parse_time
from rackwright.model.verdict import Outcome
from rackwright.report import measured
from rackwright.report.amounts import format_value
from rackwright.report.cards import WaiverLine
from rackwright.report.finding_text import names_text
from rackwright.report.measured import MetricSpread
from rackwright.report.pdf import plot
from rackwright.report.pdf.style import BODY, HEADING, LEAD, LESSER, QUIET, TITLE, outcome, table, words
from rackwright.report.view import NodeStatus, Report

WIDTH = 515.0
"""Points between the margins of an A4 page."""


def cover(report: Report, digest: str) -> Iterator[Flowable]:
    """Title, headline, and the evidence behind it."""
    run = report.run
    yield words("Rehearsal of a handover" if report.rehearsal else "Handover report", QUIET)
    yield words(run.site, TITLE)
    yield words(f"{run.region}, run {run.id}, written {run.created}, rackwright {run.version}", QUIET)
    yield words(f"SHA-256 of report.json: {digest}", QUIET)
    yield words(report.result.headline, LEAD)
    for sentence in report.result.sentences:
        yield words(sentence)
    if report.summary is not None:
        capacity = [(fact.name, fact.value) for fact in report.summary.capacity]
        rows = [("Nodes accepted", f"{report.result.accepted} of {report.result.covered} covered"), *capacity]
        rows += [(fact.name, fact.value) for fact in report.summary.facts]
        yield Spacer(1, 6)
        yield table([], rows, [150, WIDTH - 150])
    accepted = [node.node for node in report.nodes if node.status is NodeStatus.ACCEPTED]
    if accepted:
        yield words("Would be accepted" if report.rehearsal else "Accepted", LESSER)
        yield words(names_text(accepted))


def gates(report: Report) -> Iterator[Flowable]:
    """Decisions of the gates, and the waivers."""
    if report.gates:
        yield words("Gates", HEADING)
        rows = [
            (gate.gate, f"{gate.scope} {gate.group}", "open" if gate.open else "CLOSED", gate.reason)
            for gate in report.gates
        ]
        yield table(["Gate", "For", "Is", "Because"], rows, [60, 120, 50, WIDTH - 230])
    yield words("Waivers", HEADING)
    if not report.waivers:
        yield words("Nothing is waived.")
        return
    rows = [
        (
            f"{gate.node} {gate.object}".strip(),
            gate.check,
            ", confirmed by ".join([gate.by, *gate.approved_by])
            + f": {gate.reason}"
            + (f" ({gate.ticket})" if gate.ticket else ""),
            f"{gate.until}, {_waiver_status(gate)}",
        )
        for gate in report.waivers
    ]
    yield table(["Node", "Check", "Accepted by, and why", "Until"], rows, [90, 110, WIDTH - 310, 110])


def _waiver_status(waiver: WaiverLine) -> str:
    if waiver.days_left < 0:
        return "over, covers nothing"
    return waiver.void or f"{waiver.days_left} days left"


def refused(report: Report) -> Iterator[Flowable]:
    """Refused nodes with all reasons."""
    yield words("Refused nodes", HEADING)
    rows = [
        (node.node, verdict.check, outcome(verdict.outcome), verdict.brief)
        for node in report.nodes
        if node.status is NodeStatus.REFUSED
        for verdict in node.verdicts
        if verdict.blocking
    ]
    if rows:
        yield table(["Node", "Check", "Outcome", "Finding"], rows, [62, 110, 55, WIDTH - 227])
    else:
        yield words("No node was refused.")


def isolation(report: Report) -> Iterator[Flowable]:
    """The latest search for faulty parts in every fabric."""
    if not report.isolation:
        return
    yield words("Isolation", HEADING)
    for search in report.isolation:
        yield words(f"{search.fabric}, {minute_text(parse_time(search.taken))}: {search.headline}")
        rows = [(fault.part, fault.node or "shared by nodes", fault.certain) for fault in search.faulty]
        if rows:
            yield table(["Faulty part", "Of node", "Certain to"], rows, [WIDTH - 200, 120, 80])
        for doubt in search.doubts:
            yield words(f"- {doubt}")


def platform(report: Report) -> Iterator[Flowable]:
    """What the platform stack brought to Kubernetes: components, queues, tenants."""
    if report.platform is None:
        return
    yield words(f"Kubernetes {report.platform.kubernetes}", HEADING)
    release = report.platform.kubernetes
    rows = [
        (part.name, part.version or release, ", ".join(part.serves) or "none") for part in report.platform.components
    ]
    yield table(["Component", "Release", "Kinds that the site uses"], rows, [90, 55, WIDTH - 145])
    for part in report.platform.components:
        if part.unproven:
            yield words(f"- The chart of {part.name} is unproven: {part.unproven}.")
    queues = [(queue.name, queue.quota, ", ".join(queue.takes) or "any") for queue in report.platform.queues]
    if queues:
        yield table(["Queue", "Quota", "Classes of jobs"], queues, [110, WIDTH - 230, 120])
    for tenant in report.platform.tenants:
        most = ", ".join(f"{number} {resource}" for resource, number in tenant.most.items()) or "no limit"
        members, classes = ", ".join(tenant.members) or "no members", ", ".join(tenant.classes) or "any"
        yield words(f"{tenant.name}: {members}; classes {classes}; at most {most}")
    for sentence in report.platform.jobs:
        yield words(f"- {sentence}")


def distributions(report: Report) -> Iterator[Flowable]:
    """Drawings, two side by side, and a table of the metrics that are equal everywhere."""
    spreads = measured.spreads(report.nodes)
    if not spreads:
        return
    yield words("Measured values", HEADING)
    yield words(
        "One mark per node, at the value that decided; the line is what it was compared with. A cross failed.", BODY
    )
    width = WIDTH / 2 - 8
    cells = [_figure(spread, width) for spread in spreads if not spread.even]
    for first in range(0, len(cells), 2):
        pair = cells[first : first + 2]
        yield KeepTogether([Table([pair + [""] * (2 - len(pair))], colWidths=[WIDTH / 2] * 2, hAlign="LEFT")])
    even = [
        (
            _title(spread),
            f"{format_value(spread.values[0])} {spread.unit}",
            ", ".join(map(format_value, spread.limits)),
            f"{len(spread.values)}",
        )
        for spread in spreads
        if spread.even
    ]
    if even:
        yield words("The same on every node", LESSER)
        yield table(["What", "Value", "Compared with", "Nodes"], even, [WIDTH - 260, 110, 100, 50])


def _title(spread: MetricSpread) -> str:
    return f"{spread.title}{f', {spread.about}' if spread.about else ''} ({spread.check})"


def _figure(spread: MetricSpread, width: float) -> list[Flowable]:
    range_text = f"{format_value(spread.values[0])} to {format_value(spread.values[-1])}, median {format_value(spread.median)} {spread.unit}"
    return [words(_title(spread), LESSER), words(range_text, QUIET), plot.drawing(spread, width)]


def method(report: Report) -> Iterator[Flowable]:
    """Checks with their counts and sources, parts that were not tested, evidence."""
    yield words("What was not tested", HEADING)
    for sentence in report.not_tested:
        yield words(f"- {sentence}")
    yield CondPageBreak(120)
    yield words("Method and limits", HEADING)
    yield words("Every check with its outcomes on the covered nodes and where its expected values come from.")
    counts: dict[str, Counter[Outcome]] = {}
    sources: dict[str, dict[str, None]] = {}
    for node in report.nodes:
        for verdict in node.verdicts:
            counts.setdefault(verdict.check, Counter())[verdict.outcome] += 1
            if verdict.source:
                sources.setdefault(verdict.check, {})[verdict.source] = None
    rows = [
        (
            f"{check.id}: {check.title}",
            _counts_text(counts.get(check.id, Counter())),
            "; ".join(list(sources.get(check.id, {}))[:2]),
        )
        for check in report.checks
    ]
    yield table(["Check", "Outcomes", "Expected values from"], rows, [170, 85, WIDTH - 255])
    yield words("Evidence", HEADING)
    yield words(
        f"{len(report.evidence):,} raw outputs, each identified by its SHA-256 in report.json, judged as described above. A signed "
        "bundle (`rackwright verify`) holds them all and finds any change."
    )


def _counts_text(counts: Counter[Outcome]) -> str:
    return ", ".join(f"{counts[outcome]} {outcome.value.replace('_', ' ')}" for outcome in Outcome if counts[outcome])


def signatures(report: Report) -> Iterator[Flowable]:
    """Lines to sign on; a rehearsal has none."""
    if report.rehearsal:
        yield words("Standing of this report", HEADING)
        yield words("This is a rehearsal on a digital twin. It is not to be signed and transfers nothing.")
        return
    lines = [(name, "", name, "") for name in ("Name", "Company", "Place, date", "Signature")]
    parts = [("Handed over by", "", "Accepted by", ""), *lines]
    yield KeepTogether(
        [
            words("Signatures", HEADING),
            words(f"{report.result.headline} The signatures cover the nodes listed as accepted."),
            Spacer(1, 10),
            table([], parts, [70, WIDTH / 2 - 90, 70, WIDTH / 2 - 70]),
        ]
    )
