"""Power: circuits per rack and feed, and the circuit every power supply hangs on.

The supplies of a device are dealt over the feeds, starting one feed further for each device of a rack, so that feeds
carry alike. A rack gets as many circuits per feed as its load needs after the declared number of feeds is lost.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rackwright.design import naming
from rackwright.design.placement import Device, Layout
from rackwright.model.facility import Circuit, Power


@dataclass(frozen=True)
class RackCircuit:
    """One circuit of one rack; loads in watts with every feed alive."""

    circuit: str
    rack: str
    feed: str
    usable_watts: float
    load_watts: float


@dataclass(frozen=True)
class Psu:
    """One power supply; `psu` counts from 1."""

    device: str
    psu: int
    watts: int
    circuit: str
    feed: str


def usable_watts(circuit: Circuit) -> float:
    """Continuous watts of one circuit: ``sqrt(phases) * V * A * derating * power factor``.

    The derating of 0.8 is that of NEC 210.20(A) for continuous load; other codes differ, so it is an input.
    """
    raw = math.sqrt(circuit.phases) * circuit.volts * circuit.amps
    return raw * circuit.derating * circuit.power_factor


def losses(feeds: Sequence[str], survive: int) -> Iterator[frozenset[str]]:
    """Every set of feeds that may fail together, the empty one first."""
    for count in range(min(survive, len(feeds)) + 1):
        yield from (frozenset(lost) for lost in combinations(feeds, count))


def circuits(power: Power, layout: Layout) -> tuple[list[RackCircuit], list[Psu]]:
    """Circuits and power supplies of the whole site, rack by rack."""
    by_rack: dict[str, list[Device]] = defaultdict(list)
    for device in layout.present():
        by_rack[device.rack].append(device)
    usable = usable_watts(power.circuit)
    all_circuits: list[RackCircuit] = []
    all_psus: list[Psu] = []
    for rack in layout.racks():
        devices = by_rack[rack]
        per_feed = max(1, math.ceil(worst_feed_watts(power, devices) / usable))
        psus = [psu for at, device in enumerate(devices) for psu in _psus(power, rack, device, at, per_feed)]
        all_psus += psus
        all_circuits += _loads(power, rack, per_feed, usable, psus, devices)
    return all_circuits, all_psus


def worst_feed_watts(power: Power, devices: Sequence[Device]) -> float:
    """The highest load of any feed of a rack after any loss that must be survived."""
    worst = 0.0
    for lost in losses(power.feeds, power.survive.feeds):
        load: dict[str, float] = defaultdict(float)
        for at, device in enumerate(devices):
            alive = [feed for feed in _feeds(power, device, at) if feed not in lost]
            for feed in alive:
                load[feed] += device.part.peak_watts / len(alive)
        worst = max([worst, *load.values()])
    return worst


def _feeds(power: Power, device: Device, at: int) -> list[str]:
    return [power.feeds[(at + number) % len(power.feeds)] for number in range(device.part.psus.count)]


def _psus(power: Power, rack: str, device: Device, at: int, per_feed: int) -> list[Psu]:
    watts = device.part.psus.watts_each
    number_of = at % per_feed + 1
    return [
        Psu(device.name, number, watts, naming.circuit(rack, feed, number_of), feed)
        for number, feed in enumerate(_feeds(power, device, at), start=1)
    ]


def _loads(
    power: Power, rack: str, per_feed: int, usable: float, psus: Iterable[Psu], devices: Iterable[Device]
) -> list[RackCircuit]:
    peak = {device.name: device.part.peak_watts / device.part.psus.count for device in devices}
    load: dict[str, float] = defaultdict(float)
    for psu in psus:
        load[psu.circuit] += peak[psu.device]
    names = [(feed, naming.circuit(rack, feed, i)) for feed in power.feeds for i in range(1, per_feed + 1)]
    return [RackCircuit(name, rack, feed, round(usable, 1), round(load[name], 1)) for feed, name in names]
