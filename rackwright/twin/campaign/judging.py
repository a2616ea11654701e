"""Judges the records of one kind in each scene, skipping those that did not change."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rackwright import judge
from rackwright.model.base import Record
from rackwright.model.check import AnyCheck, Expectation, FleetCheck, NodeEvidence
from rackwright.model.evidence.adapter_witnesses import AdapterWitnesses
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.evidence.network import Rdma
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Verdict

if TYPE_CHECKING:
    from rackwright.twin.campaign.play import Stage


class RecordJudge:
    """The checks of nodes that read one kind of record."""

    def __init__(self, reads: type[Record], checks: Mapping[str, AnyCheck], *, passes: bool) -> None:
        self._reads, self._passes = reads, passes
        self._fleet = {name: check for name, check in checks.items() if isinstance(check, FleetCheck)}
        self._single = {name: check for name, check in checks.items() if name not in self._fleet}
        self._engines = judge.Engine(self._single, passes=passes), judge.Engine(self._fleet, passes=passes)

    def verdicts(self, stage: Stage, observed: Mapping[str, NodeEvidence]) -> list[Verdict]:
        """The verdicts on all nodes of `stage`; stored ones if the evidence is equal."""
        keys = {expected.node.name: self._key(observed[expected.node.name]) for expected in stage.expected}

        def judge_site() -> list[Verdict]:
            verdicts = self._judge(stage.expected, observed, fleet=True) if self._fleet else []
            for expected in stage.expected if self._single else ():
                judge_node = partial(self._judge, [expected], observed, fleet=False)
                verdicts += stage.memory.verdicts(("node", self._reads, keys[expected.node.name]), judge_node)
            return verdicts

        return stage.memory.verdicts(("site", self._reads, *keys.values()), judge_site)

    def _judge(
        self, expected: Sequence[Expectation], observed: Mapping[str, NodeEvidence], *, fleet: bool
    ) -> list[Verdict]:
        part = self._engines[fleet].judge(expected, observed)
        return list(judge.join(expected, [part], self._fleet if fleet else self._single, passes=self._passes).verdicts)

    def _key(self, evidence: NodeEvidence) -> Hashable:
        """Key of all inputs of the verdicts: the hashes of the raw output, or the errors instead."""
        # The port GUIDs that the host and its BMC report decide which links of a subnet belong to a node.
        joined: dict[type[Record], tuple[type[Record], ...]] = {
            NodeFabric: (NodeFabric, Rdma, BmcEvidence),
            AdapterWitnesses: (Rdma, BmcEvidence, Pci),
        }
        kinds = joined.get(self._reads, (self._reads,))
        raw = [evidence.raw.get(kind) for kind in kinds]
        return evidence.node, evidence.taken, *raw, *(evidence.errors.items() if None in raw else ())
