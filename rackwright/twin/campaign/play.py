"""One scene, from the state of the hardware to verdicts, by the parsers and checks of an acceptance.

In: a stage (design, nodes, date), a scene. Out: every verdict that is not a pass. Cut here because it is what worker processes run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rackwright import judge
from rackwright.collect import collector
from rackwright.collect.assemble import Header, assemble, readings
from rackwright.collect.chain import digest
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome, Verdict
from rackwright.twin import faults, observe
from rackwright.twin.campaign.scenes import Scene
from rackwright.twin.state import State, build

MANAGERS = ("slurm", "ufm")
"""Roles of the machines that answer for the whole site."""


@dataclass(frozen=True)
class Stage:
    """What all scenes share."""

    design: Design
    nodes: tuple[str, ...]
    """Accelerator nodes that are judged."""
    taken: str
    """ISO time at which the readings are said to be taken; software is judged by it."""

    @cached_property
    def checks(self) -> dict[str, Any]:
        """Every check, by id."""
        return judge.checks()

    @cached_property
    def limits(self) -> judge.LimitTable:
        """The limits that the checks ask."""
        return judge.limits()

    @property
    def machines(self) -> list[str]:
        """The judged nodes and those that answer for the site."""
        return [*self.nodes, *(node.name for role in MANAGERS for node in self.design.nodes(role))]


def play(stage: Stage, scene: Scene) -> list[Verdict]:
    """The verdicts of `scene` that are not a pass, in the order of the design."""
    state = faults.apply(build(stage.design, stage.machines, seed=scene.seed), scene.injected)
    seen = evidence(stage, state)
    verdicts = judge.run(stage.design, seen, stage.checks, stage.limits)
    return [verdict for verdict in verdicts if verdict.outcome != Outcome.PASS]


def evidence(stage: Stage, state: State) -> dict[str, NodeEvidence]:
    """The evidence of every machine of the stage, of reading and of load, as one run would have brought it."""
    library = collector.library()
    quiet, said = observe.outputs(stage.design, state, stage.machines)
    loaded, more = observe.outputs(stage.design, state, stage.machines, load=True)
    owed = {node: (*quiet.owed.get(node, ()), *loaded.owed.get(node, ())) for node in stage.machines}
    raw = ((output, digest(output.stdout)) for output in [*said, *more])
    return assemble(Header(stage.taken, owed, quiet.adapters), readings(raw, library), library)
