"""Which parts a set of test rounds covers, and which it leaves untested and why.

A part is covered when at least two tests exercised it and a later one brought partners that no single test had. A cable between switches is exercised in a round that loads it by at least a
share of its rate or, where the available nodes cannot fill it (`reach`), of the most that they can; with adaptive routing that is the mean load of its bundle. What no arrangement of these
nodes could cover is advice, not a gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rackwright.isolate import reach
from rackwright.isolate.parts import FaultPart, PartIds
from rackwright.isolate.paths import Bundle
from rackwright.isolate.posterior import Floats
from rackwright.isolate.survivors import ExerciseCounts, unordered
from rackwright.isolate.wiring import NONE, Ints

TWICE = 2
PAIR = 2


@dataclass(frozen=True)
class KindCoverage:
    """Coverage of all parts of one kind."""

    kind: str
    parts: int
    covered: int
    least_tests: int
    """Of all parts; tests of nodes and rails, rounds of cables and switches that no node hangs on."""
    least_partners: int


@dataclass(frozen=True)
class UntestedPart:
    """A part that was not exercised twice with different partners."""

    part: FaultPart
    tests: int
    partners: int
    why: str


@dataclass(frozen=True)
class CoverageAdvice:
    """Parts that the available nodes cannot exercise fully, however they are grouped."""

    kind: str
    names: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class CoverageProof:
    """Coverage of all parts."""

    kinds: tuple[KindCoverage, ...]
    untested: tuple[UntestedPart, ...]
    advice: tuple[CoverageAdvice, ...]
    assumption: str
    least_load: float
    """Share of the rate of a cable that one round must put over it."""
    flows_without_way: int
    pairs: int
    pairs_met: int
    """Pairs of nodes that sent to each other. A fault of one pair shows nowhere else."""

    @property
    def complete(self) -> bool:
        """Whether every part is covered as well as these nodes allow."""
        return not self.untested


@dataclass(frozen=True)
class _Counts:
    kind: str
    parts: list[FaultPart]
    tests: Ints
    partners: Ints
    most: Ints
    """Most partners of one test."""
    reach: Floats | None = None
    """Cables and switches: the most that the available nodes can put over them, as a share of their rate."""
    alone: bool = False
    """Whether there are only two nodes, so that each has one partner."""

    @property
    def good(self) -> NDArray[np.bool_]:
        return np.asarray((self.tests >= TWICE) & ((self.partners > self.most) | self.alone))


def prove_coverage(tally: ExerciseCounts, atoms: PartIds, least_load: float) -> CoverageProof:
    """The coverage of all parts; `least_load` is a share of a cable's rate."""
    counts = list(_all(tally, atoms, least_load))
    kinds = tuple(
        KindCoverage(kind.kind, len(kind.parts), int(kind.good.sum()), int(kind.tests.min()), int(kind.partners.min()))
        for kind in counts
        if kind.parts
    )
    advice = tuple(line for kind in counts for line in _advice(kind, least_load))
    untested = tuple(
        UntestedPart(
            kind.parts[index], int(kind.tests[index]), int(kind.partners[index]), _why(kind, index, least_load)
        )
        for kind in counts
        for index in np.flatnonzero(~kind.good).tolist()
    )
    count = len(tally.wiring.nodes)
    met = int(tally.nodes.counts(count)[1].sum()) // 2
    return CoverageProof(
        kinds, untested, advice, tally.paths.assumption, least_load, tally.pathless, count * (count - 1) // 2, met
    )


def count_missing(tally: ExerciseCounts, atoms: PartIds, least_load: float) -> int:
    """Number of tests that are missing until all parts are covered; 0 if the proof is complete."""
    return sum(
        int(np.where(count.good, 0, np.maximum(1, TWICE - count.tests)).sum())
        for count in _all(tally, atoms, least_load)
    )


def _why(counts: _Counts, index: int, least_load: float) -> str:
    tests, partners = int(counts.tests[index]), int(counts.partners[index])
    if tests >= TWICE:
        return f"{tests} tests, always with the same partners"
    if partners and counts.kind in ("cable", "switch") and not tests:
        return f"{partners} flows cross it, less than {least_load:.0%} of what it carries in any round"
    if tests:
        return "one test only: no other one reaches it"
    return "no flow between the nodes crosses it"


def _advice(counts: _Counts, least_load: float) -> Iterator[CoverageAdvice]:
    """Parts that are covered only because these nodes cannot do more."""
    if counts.alone and counts.kind == "node":
        yield CoverageAdvice(
            "node", tuple(part.names[0] for part in counts.parts), "each has one partner: there are two nodes"
        )
    if counts.reach is None:
        return
    thin = counts.good & (counts.reach < least_load)
    for most in np.unique(counts.reach[thin]).tolist():
        names = tuple(counts.parts[index].names[0] for index in np.flatnonzero(thin & (counts.reach == most)))
        why = f"the nodes there put at most {most:.0%} over each, {least_load:.0%} are asked for"
        yield CoverageAdvice(counts.kind, names, why)


