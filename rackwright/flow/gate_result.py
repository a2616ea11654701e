"""The result of the gate step: decisions, the actions on the schedulers, and the job on the accepted nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright import gate
from rackwright.flow.decision import GateDecision, GateRecord
from rackwright.model.gate import Decision, GroupDecision


@dataclass(frozen=True)
class GateResult:
    """Decisions and actions of the gate."""

    record: GateRecord
    """Input of the decision."""
    decision: GateDecision
    acts: tuple[gate.SchedulerAct, ...]
    proof: gate.JobProof | None
    """The job that accepted nodes ran; None if none was accepted."""
    void_waivers: tuple[str, ...] = ()
    unreached: str = ""
    """Why a scheduler could not be reached; empty if all were."""

    @property
    def decisions(self) -> Sequence[Decision]:
        """The decision on each node."""
        return self.decision.nodes

    @property
    def groups(self) -> Sequence[GroupDecision]:
        """Whether each gate is open for racks, fabrics, pools and the site."""
        return self.decision.groups

    @property
    def answered(self) -> tuple[str, ...]:
        """Nodes that ran the job."""
        return self.proof.answered if self.proof else ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on the result of the job, on an unreachable scheduler, and on nodes that the scheduler did not
        change as decided.
        """
        why = (
            "no job was run"
            if any(decision.accepted for decision in self.decisions)
            else "no node was accepted, so no job was run"
        )
        job = self.proof.says if self.proof else why
        unreached = (self.unreached,) if self.unreached else ()
        return (job, *unreached, *(act.says for act in self.acts if not act.done))
