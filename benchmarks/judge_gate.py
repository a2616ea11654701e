"""Judges stored evidence and decides on it as ``rackwright gate`` does, into a new ledger; nothing is done to a scheduler."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from rackwright.base.workspace import Workspace
from rackwright.collect import Store
from rackwright.flow import fleet_gate, pipeline, schedulers
from rackwright.flow.job import Job
from rackwright.ledger import Ledger
from rackwright.model.access import Access, Secret
from rackwright.model.design import Design
from rackwright.model.gate import Decision
from rackwright.model.node_verdicts import Verdicts

AT = datetime(2026, 11, 21, 13, tzinfo=UTC)
"""When the gate decides: after the evidence of `judge_store`."""
NOBODY = Access("", Path(), Path(), "", Secret(""), None)


class Silence:
    """Displays nothing of a run."""

    def start(self, step: str, total: int | None = None) -> None:
        """Nothing."""

    def advance(self, text: str, count: int = 1) -> None:
        """Nothing."""

    def end(self, step: str, outcome: str, sentence: str) -> None:
        """Nothing."""

    def note(self, sentence: str) -> None:
        """Nothing."""


def decide(plan: Design, folder: Path) -> tuple[Verdicts, Sequence[Decision]]:
    """The verdicts on every node with evidence below `folder`, and the decisions."""
    schedulers.apply_to_slurm = lambda *_, **__: ([], None)
    schedulers.apply_to_kubernetes = lambda *_, **__: ([], None, "")
    with tempfile.TemporaryDirectory() as scratch, closing(Ledger(f"sqlite:///{scratch}/ledger.db")) as ledger:
        run = ledger.begin(plan.site.site, "gate", {})
        # The site file is looked at for waivers alone, and large sites have none.
        opened = Job(Path(), plan, (), NOBODY, Workspace(Path(scratch)), ledger, run, Silence(), lambda: AT)
        job, verdicts, facts = fleet_gate.judge_fleet(opened, folder)
        return verdicts, pipeline.decide_gates(job, facts, verdicts, Store(folder)).decisions
