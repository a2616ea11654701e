"""Compares the counters of switch ports with their limits."""

from __future__ import annotations

from collections.abc import Collection

from rackwright.compare.fabric import switch_name
from rackwright.compare.limits import limit, number
from rackwright.compare.named_readings import NamedReadings
from rackwright.model.check import Expectation
from rackwright.model.evidence.switch_port import CountingPort, SwitchPorts

METRIC = "fabric.port_counter"
GOOD = "below thresholds"


def beside_limits(
    expectation: Expectation, record: SwitchPorts, counters: Collection[str]
) -> NamedReadings[str | None]:
    """`GOOD`, or those of `counters` above their limit, for each port; a device whose ports were not all read is a
    missing reading.
    """
    rows = {name: limit(expectation, METRIC, counter=name) for name in counters}
    limits = {name: number(row) for name, row in rows.items() if row is not None}
    ports = [_high(port, limits) for port in record.ports]
    quiet = [GOOD if checked else None for checked in record.checked.values()]
    return NamedReadings(
        [*[None] * len(record.unread), *ports, *quiet],
        lambda: [
            *(f"all switches through {device} ({why})" for device, why in record.unread.items()),
            *(f"{switch_name(port.switch)} port {port.number}" for port in record.ports),
            *(f"any port of a switch through {device}" for device in record.checked),
        ],
    )


def _high(port: CountingPort, limits: dict[str, float]) -> str:
    bad = [
        f"{name} {port.counters[name]} of {most:g}"
        for name, most in limits.items()
        if port.counters.get(name, 0) > most
    ]
    return ", ".join(bad) or GOOD