def _all(tally: ExerciseCounts, atoms: PartIds, least_load: float) -> Iterator[_Counts]:
    """Counts by kind; of two nodes each is the other's only partner."""
    for counts in _kinds(tally, atoms, least_load):
        yield replace(counts, alone=len(tally.wiring.nodes) == PAIR)


def _kinds(tally: ExerciseCounts, atoms: PartIds, least_load: float) -> Iterator[_Counts]:
    wiring = tally.wiring
    nodes = [FaultPart("node", (name,)) for name in wiring.nodes]
    yield _Counts("node", nodes, *tally.nodes.counts(len(nodes)))
    names = [(node, slot) for node, ports in enumerate(wiring.rails) for slot in range(len(ports))]
    at = np.array([node * wiring.slots + slot for node, slot in names], np.int64)
    rails = tally.rails.counts(len(nodes) * wiring.slots)
    ports = [atoms.part(atoms.rail(*name)) for name in names]
    yield _Counts("rail", ports, rails[0][at], rails[1][at], rails[2][at])
    most = reach.reach(tally)
    cables, switches = _bundled(tally, least_load, most)
    yield _Counts("cable", [FaultPart("cable", (name,)) for name in wiring.cables], *cables, reach=most["cable"])
    yield from _switches(tally, switches)
    yield from _planes(tally, nodes)


def _switches(tally: ExerciseCounts, above: tuple[Ints, Ints, Ints]) -> Iterator[_Counts]:
    wiring = tally.wiring
    leaves = np.unique(wiring.leaf[wiring.leaf != NONE])
    counts = [column.copy() for column in above]
    for column, counted in zip(counts, tally.leaves.counts(len(wiring.switches)), strict=True):
        column[leaves] = counted[leaves]
    yield _Counts("switch", [FaultPart("switch", (name,)) for name in wiring.switches], counts[0], counts[1], counts[2])


def _planes(tally: ExerciseCounts, nodes: list[FaultPart]) -> Iterator[_Counts]:
    """A plane of a domain is touched by every NVLink test of it; where NVLink stays in the node, by every test of the node."""
    wiring = tally.wiring
    domains = tally.domains.counts(len(wiring.planes))
    of = np.array([domain for domain, planes in enumerate(wiring.planes) for _ in planes], np.int64)
    planes = [FaultPart("nvlink", (name,)) for names in wiring.planes for name in names]
    inside = np.flatnonzero(wiring.domain == NONE)
    inside_counts = tally.nodes.counts(len(nodes))
    parts = [*planes, *(FaultPart("nvlink", nodes[index].names) for index in inside.tolist())]
    columns = [np.concatenate([a[of], b[inside]]) for a, b in zip(domains, inside_counts, strict=True)]
    yield _Counts("nvlink", parts, columns[0], columns[1], columns[2])


def _bundled(
    tally: ExerciseCounts, least_load: float, reach_: Mapping[str, Floats]
) -> tuple[tuple[Ints, Ints, Ints], tuple[Ints, Ints, Ints]]:
    """(rounds, flows, most flows of a round) of every cable and of every switch, from the flows of their bundles."""
    wiring = tally.wiring
    sizes = {"cable": len(wiring.cables), "switch": len(wiring.switches)}
    rounds = {kind: np.zeros(size, np.int64) for kind, size in sizes.items()}
    flows, most = ({kind: np.zeros(size, np.int64) for kind, size in sizes.items()} for _ in range(2))
    met: dict[Bundle, list[Ints]] = {}
    for round_ in tally.flows:
        load = {kind: np.zeros(size) for kind, size in sizes.items()}
        pairs_here = {kind: np.zeros(size, np.int64) for kind, size in sizes.items()}
        for bundle, bundle_flows in round_.items():
            members, pairs = list(bundle.members), np.unique(unordered(bundle_flows))
            load[bundle.kind][members] += (
                len(bundle_flows) / 2.0 / len(members)
            )  # one flow fills a cable in one direction
            pairs_here[bundle.kind][members] += len(pairs)
            met.setdefault(bundle, []).append(pairs)
        for kind in sizes:
            rounds[kind] += (load[kind] > 0) & (load[kind] >= least_load * np.minimum(1.0, reach_[kind]))
            np.maximum(most[kind], pairs_here[kind], out=most[kind])
    for bundle, found_ in met.items():
        flows[bundle.kind][list(bundle.members)] += len(np.unique(np.concatenate(found_)))
    return (rounds["cable"], flows["cable"], most["cable"]), (rounds["switch"], flows["switch"], most["switch"])
