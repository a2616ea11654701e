"""What was found beside the refusals, each thing once: equal remarks of many nodes are one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.model.verdict import Outcome
from rackwright.report import words
from rackwright.report.view import Node

GRAVITY = [Outcome.FAIL, Outcome.DEGRADED, Outcome.INCONCLUSIVE, Outcome.NOT_RUN]
"""Order of the remarks."""


@dataclass(frozen=True)
class Remark:
    """One thing that refuses no node."""

    check: str
    outcome: Outcome
    brief: str
    waived: bool
    nodes: tuple[str, ...]

    @property
    def where(self) -> str:
        """The nodes, ranges as such."""
        return words.several(self.nodes)


def remarks(nodes: Sequence[Node]) -> list[Remark]:
    """Everything that is no pass and refuses nothing."""
    found: dict[tuple[str, Outcome, str, bool], list[str]] = {}
    for node in nodes:
        for one in node.verdicts:
            if one.outcome is not Outcome.PASS and not one.blocking:
                found.setdefault((one.check, one.outcome, one.brief, one.waived), []).append(node.node)
    told = [Remark(*key, nodes=tuple(names)) for key, names in found.items()]
    return sorted(told, key=lambda one: (GRAVITY.index(one.outcome), one.check, one.nodes))
