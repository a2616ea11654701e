"""Runs the tests of an isolation on machines: collectives over groups, and RDMA bandwidth rail by rail between pairs.

In: tests; a run that starts them (`collect.rounds`), the design and limits. Out: what each reached, as a share of the limit or of what its
peers reached, whichever is more. A result without a proven path, without a limit, or over NVLink instead of the fabric is no reading:
the test counts as not run, with the reason. Raw output is in the evidence before it is read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rackwright import compare
from rackwright.collect import GroupTest
from rackwright.collect.group import Testing, words
from rackwright.collect.reading import Reading
from rackwright.compare import loads
from rackwright.errors import UsageError
from rackwright.isolate.trial import Told, Trial
from rackwright.isolate.wiring import Wiring
from rackwright.model.check import Expectation
from rackwright.model.design import Design

COLLECTIVES = {"nvidia": "nccl_group", "amd": "rccl_group"}
RAILS = {"nvidia": "rail_bandwidth", "amd": "rail_bandwidth"}
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


def collectors(design: Design, nodes: Sequence[str]) -> list[str]:
    """What is run on nodes of these; UsageError for accelerators that no test over several nodes is known for."""
    vendors = {one.accelerator.vendor for name in nodes if (one := design.node(name)).accelerator is not None}
    if len(vendors) != 1 or not vendors <= COLLECTIVES.keys():
        raise UsageError(
            f"--run: no test over nodes of {', '.join(sorted(vendors)) or 'no accelerators'}; name nodes of one of {', '.join(COLLECTIVES)}"
        )
    vendor = vendors.pop()
    return [COLLECTIVES[vendor], RAILS[vendor]]


class Machines:
    """A `Tester` on real nodes, or on those of a twin."""

    def __init__(
        self, design: Design, wiring: Wiring, expectations: Mapping[str, Expectation], testing: Testing
    ) -> None:
        self._design, self._wiring, self._expectations = design, wiring, expectations
        self._testing = testing
        self._collective, self._rail = collectors(design, wiring.nodes)
        self._peers: dict[tuple[int, str], list[float]] = defaultdict(list)
        """By binary digits of the number of nodes: groups of about one size."""
        self._round = 0

    def run(self, trials: list[Trial]) -> list[Told]:
        """Collectives of all tests at the same time, then rails of all pairs."""
        self._round += 1
        whole = [at for at, one in enumerate(trials) if not one.rails and not one.shift]
        pairs = [
            at for at, one in enumerate(trials) if len(one.nodes) == PAIR and one.over == "fabric" and not one.shift
        ]
        told: dict[int, _Read | str] = dict(enumerate(["nothing starts such a test"] * len(trials)))
        for at, reading in self._asked(self._collective, whole, trials):
            told[at] = self._read_whole(trials[at], reading)
        rails: dict[int, Mapping[int, _Read]] = {}
        for at, reading in self._asked(self._rail, pairs, trials):
            rails[at] = self._read_rails(trials[at], reading)
        return self._shares(trials, told, rails)

    def _asked(self, collector: str, places: Sequence[int], trials: Sequence[Trial]) -> list[tuple[int, Reading]]:
        tests = [self._test(collector, trials[at]) for at in places]
        return (
            [(at, reading) for at, (_, reading) in zip(places, self._testing.round(tests), strict=True)]
            if tests
            else []
        )

    def _test(self, collector: str, trial: Trial) -> GroupTest:
        nodes = tuple(self._wiring.nodes[node] for node in trial.nodes)
        shown = "+".join(nodes) if len(nodes) == PAIR else f"{nodes[0]}..{nodes[-1]} ({len(nodes)})"
        ports = {self._wiring.rails[trial.nodes[0]][slot] for slot in trial.rails}
        known = words(self._design, nodes[0])["rails"].split()
        chosen = [one for one in known if not ports or one.partition("=")[0] in ports]
        said = {"collective": COLLECTIVE, "rails": " ".join(chosen)}
        return GroupTest(collector, nodes, f"isolation {self._round} {collector} {shown}", said)

    def _read_whole(self, trial: Trial, reading: Reading) -> _Read | str:
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
        if domain != (trial.over == "nvlink"):
            return f"it went over {way}, which is not what is tested"
        metric = "collective.domain_gbytes_per_s" if domain else "collective.wire_gbytes_per_s"
        expectation = self._expectations[result.nodes[0]]
        floor = compare.floor(expectation, metric, collective=result.collective, nodes=str(len(result.nodes)))
        if floor is None:
            return f"no limit for {metric} of {result.collective} on {len(result.nodes)} nodes"
        return _Read(rows[-1].busbw_gbytes_per_s if domain else loads.wire(result, rows[-1]), floor.fail)

    def _read_rails(self, trial: Trial, reading: Reading) -> Mapping[int, _Read]:
        """The slower direction of every rail."""
        found: dict[int, _Read] = {}
        for rail in reading.value.rails if not reading.error else ():
            planned = loads.rails(self._expectations[rail.node]) if rail.node in self._expectations else {}
            floor = compare.floor(self._expectations[rail.node], "rail.bandwidth_share") if planned else None
            node = next((one for one in trial.nodes if self._wiring.nodes[one] == rail.node), None)
            if node is None or floor is None or rail.adapter not in planned:
                continue
            slot = self._wiring.rails[node].index(rail.adapter)
            value = rail.gbits_per_s / planned[rail.adapter].gbps
            found[slot] = min(
                found.get(slot, _Read(value, floor.fail)), _Read(value, floor.fail), key=lambda one: one.value
            )
        return found

    def _shares(
        self, trials: Sequence[Trial], told: Mapping[int, _Read | str], rails: Mapping[int, Mapping[int, _Read]]
    ) -> list[Told]:
        """Shares of the limit, or of what its peers in the whole run reached: limits are floors, and a site may be better."""
        for at, one in told.items():
            if isinstance(one, _Read):
                self._peers[len(trials[at].nodes).bit_length(), trials[at].over].append(one.value)
        found = []
        for at, trial in enumerate(trials):
            one = told[at]
            share = one.value / max(one.floor, self._usual(trial)) if isinstance(one, _Read) else None
            each = {slot: lane.value / lane.floor for slot, lane in rails.get(at, {}).items()}
            found.append(Told(trial, share, each, one if isinstance(one, str) else ""))
        return found

    def _usual(self, trial: Trial) -> float:
        """Of groups the upper fifth begins there; of pairs the best one, because most are asked as one end is suspected."""
        peers = self._peers[len(trial.nodes).bit_length(), trial.over]
        return max(peers) if len(trial.nodes) == PAIR else float(np.quantile(peers, GOOD))
