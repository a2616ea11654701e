"""Stores answers and verdicts of earlier scenes, and reuses them while the values that they depend on are unchanged.

Without it, a campaign renders, parses and judges twelve nodes for each fault of one node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rackwright.collect.output import Ask, Output
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.records import reading_name
from rackwright.model.verdict import Verdict
from rackwright.twin.campaign.recorded_state import StateReads, record_reads
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Answer

ANSWERS = 4
"""Answers stored per request: that of the healthy site, and those of the latest scenes."""
VERDICTS = 20_000
"""Evidence records whose verdicts are stored."""


@dataclass
class SceneMemory:
    """Answers and verdicts that one process has computed for one stage."""

    answers: dict[tuple[str, str, str], list[tuple[StateReads, Output]]] = field(default_factory=dict)
    """By machine, collector and subject."""
    judged: dict[tuple[object, ...], list[Verdict]] = field(default_factory=dict)
    """By node and the hashes of its evidence."""

    def answer(self, answer: Answer, design: Design, state: State, machine: str, ask: Ask) -> Output:
        """The output of `answer`; a stored one when all values that it read are the same."""
        answers = self.answers.setdefault((machine, ask.collector, ask.subject), [])
        for read, output in answers:
            if read.still(state):
                return output
        recorded = record_reads(state)
        output = answer(design, recorded, machine, ask)
        del answers[1 : -ANSWERS + 2]
        answers.append((recorded.read, output))
        return output

    def verdicts(self, evidence: NodeEvidence, judge: Callable[[NodeEvidence], list[Verdict]]) -> list[Verdict]:
        """The verdicts of `judge` on the evidence of one node; stored ones for equal evidence."""
        key = (
            evidence.node,
            evidence.taken,
            _sorted({reading_name(kind): raw for kind, raw in evidence.raw.items()}),
            _sorted(evidence.errors),
        )
        if key not in self.judged:
            if len(self.judged) >= VERDICTS:
                self.judged.clear()
            self.judged[key] = judge(evidence)
        return self.judged[key]


def _sorted(texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(texts.items()))
