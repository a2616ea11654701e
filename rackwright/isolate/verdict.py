"""The state of an isolation at any time: faulty, cleared, open and untested nodes, and every explanation that still fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rackwright.isolate.clearance import ExcludedFaults
from rackwright.isolate.parts import FaultPart
from rackwright.isolate.proof import CoverageProof


@dataclass(frozen=True)
class FaultyPart:
    """A faulty part; where no reading distinguishes several, it is one of them."""

    part: FaultPart
    probability: float
    """Posterior probability of this part, given every reading."""
    instead: tuple[tuple[FaultPart, float], ...] = ()
    """Alternatives that fit in its place, with their probabilities."""
    node: str = ""
    """The node it belongs to, which is certainly faulty; empty for shared parts."""
    loss: float | None = None
    """Mean loss of the bad tests of its node, as a share; None for shared parts."""
    frequency: float | None = None
    """Share of the tests of its node that were bad; None for shared parts."""


@dataclass(frozen=True)
class Explanation:
    """One set of faulty parts that explains readings without a faulty node."""

    parts: tuple[FaultPart, ...]
    """Empty: nothing is faulty, and the bad readings were disturbed."""
    probability: float


@dataclass(frozen=True)
class ClearedNodes:
    """Nodes whose tests exclude the same faults (95 %)."""

    reach: ExcludedFaults
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class IsolationVerdict:
    """The result; each node is exactly one of faulty, cleared, open and untested."""

    faulty_parts: tuple[FaultyPart, ...]
    faulty: tuple[str, ...]
    """Faulty nodes, whichever of their parts is faulty."""
    cleared: tuple[str, ...]
    open: tuple[tuple[str, float], ...]
    """Undecided nodes with their fault probabilities."""
    untested: tuple[str, ...]
    """Nodes without any test that ran."""
    explanations: tuple[Explanation, ...]
    """Explanations of bad readings without a faulty node, most probable first."""
    unproven: tuple[FaultPart, ...]
    """Parts of cleared nodes without a good reading: every test of them met a faulty part."""
    not_run: tuple[tuple[tuple[str, ...], str], ...]
    """Tests that did not run: their nodes, and why. They are not evidence about any part."""
    coverage: CoverageProof
    """Coverage by the tests that ran."""
    references: tuple[str, ...]
    """Nodes with the highest and steadiest readings: partners for later tests."""
    tests: int
    rounds: int
    complete: bool
    """Whether no further test is needed; False after a deadline."""
    clearances: tuple[ClearedNodes, ...] = ()
    """What the tests of the cleared nodes would have shown."""
    ties: tuple[tuple[str, ...], ...] = ()
    """Open nodes of which some are faulty, where no test is left that could show which."""
    suspects: tuple[str, ...] = ()
    """Open nodes of bad tests that nothing explains."""
    slow: tuple[tuple[str, float], ...] = ()
    """Open nodes that lose less than a fault, with the mean loss of their bad tests."""
    offset: float = 0.0
    """What all nodes lose together, as a share of the expected value."""

    @property
    def clean(self) -> bool:
        """No faulty, open or untested node, no loss of all nodes together, and every part of every node has a good reading."""
        unresolved = self.faulty_parts or self.open or self.untested or self.unproven
        return not unresolved and self.complete and not self._doubt and not self.offset

    @property
    def _doubt(self) -> bool:
        return any(explanation.parts for explanation in self.explanations[:1])

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return {
            "clean": self.clean,
            "complete": self.complete,
            "tests": self.tests,
            "rounds": self.rounds,
            "found": [
                {
                    **part_as_dict(fault.part),
                    "probability": round(fault.probability, 4),
                    "node": fault.node or None,
                    "loss": fault.loss,
                    "frequency": fault.frequency,
                    "instead": [
                        {**part_as_dict(part), "probability": round(share, 4)} for part, share in fault.instead
                    ],
                }
                for fault in self.faulty_parts
            ],
            "faulty_nodes": list(self.faulty),
            "open": [{"node": node, "probability": round(share, 4)} for node, share in self.open],
            "untested": list(self.untested),
            "cleared": list(self.cleared),
            "clearances": [{**vars(cleared.reach), "nodes": list(cleared.nodes)} for cleared in self.clearances],
            "ties": [list(nodes) for nodes in self.ties],
            "suspects": list(self.suspects),
            "slow": [{"node": node, "loss": round(loss, 4)} for node, loss in self.slow],
            "offset": round(self.offset, 4),
            "explanations": [
                {
                    "parts": [part_as_dict(part) for part in explanation.parts],
                    "probability": round(explanation.probability, 4),
                }
                for explanation in self.explanations
            ],
            "unproven": [part_as_dict(part) for part in self.unproven],
            "not_run": [{"nodes": list(nodes), "why": why} for nodes, why in self.not_run],
            "references": list(self.references),
            "coverage": proof_as_dict(self.coverage),
        }


def part_as_dict(part: FaultPart) -> dict[str, Any]:
    """A part as plain data."""
    return (
        {"kind": part.kind, "one_of": list(part.names)}
        if len(part.names) > 1
        else {"kind": part.kind, "name": part.names[0]}
    )


def proof_as_dict(covered: CoverageProof) -> dict[str, Any]:
    """A proof of coverage as plain data."""
    return {
        "complete": covered.complete,
        "assumption": covered.assumption,
        "least_load": covered.least_load,
        "flows_without_way": covered.flows_without_way,
        "pairs": covered.pairs,
        "pairs_met": covered.pairs_met,
        "advice": [vars(advice) for advice in covered.advice],
        "kinds": [vars(kind) for kind in covered.kinds],
        "untested": [
            {**part_as_dict(part.part), "tests": part.tests, "partners": part.partners, "why": part.why}
            for part in covered.untested
        ],
    }
