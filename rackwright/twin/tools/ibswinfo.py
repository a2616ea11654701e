"""What `ibswinfo.sh` prints of the switches of a subnet, on a machine for subnet managers.

Lines, their order and the values of a healthy switch are those of outputs that people published: a QM9700 of release 0.8, whose controller keeps part
numbers, draw and fans to itself (stanford-rc/ibswinfo issue 28), and the speeds of the fans of a Quantum-2 without one (stanford-rc/ibswinfo pull
request 19). Modules come with `-T` as the script prints them (ibswinfo.sh at d90dd158).
"""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.switch_health import (
    WELL,
    SubnetSwitches,
    SwitchHealth,
    SwitchPart,
)
from rackwright.model.evidence.temperature_table import TemperatureTable
from rackwright.model.sku import Switch
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.fabric import FabricPlan, switch_guid
from rackwright.twin.hardware.parts.switch import SwitchState
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent
from rackwright.twin.tools.switch_ports import switches_of

ANSWERED = True
FIRMWARE = "31.2012.4036"
FANS = (6754, 5964, 6720, 5884, 6859, 5929, 6754, 5964)
"""Revolutions a minute of a Quantum-2; of its fourteen fans the first six are published, the last two here repeat the first."""
WARNS = (95, 105)
MODULE_CELSIUS = 48.0
"""Of a module in service (`tests/cases/collectors/link/three_devices.yaml`)."""
WITHOUT_CURRENT = "DC power ERROR, fan status ERROR"
STILL = "stands still"
DOUBLE, SINGLE = "=" * 49, "-" * 49


def observe(state: State, design: Design, node: str) -> SubnetSwitches:
    """The switches behind every InfiniBand port of `node` whose link trains."""
    plan = FabricPlan.of(design)
    skus = {row["device"]: row["sku"] for row in design.devices.iter_rows(named=True)}
    names = {
        name
        for nic, link in wires.rdma_ports(state, design, node)
        if wires.rate(state, design, node, nic, link)
        for name in switches_of(state, link.fabric, plan)
    }
    if not names:
        raise Silent(f"{node} has no InfiniBand port with a link")
    lit = _lit_cages(state, design, plan)
    switches = {
        switch_guid(name): _switch(name, design.switches[skus[name]], state.switches[name], lit.get(name, set()))
        for name in sorted(names)
    }
    return SubnetSwitches(switches=switches, unread={})


def _lit_cages(state: State, design: Design, plan: FabricPlan) -> dict[str, set[int]]:
    """By switch: the cages with a cable that is light in fibre."""
    fibre = {
        row["cable"]
        for row in design.cables.iter_rows(named=True)
        if row["sku"] in design.cable_parts and "copper" not in design.cable_parts[row["sku"]].medium
    }
    skus = {row["device"]: row["sku"] for row in design.devices.iter_rows(named=True)}
    lit: dict[str, set[int]] = {}
    for cable in state.cables:
        for end in (cable.a, cable.b) if cable.connected and cable.cable in fibre else ():
            if (end.device, end.port) in plan.numbers:
                per_cage = design.switches[skus[end.device]].ports.per_cage
                lit.setdefault(end.device, set()).add((plan.numbers[end.device, end.port] - 1) // per_cage + 1)
    return lit


def _switch(name: str, part: Switch, switch: SwitchState, lit: set[int]) -> SwitchHealth:
    managed = bool(part.management_port)
    listed = () if managed else range(1, len(FANS) + 1)
    alarm, cages = "ERROR" if switch.still_fans else WELL, sorted(lit)
    return SwitchHealth(
        switch=f"MF0;{name}:{part.model}/U1" if managed else name,
        model=part.model,
        serial=f"MT{switch_guid(name)[-8:]}",
        firmware=FIRMWARE,
        supplies=[
            SwitchPart(name=f"PSU{number}", state=WITHOUT_CURRENT if number in switch.dark_supplies else WELL)
            for number in range(part.psus.count)
        ],
        fans=[
            SwitchPart(name="fans", state=alarm),
            *(SwitchPart(name=f"fan {at}", state=STILL if at in switch.still_fans else WELL) for at in listed),
        ],
        temperatures=TemperatureTable(["ASIC"], [switch.celsius], [float(WARNS[0])]),
        modules=TemperatureTable(
            [f"module {cage}" for cage in cages],
            [switch.module_celsius.get(cage, MODULE_CELSIUS) for cage in cages],
            [None] * len(cages),
        ),
    )


def render(record: SubnetSwitches) -> bytes:
    """The sections that the collector parses to `record`, all switches behind one device."""
    blocks = [_block(lid, guid, switch) for lid, (guid, switch) in enumerate(record.switches.items(), start=1)]
    return ("== mlx5_0\n" + "".join(blocks)).encode()


def _block(lid: int, guid: str, switch: SwitchHealth) -> str:
    lines = [
        f"-- {guid} lid {lid} {switch.switch}", DOUBLE, f" {switch.switch}", DOUBLE,
        _line("part number", switch.model), _line("serial number", switch.serial), _line("GUID", guid),
        _line("firmware version", switch.firmware), SINGLE,
    ]  # fmt: skip
    for part in switch.supplies:
        wrong = dict(fault.rsplit(" ", 1) for fault in (part.state or "").split(", ") if part.state not in (None, WELL))
        reported = "" if part.state is None else WELL
        lines.append(_line(f"{part.name} status", wrong.get("status", reported)))
        if reported:
            lines += [_line(f"     {name}", wrong.get(name, WELL)) for name in ("DC power", "fan status")]
    (sensor,) = switch.temperatures
    lines += [SINGLE, _line("temperature (C)", _number(sensor.celsius))]
    if sensor.most is not None:
        lines.append(_line("warn threshold (C)", f"{sensor.most:g}/{sensor.most + WARNS[1] - WARNS[0]:g} (low/high)"))
    lines += [
        _line(f"module#{int(module.name.split()[1]):02} (C) ", _number(module.celsius)) for module in switch.modules
    ]
    (alarm, *fans) = switch.fans
    lines += [SINGLE, _line("fan status", alarm.state or "")]
    speeds = {None: "", STILL: "0"}
    lines += [_line(f"fan#{fan.name.split()[1]} (rpm)", speeds.get(fan.state, str(FANS[0]))) for fan in fans]
    return "".join(f"{line}\n" for line in [*lines, SINGLE])


def _line(key: str, value: str) -> str:
    return f"{key:<18} | {value}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"
