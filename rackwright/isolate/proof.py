"""What rounds of tests cover, part by part, and what they leave untested and why. A part is covered when two tests or more exercised it and a later one brought partners that no single test
had. A cable between switches is exercised in a round that loads it by at least a share of its rate, or, where the nodes that are there cannot
fill it (`reach`), of the most that they can; with adaptive routing that is what flows put over its bundle on average. What no arrangement of
these nodes could cover is advice and no gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rackwright.isolate import reach
from rackwright.isolate.parts import Atoms, Part
from rackwright.isolate.paths import Bundle
from rackwright.isolate.posterior import Floats
from rackwright.isolate.survivors import Tally, unordered
from rackwright.isolate.wiring import NONE, Ints

TWICE = 2
PAIR = 2


@dataclass(frozen=True)
class Covered:
    """One kind of part."""

    kind: str
    parts: int
    covered: int
    least_tests: int
    """Of all parts; tests of nodes and rails, rounds of cables and switches that no node hangs on."""
    least_partners: int


@dataclass(frozen=True)
class Untested:
    """A part that was not exercised twice with different partners."""

    part: Part
    tests: int
    partners: int
    why: str


@dataclass(frozen=True)
class Advice:
    """Parts that the nodes there cannot exercise as they should be, whatever is tested with whom."""

    kind: str
    names: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Proof:
    """Coverage of all parts."""

    kinds: tuple[Covered, ...]
    untested: tuple[Untested, ...]
    advice: tuple[Advice, ...]
    assumption: str
    least_load: float
    """Share of the rate of a cable that one round must put over it."""
    flows_without_way: int
    pairs: int
    pairs_met: int
    """Of all pairs of nodes those that sent to each other: a fault of a pair alone shows nowhere else."""

    @property
    def complete(self) -> bool:
        """Whether every part is covered as well as these nodes can."""
        return not self.untested


@dataclass(frozen=True)
class _Counts:
    kind: str
    parts: list[Part]
    tests: Ints
    partners: Ints
    most: Ints
    """Most partners of one test."""
    reach: Floats | None = None
    """Of cables and switches: the most that the nodes there can put over them, as a share of their rate."""
    alone: bool = False
    """Whether there are but two nodes, and nobody else to test with."""

    @property
    def good(self) -> NDArray[np.bool_]:
        return np.asarray((self.tests >= TWICE) & ((self.partners > self.most) | self.alone))


def prove(tally: Tally, atoms: Atoms, least_load: float) -> Proof:
    """Count; `least_load` is a share of a cable's rate."""
    counts = list(_all(tally, atoms, least_load))
    kinds = tuple(
        Covered(one.kind, len(one.parts), int(one.good.sum()), int(one.tests.min()), int(one.partners.min()))
        for one in counts
        if one.parts
    )
    advice = tuple(said for one in counts for said in _advice(one, least_load))
    untested = tuple(
        Untested(one.parts[index], int(one.tests[index]), int(one.partners[index]), _why(one, index, least_load))
        for one in counts
        for index in np.flatnonzero(~one.good).tolist()
    )
    count = len(tally.wiring.nodes)
    met = int(tally.nodes.counts(count)[1].sum()) // 2
    return Proof(
        kinds, untested, advice, tally.paths.assumption, least_load, tally.pathless, count * (count - 1) // 2, met
    )


