"""One scene, from the state of the hardware to verdicts, by the parsers and checks of an acceptance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rackwright import judge
from rackwright.collect import collector
from rackwright.collect.output import Output
from rackwright.collect.plan import Plan, plan
from rackwright.collect.store.assemble import Header, assemble
from rackwright.collect.store.hash_chain import digest
from rackwright.collect.store.reading import Reading, Seen, reading
from rackwright.model.check import Expectation, FleetCheck, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome, Verdict
from rackwright.twin import faults, tools
from rackwright.twin.campaign.memory import Memory
from rackwright.twin.campaign.place import Place, place
from rackwright.twin.campaign.scenes import Scene
from rackwright.twin.hardware.performance import groups
from rackwright.twin.hardware.state import State, build

KEPT = 20_000
"""Readings that a process remembers: those of a healthy site, and of some hundred scenes."""
_PARSED: dict[tuple[str, str, int | None, str], Reading] = {}
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
        return judge.load_checks()

    @cached_property
    def limits(self) -> judge.LimitTable:
        """The limits that the checks ask."""
        return judge.load_limits()

    @cached_property
    def machines(self) -> list[str]:
        """The judged nodes and those that answer for the site."""
        return [*self.nodes, *(node.name for role in MANAGERS for node in self.design.nodes(role))]

    @cached_property
    def healthy(self) -> State:
        """The state in which nothing is broken."""
        return build(self.design, self.machines)

    @cached_property
    def plans(self) -> dict[bool, Plan]:
        """What is asked in reading, and in load."""
        return {load: plan(self.design, self.machines, collector.library(), load=load) for load in (False, True)}

    @cached_property
    def expected(self) -> list[Expectation]:
        """What is expected of the machines."""
        taken = dict.fromkeys(self.machines, self.taken)
        return judge.expect(self.design, taken, self.limits, self.machines, must=self.machines)

    @cached_property
    def engine(self) -> judge.Engine:
        """The engine of all checks of single nodes, which shares findings between scenes."""
        alone = {name: one for name, one in judge.node_checks(self.checks).items() if not isinstance(one, FleetCheck)}
        return judge.Engine(alone, passes=True)

    @cached_property
    def place(self) -> Place:
        """The faults that can show there."""
        return place(self.design, self.healthy, self.nodes, self.checks, self.expected)

    @cached_property
    def memory(self) -> Memory:
        """What earlier scenes showed."""
        return Memory()


def play(stage: Stage, scene: Scene) -> list[Verdict]:
    """The verdicts of `scene` that are not a pass, in the order of the design."""
    state = faults.apply_faults(replace(stage.healthy, seed=scene.seed), scene.injected)
    return [verdict for verdict in judged(stage, evidence(stage, state)) if verdict.outcome != Outcome.PASS]


def judged(stage: Stage, seen: Mapping[str, NodeEvidence]) -> list[Verdict]:
    """The verdicts of all checks, in the order of the design, then by check id."""
    fleet = {name: check for name, check in stage.checks.items() if isinstance(check, FleetCheck)}
    by_node = defaultdict(list)
    part = judge.Engine(fleet, passes=True).judge(stage.expected, seen)
    for verdict in judge.join(stage.expected, [part], fleet, passes=True).verdicts:
        by_node[verdict.target].append(verdict)
    verdicts = []
    for one in stage.expected:
        node = one.node.name

        def own(evidence: NodeEvidence, one: Expectation = one) -> list[Verdict]:
            part = stage.engine.judge([one], {one.node.name: evidence})
            return list(judge.join([one], [part], stage.checks, passes=True).verdicts)

        found = stage.memory.verdicts(seen[node], own)
        verdicts += sorted([*found, *by_node[node]], key=lambda verdict: verdict.check)
    return [*verdicts, *judge.plant_verdicts(stage.design, stage.machines, seen, stage.checks, stage.limits)]


def evidence(stage: Stage, state: State) -> dict[str, NodeEvidence]:
    """The evidence of every machine of the stage, of reading and of load, as one run would have brought it."""
    known = stage.memory.answer
    said = [
        one for load, asked in stage.plans.items()
        for one in tools.said(stage.design, state, asked, load=load, through=known)
    ]  # fmt: skip
    grouped, group = groups.outputs(stage.design, state, stage.machines, through=known)
    owed = {
        node: (*(one for asked in stage.plans.values() for one in asked.owed.get(node, ())), *grouped.get(node, ()))
        for node in dict.fromkeys([*stage.machines, *stage.plans[False].owed])
    }
    header = Header(dict.fromkeys(owed, stage.taken), owed, stage.plans[False].adapters)
    seen = [
        Seen(one.node, one.collector, one.subject, _reading(one, stage.taken), frozenset(one.nodes))
        for one in (*said, *group)
    ]
    return assemble(header, seen, collector.library())


def _reading(output: Output, taken: str) -> Reading:
    """The answer, parsed; what was parsed in another scene is not parsed again, because most of a site is the same in all."""
    name = digest(output.stdout)
    key = (output.collector, name, output.rc, " ".join((*output.nodes, output.error)))
    if key not in _PARSED:
        if len(_PARSED) >= KEPT:
            _PARSED.clear()
        _PARSED[key] = reading(output, name, collector.library()[output.collector], taken)
    return _PARSED[key]
