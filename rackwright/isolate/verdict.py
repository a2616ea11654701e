"""What is known of a wiring at some time: found, cleared, open, untested, and every explanation that still fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rackwright.isolate.parts import Part
from rackwright.isolate.proof import Proof


@dataclass(frozen=True)
class Found:
    """A faulty part; where no reading tells several apart it is one of them."""

    part: Part
    probability: float
    """That it is this one, given every reading."""
    instead: tuple[tuple[Part, float], ...] = ()
    """What else fits in its place, and how probable that is."""
    node: str = ""
    """The node that it belongs to, which is faulty beyond doubt; empty for what nodes share."""


@dataclass(frozen=True)
class Explanation:
    """One set of faulty parts that fits what no faulty node explains."""

    parts: tuple[Part, ...]
    """Empty: nothing is faulty, and the bad readings were disturbed."""
    probability: float


@dataclass(frozen=True)
class Verdict:
    """Everything; each node is in exactly one of faulty, cleared, open and untested."""

    found: tuple[Found, ...]
    faulty: tuple[str, ...]
    """Nodes that are faulty, whatever of them is."""
    cleared: tuple[str, ...]
    open: tuple[tuple[str, float], ...]
    """Nodes of which the readings fit both, and how probable it is that they are faulty."""
    untested: tuple[str, ...]
    """Nodes of which no test ran."""
    explanations: tuple[Explanation, ...]
    """Of bad readings that no faulty node explains, the most probable first."""
    unproven: tuple[Part, ...]
    """Parts of cleared nodes that stand in no good reading: something faulty is always in the way."""
    not_run: tuple[tuple[tuple[str, ...], str], ...]
    """Tests that did not run: their nodes, and why. They say nothing of any part."""
    coverage: Proof
    """Of the tests that ran."""
    references: tuple[str, ...]
    """Nodes with the best and steadiest readings: partners for what comes later."""
    tests: int
    rounds: int
    complete: bool
    """Whether nothing more would be asked; False after a deadline."""

    @property
    def clean(self) -> bool:
        """Nothing found, nothing open, nothing untested, and no part of a node without a good reading."""
        left = self.found or self.open or self.untested or self.unproven
        return not left and self.complete and not self._doubt

    @property
    def _doubt(self) -> bool:
        return any(one.parts for one in self.explanations[:1])

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return {
            "clean": self.clean,
            "complete": self.complete,
            "tests": self.tests,
            "rounds": self.rounds,
            "found": [
                {
                    **said(one.part),
                    "probability": round(one.probability, 4),
                    "node": one.node or None,
                    "instead": [{**said(part), "probability": round(share, 4)} for part, share in one.instead],
                }
                for one in self.found
            ],
            "faulty_nodes": list(self.faulty),
            "open": [{"node": node, "probability": round(share, 4)} for node, share in self.open],
            "untested": list(self.untested),
            "cleared": list(self.cleared),
            "explanations": [
                {"parts": [said(part) for part in one.parts], "probability": round(one.probability, 4)}
                for one in self.explanations
            ],
            "unproven": [said(one) for one in self.unproven],
            "not_run": [{"nodes": list(nodes), "why": why} for nodes, why in self.not_run],
            "references": list(self.references),
            "coverage": proof(self.coverage),
        }


def said(part: Part) -> dict[str, Any]:
    """A part as plain data."""
    return (
        {"kind": part.kind, "one_of": list(part.names)}
        if len(part.names) > 1
        else {"kind": part.kind, "name": part.names[0]}
    )


def proof(covered: Proof) -> dict[str, Any]:
    """A proof of coverage as plain data."""
    return {
        "complete": covered.complete,
        "assumption": covered.assumption,
        "least_load": covered.least_load,
        "flows_without_way": covered.flows_without_way,
        "pairs": covered.pairs,
        "pairs_met": covered.pairs_met,
        "advice": [vars(one) for one in covered.advice],
        "kinds": [vars(one) for one in covered.kinds],
        "untested": [
            {**said(one.part), "tests": one.tests, "partners": one.partners, "why": one.why} for one in covered.untested
        ],
    }
