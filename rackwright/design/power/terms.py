"""What the site declares about its circuits, computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.catalog import Catalog, power_practice
from rackwright.design.power.capacity import Lines, circuit_lines, load_volts, usable_watts
from rackwright.model.facility import Hall, Power, PowerLosses
from rackwright.model.plant import Pdu


def reaching(hall: Hall, feeds: Sequence[str]) -> tuple[int, ...]:
    """Places in `feeds` of those that reach `hall`."""
    return tuple(at for at, feed in enumerate(feeds) if not hall.feeds or feed in hall.feeds)


@dataclass(frozen=True)
class Terms:
    """Circuit figures that are the same for every rack of a hall."""

    feeds: tuple[str, ...]
    """Of the site."""
    reach: tuple[int, ...]
    """Places in `feeds` of those that reach the hall."""
    survive: PowerLosses
    usable: float
    """Watts a circuit may carry."""
    lines: Lines
    volts: float
    """At an outlet."""
    pdu: Pdu | None
    couplers: dict[str, float]
    """Rated amps by outlet type."""


def terms(power: Power, catalog: Catalog) -> Terms:
    """The terms of `power`."""
    practice = power_practice.load()
    circuit = power.circuit
    pdu = catalog.pdus[power.rack_pdu] if power.rack_pdu else None
    lines, volts = circuit_lines(circuit, practice.outlet_volts), load_volts(circuit, practice.outlet_volts)
    every = tuple(range(len(power.feeds)))
    return Terms(
        tuple(power.feeds), every, power.survive, usable_watts(circuit), lines, volts, pdu, practice.coupler_amps
    )
