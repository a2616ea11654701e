"""What the controller of a rack PDU of the twin says."""

from __future__ import annotations

import hashlib

from rackwright.model.design import Design
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import Line, Outlet, PowerCircuit, RackPower, Unit
from rackwright.twin.hardware.parts.plant import Pdu
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent

LINES = ("L1", "L2", "L3")
BRANCHES = 6
"""Breakers of a three-phase PDU of 60 A, two for each line (Raritan PX3-5730)."""
MOST_TO_NEUTRAL = 250.0
"""Outlets take no more, so that a PDU of a higher voltage between lines is wired to neutral."""


def observe(state: State, design: Design, node: str) -> RackPower:
    """The PDU called `node`."""
    del design
    unit, seen = state.plant.units[node], state.plant.pdus[node]
    assert isinstance(unit, RackPdu), f"{node} is no rack PDU"
    if seen.silent:
        raise Silent(f"the controller of {node} does not answer: look at its network cable and its power")
    lines = _lines(unit, seen)
    alive = sum(line.watts or 0.0 for line in lines.values())
    return RackPower(
        unit=who(node, unit.part.manufacturer, unit.part.model, seen.health),
        watts=round(alive, 1),
        mains=[PowerCircuit(name="Mains A", breaker="", health="OK" if alive else "Critical", lines=lines)],
        branches=[_branch(number, lines, seen) for number in range(1, BRANCHES + 1)],
        outlets=_outlets(unit, seen, alive),
        unread=0,
    )


def who(name: str, manufacturer: str, model: str, health: str) -> Unit:
    """The plate of the thing called `name`."""
    serial = hashlib.sha256(name.encode()).hexdigest()[:10].upper()
    return Unit(manufacturer=manufacturer, model=model, serial=serial, firmware="4.3.11", health=health)


def _lines(unit: RackPdu, seen: Pdu) -> dict[str, Line]:
    volts = unit.circuit.volts / 3**0.5 if unit.circuit.volts > MOST_TO_NEUTRAL else float(unit.circuit.volts)
    found = {}
    for line, designed, share in zip(LINES, unit.line_watts, seen.line_shares, strict=True):
        dead = line in seen.dead_lines or seen.volts_share == 0
        watts = 0.0 if dead else round(designed * seen.load_share * share, 1)
        amps = round(watts / volts / unit.circuit.power_factor, 2)
        found[line] = Line(amps=amps, volts=0.0 if dead else round(volts * seen.volts_share, 1), watts=watts)
    return found


def _branch(number: int, lines: dict[str, Line], seen: Pdu) -> PowerCircuit:
    line = LINES[(number - 1) % len(LINES)]
    tripped = number in seen.tripped
    whole = lines[line]
    amps = 0.0 if tripped else round((whole.amps or 0.0) * len(LINES) / BRANCHES, 2)
    return PowerCircuit(
        name=f"Branch {number}",
        breaker="Tripped" if tripped else "Normal",
        health="Critical" if tripped else "OK",
        lines={line: Line(amps=amps, volts=0.0 if tripped else whole.volts, watts=None)},
    )


def _outlets(unit: RackPdu, seen: Pdu, watts: float) -> list[Outlet]:
    names = [f"{group.type}-{number}" for group in unit.part.outlets for number in range(1, group.count + 1)]
    each = round(watts / unit.cords, 1) if unit.cords else 0.0
    dark = range(seen.dark_outlets)
    return [
        Outlet(
            name=name, state="Off" if at in dark else "On", watts=each if at < unit.cords and at not in dark else 0.0
        )
        for at, name in enumerate(names)
    ]
