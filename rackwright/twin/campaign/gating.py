"""The decision of the last gate on the nodes of a scene.

Most nodes of a scene have the same verdicts as in another scene: equal outcomes are decided once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from rackwright import gate
from rackwright.gate.check_patterns import CheckRole, check_roles
from rackwright.model.capability import Capability
from rackwright.model.gate import Decision, Gate
from rackwright.model.times import parse_day
from rackwright.model.verdict import Verdict
from rackwright.twin.campaign.play import Stage, collect_evidence, judge_scene


@dataclass(frozen=True)
class SiteGate:
    """The gate that the site of a stage requires."""

    stage: Stage
    _decided: dict[tuple[object, ...], Decision] = field(default_factory=dict)

    @cached_property
    def gate(self) -> Gate:
        """The gate, with the requirements of those before it."""
        design = self.stage.design
        return gate.load_chain(design.site.acceptance.gates, roots=design.roots)[-1]

    @cached_property
    def deciding(self) -> frozenset[str]:
        """Checks that can refuse a node; the others are only reported."""
        role = check_roles(self.gate)
        return frozenset(check for check in self.stage.checks if role(check) is not CheckRole.NEVER)

    def decisions(self, red: Sequence[Verdict]) -> list[Decision]:
        """The decision on every node of the stage; `red` are the verdicts of the scene other than pass."""
        by_node: dict[str, dict[str, Verdict]] = {node: {} for node in self.stage.nodes}
        for verdict in red:
            if verdict.target in by_node:
                by_node[verdict.target][verdict.check] = verdict
        return [self._decision(node, verdicts) for node, verdicts in by_node.items()]

    def _decision(self, node: str, red: dict[str, Verdict]) -> Decision:
        capabilities = self._capabilities[node]
        outcomes = sorted((name, verdict.outcome, verdict.advisory) for name, verdict in red.items())
        request = (frozenset(self._healthy[node]), *capabilities, *outcomes)
        if request not in self._decided:
            verdicts = [red.get(check, verdict) for check, verdict in self._healthy[node].items()]
            [decision] = gate.decide_nodes(verdicts, self.gate, (), self._day, [node], (), {node: capabilities})
            self._decided[request] = decision
        return self._decided[request].model_copy(update={"node": node})

    @cached_property
    def _capabilities(self) -> dict[str, Sequence[Capability]]:
        return gate.node_capabilities(self.stage.design, self.stage.nodes)

    @cached_property
    def _healthy(self) -> dict[str, dict[str, Verdict]]:
        """Node -> check -> verdict on the healthy site, passes included. Faults do not change which checks apply to a node."""
        stage = self.stage if self.stage.passes else replace(self.stage, passes=True)
        by_node: dict[str, dict[str, Verdict]] = {node: {} for node in stage.nodes}
        for verdict in judge_scene(stage, collect_evidence(stage, stage.healthy)):
            if verdict.target in by_node:
                by_node[verdict.target][verdict.check] = verdict
        return by_node

    @property
    def _day(self) -> date:
        day = parse_day(self.stage.collected_at)
        assert day is not None, "a stage has a time"
        return day
