"""Answers and verdicts of earlier scenes, taken again where nothing that they follow from has changed.

Without this a campaign renders, parses and judges twelve nodes for each fault of one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rackwright.collect.output import Ask, Output
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.verdict import Verdict
from rackwright.twin.campaign.watched import Read, watched
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Answer

KEPT = 4
"""Answers that are kept of one question: that of the healthy site, and of the scenes before."""
MOST = 20_000
"""Verdicts of nodes that are kept."""


@dataclass
class Memory:
    """What one process has seen of one stage."""

    answers: dict[tuple[str, str, str], list[tuple[Read, Output]]] = field(default_factory=dict)
    """By machine, collector and subject."""
    judged: dict[tuple[object, ...], list[Verdict]] = field(default_factory=dict)
    """By node and the hashes of its evidence."""

    def answer(self, made: Answer, design: Design, state: State, machine: str, ask: Ask) -> Output:
        """What `made` answers, or what it answered when all that it reads was the same."""
        kept = self.answers.setdefault((machine, ask.collector, ask.subject), [])
        for read, said in kept:
            if read.still(state):
                return said
        seen = watched(state)
        said = made(design, seen, machine, ask)
        del kept[1 : -KEPT + 2]
        kept.append((seen.read, said))
        return said

    def verdicts(self, seen: NodeEvidence, judge: Callable[[NodeEvidence], list[Verdict]]) -> list[Verdict]:
        """What `judge` says of the evidence of one node, or what it said of the same evidence."""
        key = (
            seen.node,
            seen.taken,
            _sorted({kind.__name__: raw for kind, raw in seen.raw.items()}),
            _sorted(seen.errors),
        )
        if key not in self.judged:
            if len(self.judged) >= MOST:
                self.judged.clear()
            self.judged[key] = judge(seen)
        return self.judged[key]


def _sorted(said: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(said.items()))
