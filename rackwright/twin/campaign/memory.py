"""Stores answers and verdicts of earlier scenes, and reuses them while the values that they depend on are unchanged.

Without it, a campaign renders, parses and judges twelve nodes for each fault of one node.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from rackwright.collect.output import Ask, Output
from rackwright.collect.store.reading import Seen
from rackwright.collect.store.shared_by_nodes import SharedAnswers
from rackwright.model.design import Design
from rackwright.model.verdict import Verdict
from rackwright.twin.campaign.recorded_state import RecordedState, StateReads
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
    judged: dict[Hashable, list[Verdict]] = field(default_factory=dict)
    """By the hashes of the evidence."""
    site: tuple[Sequence[Seen], SharedAnswers] | None = None
    """The latest readings of machines that answer for others, and their layout."""

    def answer(self, answer: Answer, design: Design, state: State, machine: str, ask: Ask) -> Output:
        """The output of `answer`; a stored one if all values that it read are unchanged."""
        answers = self.answers.setdefault((machine, ask.collector, ask.subject), [])
        for read, output in answers:
            if read.still(state):
                return output
        recorded: Any = RecordedState(state)
        output = answer(design, recorded, machine, ask)
        del answers[1 : -ANSWERS + 2]
        answers.append((recorded.read, output))
        return output

    def verdicts(self, key: Hashable, judge: Callable[[], list[Verdict]]) -> list[Verdict]:
        """The verdicts of `judge`; stored ones for the same `key`."""
        if key not in self.judged:
            if len(self.judged) >= VERDICTS:
                self.judged.clear()
            self.judged[key] = judge()
        return self.judged[key]

    def shared(self, readings: Sequence[Seen], lay_out: Callable[[Sequence[Seen]], SharedAnswers]) -> SharedAnswers:
        """Result of `lay_out` for `readings`; stored while they are the same objects as in the previous scene."""
        if self.site is None or len(self.site[0]) != len(readings) or not all(map(is_, self.site[0], readings)):
            self.site = readings, lay_out(readings)
        return self.site[1]