def missing(tally: Tally, atoms: Atoms, least_load: float) -> int:
    """How far from covered all parts together are: tests that are wanting; 0 when the proof is complete."""
    return sum(
        int(np.where(one.good, 0, np.maximum(1, TWICE - one.tests)).sum()) for one in _all(tally, atoms, least_load)
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


def _advice(counts: _Counts, least_load: float) -> Iterator[Advice]:
    """What is covered only because no more can be asked of these nodes."""
    if counts.alone and counts.kind == "node":
        yield Advice("node", tuple(part.names[0] for part in counts.parts), "each has one partner: there are two nodes")
    if counts.reach is None:
        return
    thin = counts.good & (counts.reach < least_load)
    for most in np.unique(counts.reach[thin]).tolist():
        names = tuple(counts.parts[index].names[0] for index in np.flatnonzero(thin & (counts.reach == most)))
        why = f"the nodes there put at most {most:.0%} over each, {least_load:.0%} are asked for"
        yield Advice(counts.kind, names, why)


def _all(tally: Tally, atoms: Atoms, least_load: float) -> Iterator[_Counts]:
    """Counts by kind; of two nodes each is the other's only partner."""
    for one in _kinds(tally, atoms, least_load):
        yield replace(one, alone=len(tally.wiring.nodes) == PAIR)


def _kinds(tally: Tally, atoms: Atoms, least_load: float) -> Iterator[_Counts]:
    wiring = tally.wiring
    nodes = [Part("node", (name,)) for name in wiring.nodes]
    yield _Counts("node", nodes, *tally.nodes.counts(len(nodes)))
    names = [(node, slot) for node, ports in enumerate(wiring.rails) for slot in range(len(ports))]
    at = np.array([node * wiring.slots + slot for node, slot in names], np.int64)
    rails = tally.rails.counts(len(nodes) * wiring.slots)
    ports = [atoms.part(atoms.rail(*name)) for name in names]
    yield _Counts("rail", ports, rails[0][at], rails[1][at], rails[2][at])
    most = reach.reach(tally)
    cables, switches = _bundled(tally, least_load, most)
    yield _Counts("cable", [Part("cable", (name,)) for name in wiring.cables], *cables, reach=most["cable"])
    yield from _switches(tally, switches)
    yield from _planes(tally, nodes)


def _switches(tally: Tally, above: tuple[Ints, Ints, Ints]) -> Iterator[_Counts]:
    wiring = tally.wiring
    leaves = np.unique(wiring.leaf[wiring.leaf != NONE])
    counts = [column.copy() for column in above]
    for column, counted in zip(counts, tally.leaves.counts(len(wiring.switches)), strict=True):
        column[leaves] = counted[leaves]
    yield _Counts("switch", [Part("switch", (name,)) for name in wiring.switches], counts[0], counts[1], counts[2])


def _planes(tally: Tally, nodes: list[Part]) -> Iterator[_Counts]:
    """A plane of a domain is touched by every NVLink test of it; where NVLink stays in the node, by every test of the node."""
    wiring = tally.wiring
    domains = tally.domains.counts(len(wiring.planes))
    of = np.array([domain for domain, planes in enumerate(wiring.planes) for _ in planes], np.int64)
    planes = [Part("nvlink", (name,)) for names in wiring.planes for name in names]
    inside = np.flatnonzero(wiring.domain == NONE)
    own = tally.nodes.counts(len(nodes))
    parts = [*planes, *(Part("nvlink", nodes[index].names) for index in inside.tolist())]
    columns = [np.concatenate([a[of], b[inside]]) for a, b in zip(domains, own, strict=True)]
    yield _Counts("nvlink", parts, columns[0], columns[1], columns[2])


def _bundled(
    tally: Tally, least_load: float, reach_: Mapping[str, Floats]
) -> tuple[tuple[Ints, Ints, Ints], tuple[Ints, Ints, Ints]]:
    """(rounds, flows, most flows of a round) of every cable and of every switch, from the flows of their bundles."""
    wiring = tally.wiring
    sizes = {"cable": len(wiring.cables), "switch": len(wiring.switches)}
    rounds = {kind: np.zeros(size, np.int64) for kind, size in sizes.items()}
    flows, most = ({kind: np.zeros(size, np.int64) for kind, size in sizes.items()} for _ in range(2))
    met: dict[Bundle, list[Ints]] = {}
    for round_ in tally.flows:
        load = {kind: np.zeros(size) for kind, size in sizes.items()}
        here = {kind: np.zeros(size, np.int64) for kind, size in sizes.items()}
        for bundle, found in round_.items():
            members, pairs = list(bundle.members), np.unique(unordered(found))
            load[bundle.kind][members] += len(found) / 2.0 / len(members)  # one flow fills a cable in one direction
            here[bundle.kind][members] += len(pairs)
            met.setdefault(bundle, []).append(pairs)
        for kind in sizes:
            rounds[kind] += (load[kind] > 0) & (load[kind] >= least_load * np.minimum(1.0, reach_[kind]))
            np.maximum(most[kind], here[kind], out=most[kind])
    for bundle, found_ in met.items():
        flows[bundle.kind][list(bundle.members)] += len(np.unique(np.concatenate(found_)))
    return (rounds["cable"], flows["cable"], most["cable"]), (rounds["switch"], flows["switch"], most["switch"])
