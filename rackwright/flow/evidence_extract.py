"""The part of the evidence that the gate needs, node by node: a few kilobytes, so that several processes can read a
large site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import polars as pl

from rackwright import collect, gate
from rackwright.flow.cable_coverage import FabricCoverage, NodeCables, coverage_by_fabric, switch_ends
from rackwright.model.base import Record
from rackwright.model.check import AnyCheck, NodeEvidence
from rackwright.model.design import Design, Node
from rackwright.model.node_state import DecidedState, state_of
from rackwright.model.repair import PackedParts
from rackwright.model.times import parse_time

Dates = tuple[tuple[type[Record], str], ...]
"""Pairs of record and ISO time at which it was taken."""


class NodeExtract(NamedTuple):
    """The extract of one machine."""

    node: str
    taken: str
    """ISO time of its oldest answer that counts; empty without any."""
    dated: Dates
    parts: PackedParts
    observed: Mapping[str, int]
    """Fabric -> number of observed cables of the node."""
    ends: pl.DataFrame | None
    """Observed ends of cables between switches, as from `switch_ends`."""
    changed: str
    """As in `GateExtract.changed`."""
    state: DecidedState


@dataclass(frozen=True)
class GateExtract:
    """The extract of all machines of a run."""

    collected: Mapping[str, datetime]
    """Machine -> time of its oldest answer that counts."""
    dated: Mapping[str, Mapping[str, datetime]]
    """Machine -> check -> time at which the record that the check reads was collected."""
    parts: gate.NodeParts
    """Parts of the nodes that the gate decides on."""
    coverage: Mapping[str, FabricCoverage]
    changed: Mapping[str, str]
    """Node that the gate decides on -> why readings are about another state of it; empty if none are."""
    states: Mapping[str, DecidedState] = field(default_factory=dict)
    """Node that the gate decides on -> its state by its evidence and the design."""


class ExtractReader:
    """Reads the extract of a site whose gate may decide on `nodes`."""

    def __init__(self, design: Design, nodes: Collection[str]) -> None:
        self._design = design
        self._nodes = {node.name: node for node in design.nodes() if node.name in nodes}
        self._cables = NodeCables(design, list(self._nodes.values()))

    def read(self, evidence: NodeEvidence) -> NodeExtract:
        """The extract of one machine."""
        node = self._nodes.get(evidence.node)
        parts, changed, state = _judged_node(evidence, node) if node is not None else ("", "", DecidedState())
        return NodeExtract(
            evidence.node,
            evidence.taken,
            _shared_dates(tuple(evidence.dated.items())),
            parts,
            self._cables.observed(evidence),
            switch_ends(evidence),
            changed,
            state,
        )

    def join(
        self, checks: Mapping[str, AnyCheck], candidates: Sequence[str], extract: Iterable[NodeExtract]
    ) -> GateExtract:
        """The extract of all machines, for a gate that decides on `candidates`; a candidate without evidence has no
        parts.
        """
        listed = list(extract)
        dates = {dated: _check_dates(dated, checks) for dated in {of_node.dated for of_node in listed}}
        packed = {of_node.node: of_node.parts for of_node in listed}
        observed = Counter[str]()
        for of_node in listed:
            observed.update(of_node.observed)
        ends = [of_node.ends for of_node in listed if of_node.ends is not None]
        return GateExtract(
            collected={of_node.node: parse_time(of_node.taken) for of_node in listed if of_node.taken},
            dated={of_node.node: dates[of_node.dated] for of_node in listed},
            parts=gate.NodeParts({name: packed.get(name, "") for name in candidates}),
            coverage=coverage_by_fabric(self._design, self._cables.planned(candidates), observed, ends),
            changed={of_node.node: of_node.changed for of_node in listed if of_node.changed},
            states={of_node.node: of_node.state for of_node in listed if of_node.state.design},
        )


def gate_extract(
    design: Design, checks: Mapping[str, AnyCheck], evidence: Iterable[NodeEvidence], candidates: Sequence[str]
) -> GateExtract:
    """The extract of evidence in memory."""
    reader = ExtractReader(design, frozenset(candidates))
    return reader.join(checks, candidates, map(reader.read, evidence))


def _judged_node(evidence: NodeEvidence, node: Node) -> tuple[PackedParts, str, DecidedState]:
    """Parts, change and state of a node that the gate decides on."""
    state, design = state_of(evidence.records), collect.node_digest(node)
    changed = gate.other_state(evidence, state, design)
    return gate.NodeParts.pack(evidence), changed, DecidedState(design, state.boot, state.driver)


def _check_dates(dated: Dates, checks: Mapping[str, AnyCheck]) -> dict[str, datetime]:
    times = {kind: parse_time(at) for kind, at in dated if at}
    return {name: times[check.reads] for name, check in checks.items() if check.reads in times}


@lru_cache(maxsize=4096)
def _shared_dates(dated: Dates) -> Dates:
    """The first of equal tuples, so that machines of the same run share one object, which is sent once."""
    return dated
