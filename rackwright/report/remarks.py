"""Findings besides the refusals, without duplicates: equal remarks on many nodes share a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.model.verdict import Outcome
from rackwright.report import finding_text
from rackwright.report.view import ReportNode

GRAVITY = [Outcome.FAIL, Outcome.DEGRADED, Outcome.INCONCLUSIVE, Outcome.NOT_RUN]
"""Order of the remarks."""


@dataclass(frozen=True)
class Remark:
    """A finding that refuses no node."""

    check: str
    outcome: Outcome
    brief: str
    waived: bool
    nodes: tuple[str, ...]

    @property
    def where(self) -> str:
        """The nodes, with ranges."""
        return finding_text.names_text(self.nodes)


def remarks(nodes: Sequence[ReportNode]) -> list[Remark]:
    """Every finding that is not a pass and refuses nothing."""
    nodes_by_remark: dict[tuple[str, Outcome, str, bool], list[str]] = {}
    for node in nodes:
        for verdict in node.verdicts:
            if verdict.outcome is not Outcome.PASS and not verdict.blocking:
                nodes_by_remark.setdefault((verdict.check, verdict.outcome, verdict.brief, verdict.waived), []).append(
                    node.node
                )
    merged = [Remark(*key, nodes=tuple(names)) for key, names in nodes_by_remark.items()]
    return sorted(merged, key=lambda verdict: (GRAVITY.index(verdict.outcome), verdict.check, verdict.nodes))
