"""The passports of nodes in the PDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reportlab.platypus import CondPageBreak, Flowable

from rackwright.model.verdict import Outcome
from rackwright.report.amounts import amount
from rackwright.report.pdf.parts import WIDTH
from rackwright.report.pdf.style import HEADING, LESSER, QUIET, SMALL, outcome, table, words
from rackwright.report.view import Node

MOST = 64
"""Passports in the PDF: more would make it a book; report.json has all."""


def passports(nodes: Sequence[Node]) -> Iterator[Flowable]:
    """One passport after the other."""
    told = [node for node in nodes if node.parts or node.versions or node.taken]
    if not told:
        return
    yield words("Passports", HEADING)
    if len(told) > MOST:
        yield words(f"The first {MOST} of {len(told)} nodes; report.json has all.", QUIET)
    for node in told[:MOST]:
        yield CondPageBreak(170)
        yield from _passport(node)


def _passport(node: Node) -> Iterator[Flowable]:
    counts = Counter(one.outcome for one in node.verdicts)
    told = ", ".join(f"{counts[one]} {one.value.replace('_', ' ')}" for one in Outcome if counts[one])
    yield words(f"{node.node}: {node.status.value}", LESSER)
    yield words(
        f"{node.rack} U{node.unit}, {node.sku}, {node.accelerators} accelerators, evidence of {node.taken[:16]}; {told}",
        SMALL,
    )
    values = [one for one in node.verdicts if one.value is not None]
    if values:
        rows = [
            (
                one.title,
                amount(one.value or 0.0, one.unit),
                amount(one.limit, one.unit) if one.limit is not None else "",
                outcome(one.outcome),
            )
            for one in values
        ]
        yield table(["Measured", "Value", "Compared with", "Verdict"], rows, [WIDTH - 270, 110, 90, 70])
    bad = [one for one in node.verdicts if one.outcome not in (Outcome.PASS, Outcome.NOT_RUN)]
    for one in bad:
        yield words(
            f"{one.outcome.value.replace('_', ' ')}{' (waived)' if one.waived else ''}, {one.check}: {one.brief}", SMALL
        )
    for repair in node.repairs:
        yield words(f"{repair.at[:16]} {repair.part}: {repair.what} {repair.check} {repair.by} {repair.says}", SMALL)
    lines = [f"{one.place} {one.serial}" for one in node.parts]
    if lines:
        yield words("Serials: " + ", ".join(lines), QUIET)
    versions = [f"{one.name} {one.value}" for one in node.versions]
    if versions:
        yield words("Versions: " + "; ".join(versions), QUIET)
