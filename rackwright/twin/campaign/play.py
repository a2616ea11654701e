"""Plays one scene, from the state of the hardware to verdicts, with the parsers and checks of an acceptance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from rackwright import judge
from rackwright.base.content import Roots
from rackwright.collect import collector
from rackwright.collect.output import Output
from rackwright.collect.plan import CollectPlan, plan_requests
from rackwright.collect.store.assemble import Header, assemble
from rackwright.collect.store.hash_chain import digest
from rackwright.collect.store.reading import ParsedAnswer, Seen, reading
from rackwright.collect.store.shared_by_nodes import shared
from rackwright.model.base import Record
from rackwright.model.check import AnyCheck, Expectation, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.times import parse_day
from rackwright.model.verdict import Outcome, Verdict
from rackwright.twin import faults, tools
from rackwright.twin.campaign.judging import RecordJudge
from rackwright.twin.campaign.memory import SceneMemory
from rackwright.twin.campaign.place import Place, place
from rackwright.twin.campaign.scenes import Scene
from rackwright.twin.hardware.performance import groups
from rackwright.twin.hardware.state import State, build

CACHED_READINGS = 20_000
"""Readings that a process caches: those of a healthy site, and of some hundred scenes."""
LATEST_OUTPUTS = 4_000
"""Outputs whose readings are found without a hash: those of a healthy site, and of a few scenes."""
_PARSED: dict[tuple[str, str, int | None, str, str, Roots], ParsedAnswer] = {}
MANAGERS = ("slurm", "ufm")
"""Roles of machines that report for the whole site."""


@dataclass(frozen=True)
class Stage:
    """The inputs of a campaign that all scenes share."""

    design: Design
    nodes: tuple[str, ...]
    """Accelerator nodes that are judged."""
    collected_at: str
    """ISO time of the readings; software is judged by it."""
    passes: bool = False
    """Whether verdicts that pass are worded too; a campaign needs the others only."""

    @cached_property
    def checks(self) -> dict[str, Any]:
        """Every check, by id."""
        return judge.load_checks(self.design.roots)

    @cached_property
    def limits(self) -> judge.LimitTable:
        """The limits of the checks."""
        return judge.limits_in_force(self.design, parse_day(self.collected_at))

    @cached_property
    def machines(self) -> list[str]:
        """The judged nodes and the machines of `MANAGERS`."""
        return [*self.nodes, *(node.name for role in MANAGERS for node in self.design.nodes(role))]

    @cached_property
    def healthy(self) -> State:
        """The state without a fault."""
        return build(self.design, self.machines)

    @cached_property
    def plans(self) -> dict[bool, CollectPlan]:
        """The requests of a run that only reads (False), and of a run with load tests (True)."""
        return {
            load: plan_requests(self.design, self.machines, collector.library(self.design.roots), load=load)
            for load in (False, True)
        }

    @cached_property
    def expected(self) -> list[Expectation]:
        """The expectation of each machine."""
        times = dict.fromkeys(self.machines, self.collected_at)
        return judge.expect(self.design, times, self.limits, self.machines, must=self.machines)

    @cached_property
    def judges(self) -> list[RecordJudge]:
        """The checks of nodes by the record that they read, with engines that share findings between scenes."""
        by_record: dict[type[Record], dict[str, AnyCheck]] = defaultdict(dict)
        for name, check in judge.node_checks(self.checks).items():
            by_record[check.reads][name] = check
        return [RecordJudge(reads, checks, passes=self.passes) for reads, checks in by_record.items()]

    @cached_property
    def place(self) -> Place:
        """The faults that can show on the site."""
        return place(self.design, self.healthy, self.nodes, self.checks, self.expected)

    @cached_property
    def advice(self) -> frozenset[tuple[str, str, str]]:
        """(target, check, sentence) of advisory verdicts on healthy machines, whose BMCs do not report a reading."""
        verdicts = judge_scene(self, collect_evidence(self, self.healthy))
        return frozenset(
            _sentence(verdict) for verdict in verdicts if verdict.advisory and verdict.outcome == Outcome.DEGRADED
        )

    @cached_property
    def memory(self) -> SceneMemory:
        """Answers and verdicts of earlier scenes."""
        return SceneMemory()


def play(stage: Stage, scene: Scene) -> list[Verdict]:
    """The verdicts of `scene` that are not a pass, without the advice on healthy machines, in the order of the design."""
    state = faults.apply_faults(replace(stage.healthy, seed=scene.seed), scene.injected)
    verdicts = judge_scene(stage, collect_evidence(stage, state))
    return [
        verdict
        for verdict in verdicts
        if verdict.outcome != Outcome.PASS and not (verdict.advisory and _sentence(verdict) in stage.advice)
    ]


def _sentence(verdict: Verdict) -> tuple[str, str, str]:
    return verdict.target, verdict.check, verdict.says


def judge_scene(stage: Stage, observed: Mapping[str, NodeEvidence]) -> list[Verdict]:
    """The verdicts of all checks, in the order of the design, then by check id; passes only if `stage` includes them."""
    places = {expected.node.name: place for place, expected in enumerate(stage.expected)}
    verdicts = [verdict for judges in stage.judges for verdict in judges.verdicts(stage, observed)]
    verdicts.sort(key=lambda verdict: (places[verdict.target], verdict.check))
    units = [evidence for name, evidence in observed.items() if name not in places]
    plant = stage.memory.verdicts(
        ("plant", *((unit.node, unit.taken, *unit.raw.items(), *unit.errors.items()) for unit in units)),
        lambda: list(judge.plant_verdicts(stage.design, stage.machines, observed, stage.checks, stage.limits)),
    )
    return [*verdicts, *plant]


def collect_evidence(stage: Stage, state: State) -> dict[str, NodeEvidence]:
    """Evidence of all machines of the stage, readings and load tests, as one run would collect it."""
    remembered = stage.memory.answer
    answers = [
        output for load, requests in stage.plans.items()
        for output in tools.plan_outputs(stage.design, state, requests, load=load, through=remembered)
    ]  # fmt: skip
    library = collector.library(stage.design.roots)
    grouped, group = groups.outputs(stage.design, state, stage.machines, through=remembered)
    owed = {
        node: (
            *(ask for requests in stage.plans.values() for ask in requests.owed.get(node, ())),
            *grouped.get(node, ()),
        )
        for node in dict.fromkeys([*stage.machines, *stage.plans[False].owed])
    }
    header = Header(dict.fromkeys(owed, stage.collected_at), owed, stage.plans[False].adapters)
    readings = [_read_output(output, stage.collected_at, stage.design.roots) for output in (*answers, *group)]
    tests = [answer for answer in readings if answer.nodes]
    site = [answer for answer in readings if library[answer.collector].scope in ("subnet", "scheduler")]
    common = stage.memory.shared(site, lambda answers: shared(answers, library))
    return assemble(header, readings, library, replace(common, tests=shared(tests, library).tests))


@lru_cache(LATEST_OUTPUTS)
def _read_output(output: Output, collected_at: str, roots: Roots) -> Seen:
    reading = _reading(output, collected_at, roots)
    return Seen(output.node, output.collector, output.subject, reading, frozenset(output.nodes))


def _reading(output: Output, collected_at: str, roots: Roots) -> ParsedAnswer:
    """The parsed answer; cached, because most of a site is the same in all scenes."""
    name = digest(output.stdout)
    key = (output.collector, name, output.rc, " ".join((*output.nodes, output.error)), collected_at, roots)
    if key not in _PARSED:
        if len(_PARSED) >= CACHED_READINGS:
            _PARSED.clear()
        _PARSED[key] = reading(output, name, collector.library(roots)[output.collector], collected_at)
    return _PARSED[key]
