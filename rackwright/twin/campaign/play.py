"""One scene, from the state of the hardware to verdicts, by the parsers and checks of an acceptance.

In: a stage (design, nodes, date), a scene. Out: every verdict that is not a pass. Cut here because it is what worker processes run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rackwright import judge
from rackwright.collect import collector
from rackwright.collect.assemble import Header, assemble
from rackwright.collect.chain import digest
from rackwright.collect.output import Output
from rackwright.collect.reading import Reading, Seen, reading
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome, Verdict
from rackwright.twin import faults, observe
from rackwright.twin.campaign.scenes import Scene
from rackwright.twin.performance import groups
from rackwright.twin.state import State, build

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
    grouped, group = groups.outputs(stage.design, state, stage.machines)
    owed = {
        node: (*quiet.owed.get(node, ()), *loaded.owed.get(node, ()), *grouped.get(node, ())) for node in stage.machines
    }
    header = Header(dict.fromkeys(owed, stage.taken), owed, quiet.adapters)
    seen = [
        Seen(one.node, one.collector, one.subject, _reading(one, stage.taken), frozenset(one.nodes))
        for one in (*said, *more, *group)
    ]
    return assemble(header, seen, library)


def _reading(output: Output, taken: str) -> Reading:
    """The answer, parsed; what was parsed in another scene is not parsed again, because most of a site is the same in all."""
    name = digest(output.stdout)
    key = (output.collector, name, output.rc, " ".join((*output.nodes, output.error)))
    if key not in _PARSED:
        if len(_PARSED) >= KEPT:
            _PARSED.clear()
        _PARSED[key] = reading(output, name, collector.library()[output.collector], taken)
    return _PARSED[key]
