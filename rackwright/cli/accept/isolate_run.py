"""Runs the tests of an isolation on machines: collectives over groups, rails one by one between pairs, all rails around rings of more or from rail to rail.

A result without a proven path, without a limit, or over NVLink instead of the fabric is no reading:
the test counts as not run, with the reason. Raw output is in the evidence before it is read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rackwright import compare
from rackwright.base.errors import OutsideError, UsageError
from rackwright.cli.accept import isolate_rings
from rackwright.cli.accept.isolate_rings import Lane, Rings
from rackwright.collect import GroupTest
from rackwright.collect.group import Testing, words
from rackwright.collect.store.reading import Reading
from rackwright.compare import loads
from rackwright.isolate.parts import PartIds
from rackwright.isolate.trial import Trial, TrialResult
from rackwright.model.check import Expectation
from rackwright.model.design import Design

COLLECTIVES = {"nvidia": "nccl_group", "amd": "rccl_group"}
RAILS = "rail_bandwidth"
COLLECTIVE = "all_reduce"
PAIR = 2
GOOD = 0.8
"""Groups above this quantile are thought good: with few groups nearly the best, with many not the luckiest."""


@dataclass(frozen=True)
class _Read:
    """One reading, not yet compared with its peers."""

    value: float
    floor: float
    """The same unit."""


_Whole = _Read | str | None
"""Of a collective: what it reached, why that says nothing, or None where none was to be run, or none can be over the fabric."""


def collectors(design: Design, nodes: Sequence[str]) -> list[str]:
    """What is run on nodes of these; UsageError for accelerators that no test over several nodes is known for."""
    vendors = {one.accelerator.vendor for name in nodes if (one := design.node(name)).accelerator is not None}
    if len(vendors) != 1 or not vendors <= COLLECTIVES.keys():
        raise UsageError(
            f"--run: no test over nodes of {', '.join(sorted(vendors)) or 'no accelerators'}; name nodes of one of {', '.join(COLLECTIVES)}"
        )
    vendor = vendors.pop()
    return [COLLECTIVES[vendor], RAILS, isolate_rings.COLLECTOR]


def enough(nodes: Sequence[str], unable: Mapping[str, str]) -> None:
    """OutsideError when tests start on less than two of `nodes`: asking for each of them would cost minutes, and tell nothing."""
    if unable and len(nodes) - len(unable) < PAIR:
        node, why = next(iter(unable.items()))
        others = f"; {len(unable) - 1} more like it" if len(unable) > 1 else ""
        raise OutsideError(f"nothing was tested: {node}: {why}{others}")


class Machines:
    """A `Tester` on real nodes, or on those of a twin."""

    def __init__(
        self, design: Design, atoms: PartIds, expectations: Mapping[str, Expectation], testing: Testing
    ) -> None:
        self._design, self._wiring, self._expectations = design, atoms.wiring, expectations
        self._testing, self._rings = testing, Rings(design, atoms, expectations)
        self._collective, self._rail, self._ring = collectors(design, atoms.wiring.nodes)
        self._peers: dict[tuple[int, str], list[float]] = defaultdict(list)
        """By binary digits of the number of nodes: groups of about one size."""
        self._round = 0

    def run(self, trials: list[Trial]) -> list[TrialResult]:
        """Collectives of all tests at the same time, then rails of all pairs, then all rings."""
        self._round += 1
        told: dict[int, _Whole] = dict.fromkeys(range(len(trials)))
        lanes: dict[int, Mapping[int, Lane]] = defaultdict(dict)
        why: dict[int, str] = {}
        for at, reading in self._asked(
            self._collective, trials, [at for at, one in enumerate(trials) if not one.rails_alone]
        ):
            told[at] = self._read_whole(trials[at], reading)
        for at, reading in self._asked(self._rail, trials, [at for at, one in enumerate(trials) if self._pair(one)]):
            lanes[at], why[at] = self._read_rails(trials[at], reading), reading.error
        around = [at for at, one in enumerate(trials) if self._ring_of(one)]
        said = dict(self._asked(self._ring, trials, around))
        measured = {at: one.value for at, one in said.items() if not one.error}
        lanes |= self._rings.read(trials, measured, around)
        why |= {at: one.error for at, one in said.items()}
        return self._shares(trials, told, lanes, why)

    def _pair(self, trial: Trial) -> bool:
        """Whether rails are measured one by one: nothing else is between two nodes on their own rails, and both call them alike."""
        if trial.over == "nvlink" or len(trial.nodes) != PAIR or trial.shift:
            return False
        near, far = (self._wiring.rails[node] for node in trial.nodes)
        return near == far

    def _ring_of(self, trial: Trial) -> bool:
        return trial.over == "fabric" and not self._pair(trial) and bool(self._rings.words(trial))

    def _asked(self, collector: str, trials: Sequence[Trial], places: Sequence[int]) -> list[tuple[int, Reading]]:
        tests = [self._test(collector, trials[at]) for at in places]
        return (
            [(at, reading) for at, (_, reading) in zip(places, self._testing.round(tests), strict=True)]
            if tests
            else []
        )

    def _test(self, collector: str, trial: Trial) -> GroupTest:
        nodes = tuple(self._wiring.nodes[node] for node in trial.nodes)
        shown = "+".join(nodes) if len(nodes) == PAIR else f"{nodes[0]}..{nodes[-1]} ({len(nodes)})"
        said = {"collective": COLLECTIVE}
        if collector == self._rail:
            said["rails"] = self._chosen(trial)
        if collector == self._ring:
            said["flows"] = self._rings.words(trial)
        return GroupTest(collector, nodes, f"isolation {self._round} {collector} {shown}", said)

    def _chosen(self, trial: Trial) -> str:
        """The rails of a test between two nodes of one kind."""
        ports = {self._wiring.rails[trial.nodes[0]][slot] for slot in trial.rails}
        known = words(self._design, self._wiring.nodes[trial.nodes[0]])["rails"].split()
        return " ".join(one for one in known if not ports or one.partition("=")[0] in ports)

    def _read_whole(self, trial: Trial, reading: Reading) -> _Whole:
        if reading.error:
            return reading.error
        names = {self._wiring.nodes[node] for node in trial.nodes}
        result = next((one for one in reading.value.results if set(one.nodes) == names), None)
        if result is None:
            return "no result of these nodes"
        way, rows = loads.proven(result), loads.large(result)
        if not way or not rows:
            return "no path is proven for every rank" if rows else "no row of one GiB or more"
        domain = way == "mnnvl"
        if domain and trial.over == "fabric":
            return None  # inside one NVLink domain no collective goes over the fabric: its rails alone tell of that
        if not domain and trial.over == "nvlink":
            return f"it went over {way}, which is not what is tested"
        metric = "collective.domain_gbytes_per_s" if domain else "collective.wire_gbytes_per_s"
        expectation = self._expectations[result.nodes[0]]
        floor = compare.floor(expectation, metric, collective=result.collective, nodes=str(len(result.nodes)))
        if floor is None:
            return f"no limit for {metric} of {result.collective} on {len(result.nodes)} nodes"
        return _Read(rows[-1].busbw_gbytes_per_s if domain else loads.wire(result, rows[-1]), floor.fail)

    def _read_rails(self, trial: Trial, reading: Reading) -> Mapping[int, Lane]:
        """The slower direction of every rail of which both are told: an end that said nothing may be the faulty one."""
        found: dict[int, dict[str, Lane]] = {}
        for rail in reading.value.rails if not reading.error else ():
            planned = loads.rails(self._expectations[rail.node]) if rail.node in self._expectations else {}
            floor = compare.floor(self._expectations[rail.node], "rail.bandwidth_share") if planned else None
            node = next((one for one in trial.nodes if self._wiring.nodes[one] == rail.node), None)
            if node is None or floor is None or rail.adapter not in planned:
                continue
            slot = self._wiring.rails[node].index(rail.adapter)
            value = rail.gbits_per_s / planned[rail.adapter].gbps
            if 0 <= value <= 1:  # nothing is faster than its line, and no number is no reading
                found.setdefault(slot, {})[rail.node] = Lane(value, floor.fail)
        return {
            slot: min(own.values(), key=lambda one: one.value)
            for slot, own in found.items()
            if len(own) == len(trial.nodes)
        }

    def _shares(
        self,
        trials: Sequence[Trial],
        told: Mapping[int, _Whole],
        lanes: Mapping[int, Mapping[int, Lane]],
        why: Mapping[int, str],
    ) -> list[TrialResult]:
        """Shares of the limit, or of what its peers in the whole run reached: limits are floors, and a site may be better."""
        for at, one in told.items():
            if isinstance(one, _Read):
                self._peers[_alike(trials[at], trials[at].over)].append(one.value)
            if not self._pair(trials[at]):
                self._peers[_alike(trials[at], self._ring)] += [lane.value for lane in lanes[at].values()]
        return [self._share(trial, told[at], lanes[at], why.get(at, "")) for at, trial in enumerate(trials)]

    def _share(self, trial: Trial, whole: _Whole, lanes: Mapping[int, Lane], why: str) -> TrialResult:
        """A test whose collective failed did not run, whatever its rails reach: what stopped it may be in a node."""
        if isinstance(whole, str):
            return TrialResult(trial, None, why=whole)
        usual = 0.0 if self._pair(trial) else self._usual(_alike(trial, self._ring), best=False)
        rails = {slot: lane.value / max(lane.floor, usual) for slot, lane in lanes.items()}
        if whole is None:
            return TrialResult(trial, None, rails, "" if rails else why or "no rail was measured as a whole")
        best = self._usual(_alike(trial, trial.over), best=len(trial.nodes) == PAIR)
        return TrialResult(trial, whole.value / max(whole.floor, best), rails)

    def _usual(self, alike: tuple[int, str], *, best: bool) -> float:
        """Of groups the upper fifth begins there; of pairs the best one, because most are asked as one end is suspected."""
        peers = self._peers[alike]
        return max(peers) if best else float(np.quantile(peers, GOOD)) if peers else 0.0


def _alike(trial: Trial, kind: str) -> tuple[int, str]:
    return len(trial.nodes).bit_length(), kind
