"""The passports of nodes in the PDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reportlab.platypus import CondPageBreak, Flowable

from rackwright.model.times import minute_text, parse_time
from rackwright.model.verdict import Outcome
from rackwright.report.amounts import amount
from rackwright.report.pdf.parts import WIDTH
from rackwright.report.pdf.style import HEADING, LESSER, QUIET, SMALL, outcome, table, words
from rackwright.report.view import ReportNode

MOST = 64
"""Passports in the PDF: more would make it a book; report.json has all."""


def passports(nodes: Sequence[ReportNode]) -> Iterator[Flowable]:
    """One passport after the other."""
    shown_nodes = [node for node in nodes if node.parts or node.versions or node.taken]
    if not shown_nodes:
        return
    yield words("Passports", HEADING)
    if len(shown_nodes) > MOST:
        yield words(f"The first {MOST} of {len(shown_nodes)} nodes; report.json has all.", QUIET)
    for node in shown_nodes[:MOST]:
        yield CondPageBreak(170)
        yield from _passport(node)


def _passport(node: ReportNode) -> Iterator[Flowable]:
    counts = Counter(verdict.outcome for verdict in node.verdicts)
    counts_text = ", ".join(f"{counts[kind]} {kind.value.replace('_', ' ')}" for kind in Outcome if counts[kind])
    yield words(f"{node.node}: {node.status.value}", LESSER)
    evidence_time = minute_text(parse_time(node.taken)) if node.taken else ""
    yield words(
        f"{node.rack} U{node.unit}, {node.sku}, {node.accelerators} accelerators, evidence of {evidence_time}; {counts_text}",
        SMALL,
    )
    values = [verdict for verdict in node.verdicts if verdict.value is not None]
    if values:
        rows = [
            (
                verdict.title,
                amount(verdict.value or 0.0, verdict.unit),
                amount(verdict.limit, verdict.unit) if verdict.limit is not None else "",
                outcome(verdict.outcome),
            )
            for verdict in values
        ]
        yield table(["Measured", "Value", "Compared with", "Verdict"], rows, [WIDTH - 270, 110, 90, 70])
    bad = [verdict for verdict in node.verdicts if verdict.outcome not in (Outcome.PASS, Outcome.NOT_RUN)]
    for verdict in bad:
        yield words(
            f"{verdict.outcome.value.replace('_', ' ')}{' (waived)' if verdict.waived else ''}, {verdict.check}: {verdict.brief}",
            SMALL,
        )
    for repair in node.repairs:
        yield words(
            f"{minute_text(parse_time(repair.at))} {repair.part}: {repair.what} {repair.check} {repair.by} {repair.says}",
            SMALL,
        )
    lines = [f"{part.place} {part.serial}" for part in node.parts]
    if lines:
        yield words("Serials: " + ", ".join(lines), QUIET)
    versions = [f"{fact.name} {fact.value}" for fact in node.versions]
    if versions:
        yield words("Versions: " + "; ".join(versions), QUIET)
