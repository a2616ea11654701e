"""Runs isolation tests on machines: collectives over groups, rails one by one between pairs, all rails around larger rings or from rail to rail.

A result without a proven path, without a limit, or over NVLink instead of the fabric is inconclusive: the test counts as not
run, with the reason. Raw output is stored as evidence before it is parsed.
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
from rackwright.collect.group import Testing, command_words
from rackwright.collect.store.reading import ParsedAnswer
from rackwright.compare import loads
from rackwright.isolate.parts import PartIds
from rackwright.isolate.trial import Trial, TrialResult
from rackwright.model.check import Expectation
from rackwright.model.design import Design

RAILS = "rail_bandwidth"
COLLECTIVE = "all_reduce"
PAIR = 2
GOOD_QUANTILE = 0.8
"""Groups above this quantile are assumed good: with few groups nearly the best, with many not the luckiest."""


@dataclass(frozen=True)
class _Read:
    """One reading, not yet compared with its peers."""

    value: float
    floor: float
    """In the same unit."""


_Collective = _Read | str | None
"""Result of a collective: its reading, why it is inconclusive, or None if none was to be run or none can use the fabric."""


def collectors(design: Design, nodes: Sequence[str]) -> list[str]:
    """The collectors for tests on `nodes`. Raises UsageError for accelerators without a test over several nodes."""
    vendors = {node.accelerator.vendor for name in nodes if (node := design.node(name)).accelerator is not None}
    tests = {name: part.group_test for name, part in design.vendors.items() if part.group_test}
    if len(vendors) != 1 or not vendors <= tests.keys():
        raise UsageError(
            f"--run: no test over nodes of {', '.join(sorted(vendors)) or 'no accelerators'}; name nodes of one maker with `group_test` in "
            f"catalog/vendors (of this site: {', '.join(tests) or 'none'})"
        )
    return [tests[vendors.pop()], RAILS, isolate_rings.COLLECTOR]


def require_pair(nodes: Sequence[str], unable: Mapping[str, str]) -> None:
    """Raises OutsideError if tests can start on fewer than two of `nodes`: running each would take minutes for nothing."""
    if unable and len(nodes) - len(unable) < PAIR:
        node, why = next(iter(unable.items()))
        more = f"; {len(unable) - 1} more like it" if len(unable) > 1 else ""
        raise OutsideError(f"nothing was tested: {node}: {why}{more}")


class MachineTester:
    """A `Tester` on real nodes, or on nodes of a twin."""

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
        collectives: dict[int, _Collective] = dict.fromkeys(range(len(trials)))
        lanes: dict[int, Mapping[int, Lane]] = defaultdict(dict)
        why: dict[int, str] = {}
        for at, reading in self._run_tests(
            self._collective, trials, [at for at, trial in enumerate(trials) if not trial.rails_alone]
        ):
            collectives[at] = self._read_whole(trials[at], reading)
        for at, reading in self._run_tests(
            self._rail, trials, [at for at, trial in enumerate(trials) if self._pair(trial)]
        ):
            lanes[at], why[at] = self._read_rails(trials[at], reading), reading.error
        around = [at for at, trial in enumerate(trials) if self._ring_of(trial)]
        ring_readings = dict(self._run_tests(self._ring, trials, around))
        measured = {at: reading.value for at, reading in ring_readings.items() if not reading.error}
        lanes |= self._rings.read(trials, measured, around)
        why |= {at: reading.error for at, reading in ring_readings.items()}
        return self._shares(trials, collectives, lanes, why)

    def _pair(self, trial: Trial) -> bool:
        """True if rails are measured one by one: two nodes with equal port names and nothing else on their rails."""
        if trial.over == "nvlink" or len(trial.nodes) != PAIR or trial.shift:
            return False
        near, far = (self._wiring.rails[node] for node in trial.nodes)
        return near == far

    def _ring_of(self, trial: Trial) -> bool:
        return trial.over == "fabric" and not self._pair(trial) and bool(self._rings.words(trial))

    def _run_tests(
        self, collector: str, trials: Sequence[Trial], places: Sequence[int]
    ) -> list[tuple[int, ParsedAnswer]]:
        tests = [self._test(collector, trials[at]) for at in places]
        return (
            [(at, reading) for at, (_, reading) in zip(places, self._testing.round(tests), strict=True)]
            if tests
            else []
        )

    def _test(self, collector: str, trial: Trial) -> GroupTest:
        nodes = tuple(self._wiring.nodes[node] for node in trial.nodes)
        label = "+".join(nodes) if len(nodes) == PAIR else f"{nodes[0]}..{nodes[-1]} ({len(nodes)})"
        words_of_test = {"collective": COLLECTIVE}
        if collector == self._rail:
            words_of_test["rails"] = self._chosen(trial)
        if collector == self._ring:
            words_of_test["flows"] = self._rings.words(trial)
        return GroupTest(collector, nodes, f"isolation {self._round} {collector} {label}", words_of_test)

    def _chosen(self, trial: Trial) -> str:
        """The rails of a test between two nodes of one kind, as words for its command."""
        ports = {self._wiring.rails[trial.nodes[0]][slot] for slot in trial.rails}
        rails = command_words(self._design, self._wiring.nodes[trial.nodes[0]])["rails"].split()
        return " ".join(rail for rail in rails if not ports or rail.partition("=")[0] in ports)

    def _read_whole(self, trial: Trial, reading: ParsedAnswer) -> _Collective:
        if reading.error:
            return reading.error
        names = {self._wiring.nodes[node] for node in trial.nodes}
        result = next((candidate for candidate in reading.value.results if set(candidate.nodes) == names), None)
        if result is None:
            return "no result of these nodes"
        way, rows = loads.proven_transport(result), loads.large_rows(result)
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
        return _Read(rows[-1].busbw_gbytes_per_s if domain else loads.wire_bandwidth(result, rows[-1]), floor.fail)

    def _read_rails(self, trial: Trial, reading: ParsedAnswer) -> Mapping[int, Lane]:
        """Slot -> the slower direction of that rail. Rails without both directions are left out, because the silent end may be the faulty one."""
        lanes_by_slot: dict[int, dict[str, Lane]] = {}
        for rail in reading.value.rails if not reading.error else ():
            planned = loads.planned_rails(self._expectations[rail.node]) if rail.node in self._expectations else {}
            floor = compare.floor(self._expectations[rail.node], "rail.bandwidth_share") if planned else None
            node = next((index for index in trial.nodes if self._wiring.nodes[index] == rail.node), None)
            if node is None or floor is None or rail.adapter not in planned:
                continue
            slot = self._wiring.rails[node].index(rail.adapter)
            value = rail.gbits_per_s / planned[rail.adapter].gbps
            if 0 <= value <= 1:  # nothing is faster than its line; a missing number is inconclusive
                lanes_by_slot.setdefault(slot, {})[rail.node] = Lane(value, floor.fail)
        return {
            slot: min(directions.values(), key=lambda lane: lane.value)
            for slot, directions in lanes_by_slot.items()
            if len(directions) == len(trial.nodes)
        }

    def _shares(
        self,
        trials: Sequence[Trial],
        collectives: Mapping[int, _Collective],
        lanes: Mapping[int, Mapping[int, Lane]],
        why: Mapping[int, str],
    ) -> list[TrialResult]:
        """Results as shares of the limit, or of the best peers in this run if those are higher: limits are floors, and a site may be better."""
        for at, reading in collectives.items():
            if isinstance(reading, _Read):
                self._peers[_alike(trials[at], trials[at].over)].append(reading.value)
            if not self._pair(trials[at]):
                self._peers[_alike(trials[at], self._ring)] += [lane.value for lane in lanes[at].values()]
        return [self._share(trial, collectives[at], lanes[at], why.get(at, "")) for at, trial in enumerate(trials)]

    def _share(self, trial: Trial, collective: _Collective, lanes: Mapping[int, Lane], why: str) -> TrialResult:
        """The result of one test. If its collective failed it did not run, whatever its rails reach: a node may have stopped it."""
        if isinstance(collective, str):
            return TrialResult(trial, None, why=collective)
        usual = 0.0 if self._pair(trial) else self._usual(_alike(trial, self._ring), best=False)
        rails = {slot: lane.value / max(lane.floor, usual) for slot, lane in lanes.items()}
        if collective is None:
            return TrialResult(trial, None, rails, "" if rails else why or "no rail was measured as a whole")
        best = self._usual(_alike(trial, trial.over), best=len(trial.nodes) == PAIR)
        return TrialResult(trial, collective.value / max(collective.floor, best), rails)

    def _usual(self, alike: tuple[int, str], *, best: bool) -> float:
        """The reference among equal tests: the best reading of pairs, because pairs are mostly tested when one end is suspect; of groups the start of
        the upper fifth.
        """
        peers = self._peers[alike]
        return max(peers) if best else float(np.quantile(peers, GOOD_QUANTILE)) if peers else 0.0


def _alike(trial: Trial, kind: str) -> tuple[int, str]:
    return len(trial.nodes).bit_length(), kind
