"""What `mlxlink` prints of every RDMA port of a node."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from rackwright.model.design import Design, Link
from rackwright.model.evidence.link import LinkReading, Links, Module, Range
from rackwright.model.sku import NVIDIA_ADAPTERS, Cable
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import MachinePort, State, identifier

ANSWERED = True
FEC = "Standard_RS-FEC - (544,514)"
LINK_UP, ETHERNET_UP = "LinkUp", "ETH_AN_FSM_ENABLE"
"""Physical state of a port that carries traffic: on InfiniBand, and on Ethernet (MFT 4.34.1 of a ConnectX-7, yuuki/rdma_exporter testdata, 2026-11-25)."""
COPPER = "Passive copper cable"
FIBRE = "Optical Module (separated)"
THRESHOLDS = {"temperature": (-5.0, 75.0), "receive": (-8.0, 6.0), "transmit": (-6.0, 6.0)}
"""Alarm thresholds that a 400 Gb/s module holds (shape: mlxlink -m of an OSFP module of four lanes)."""
TRANSMIT_DBM = 2.0
WITHOUT_LOSSES = ("BlueField-3",)
"""Adapters of which ``mlxlink -c`` prints neither Link Down Counter nor Link Error Recovery Counter (scitix/sichek pull request 125, 2026-08-18)."""
FOREIGN = "-E- Failed to identify the device"
"""What the twin prints for adapters of other makers, of which mlxlink reads nothing. The words are the twin's own: none are published."""
SCATTER = {"errors": 4.0, "celsius": 10.0, "dbm": 1.5}
"""How far a healthy port may be off: a factor on its bit errors, degrees above, and light below the usual reading."""


def observe(state: State, design: Design, node: str) -> Links:
    """One reading per port that stands on the bus; no two healthy ports read the same, and each seed scatters them anew."""
    ports = wires.rdma_ports(state, design, node)
    readings = {
        nic.name: _reading(_scattered_port(state, node, nic), link, wires.rate(state, design, node, nic, link), design)
        for nic, link in ports
        if nic.adapter.startswith(NVIDIA_ADAPTERS)
    }
    return Links(ports=readings, unread={nic.name: FOREIGN for nic, _ in ports if nic.name not in readings})


def _scattered_port(state: State, node: str, nic: MachinePort) -> MachinePort:
    """The port with its analogue readings a little off, by a share that the seed and its name give."""
    share = int(identifier(str(state.seed), node, nic.name, "link"), 16) / 16 ** len(identifier(""))
    link = replace(
        nic.link,
        raw_ber=nic.link.raw_ber * (1 + SCATTER["errors"] * share),
        temperature_celsius=round(nic.link.temperature_celsius + SCATTER["celsius"] * share, 1),
        light_dbm=tuple(round(value - SCATTER["dbm"] * share, 2) for value in nic.link.light_dbm),
    )
    return replace(nic, link=link)


def _reading(nic: MachinePort, link: Link, gbps: int, design: Design) -> LinkReading:
    state_of_link, up = nic.link, gbps > 0
    name = wires.speed(gbps, state_of_link.lanes)
    errors = state_of_link.counters.get("symbol_error", 0)
    counts = up and nic.adapter not in WITHOUT_LOSSES
    symbols = up and nic.infiniband
    return LinkReading(
        state="Active" if up else "Polling",
        physical_state=(LINK_UP if nic.infiniband else ETHERNET_UP) if up else "Initializing",
        speed=(f"IB-{name}" if nic.infiniband else f"{gbps}G") if up else "",
        lanes=state_of_link.lanes if up else None,
        fec=(state_of_link.fec or FEC) if up else None,
        minutes=state_of_link.minutes if up else None,
        symbol_errors=errors if symbols else None,
        symbol_ber=state_of_link.symbol_ber if symbols else None,
        effective_errors=errors if up else None,
        effective_ber=state_of_link.effective_ber if up else None,
        raw_ber=state_of_link.raw_ber if up else None,
        downs=state_of_link.downs if counts else None,
        recoveries=state_of_link.counters.get("link_error_recovery", 0) if counts else None,
        advice="No issue was observed" if up else "The port is polling: check the cable and the other end",
        module=_module(nic, link, design.cable_parts.get(link.sku)),
    )


def _module(nic: MachinePort, link: Link, sku: Cable | None) -> Module | None:
    if sku is None:
        return None
    state_of_link, copper = nic.link, "copper" in sku.medium
    light = None if copper else Range(values=list(state_of_link.light_dbm), **_bounds("receive"))
    sent = None if copper else Range(values=[TRANSMIT_DBM] * len(state_of_link.light_dbm), **_bounds("transmit"))
    return Module(
        kind=COPPER if copper else FIBRE,
        vendor=sku.manufacturer,
        part=state_of_link.part or sku.model.split()[0],
        serial=f"MT{identifier(link.cable, nic.name)}".upper(),
        meters=(link.meters if state_of_link.meters is None else state_of_link.meters) if copper else None,
        temperature_celsius=None
        if copper
        else Range(values=[state_of_link.temperature_celsius], **_bounds("temperature")),
        receive_dbm=light,
        transmit_dbm=sent,
    )


def _bounds(name: str) -> dict[str, float]:
    least, most = THRESHOLDS[name]
    return {"least": least, "most": most}


def render(record: Links) -> bytes:
    """The sections that the collector parses to `record`."""
    documents = {device: json.dumps(_document(port), indent=1) for device, port in record.ports.items()}
    return "".join(f"== {device}\n{text}\n\n" for device, text in (documents | record.unread).items()).encode()


def _counted(port: LinkReading, counts: dict[str, float | None]) -> dict[str, str]:
    """Left out where a port that is up does not have them: symbols on Ethernet, losses on some adapters."""
    return {name: _text(count) for name, count in counts.items() if count is not None or port.minutes is None}


def _document(port: LinkReading) -> dict[str, Any]:
    output: dict[str, Any] = {
        "Operational Info": {
            "State": port.state,
            "Physical state": port.physical_state,
            "Speed": port.speed,
            "Width": "N/A" if port.lanes is None else f"{port.lanes}x",
            "FEC": _text(port.fec),
            "Loopback Mode": "No Loopback",
            "Auto Negotiation": "ON",
        },
        "Troubleshooting Info": {"Status Opcode": "0", "Group Opcode": "N/A", "Recommendation": port.advice},
        "Physical Counters and BER Info": {
            "Time Since Last Clear [Min]": _text(port.minutes),
            **_counted(port, {"Symbol Errors": port.symbol_errors, "Symbol BER": port.symbol_ber}),
            "Effective Physical Errors": _text(port.effective_errors),
            "Effective Physical BER": _text(port.effective_ber),
            "Raw Physical BER": _text(port.raw_ber),
            **_counted(port, {"Link Down Counter": port.downs, "Link Error Recovery Counter": port.recoveries}),
        },
        "Module Info": _module_fields(port.module) if port.module else {"Identifier": "N/A", "Vendor Name": "N/A"},
    }
    return {"result": {"output": output}, "status": {"code": 0, "message": "success"}}


def _module_fields(module: Module) -> dict[str, str]:
    return {
        "Identifier": "OSFP",
        "Cable Type": module.kind,
        "Vendor Name": module.vendor,
        "Vendor Part Number": f"{module.part:<16}",
        "Vendor Serial Number": module.serial,
        "Transfer Distance [m]": _text(module.meters or 0.0),
        "Temperature [C]": _range(module.temperature_celsius),
        "Rx Power Current [dBm]": _range(module.receive_dbm),
        "Tx Power Current [dBm]": _range(module.transmit_dbm),
    }


def _range(record: Range | None) -> str:
    if record is None:
        return "N/A"
    values = ",".join(f"{value!r}" for value in record.values)
    return values if record.least is None or record.most is None else f"{values} [{record.least!r}..{record.most!r}]"


def _text(value: float | str | None) -> str:
    return "N/A" if value is None else str(value)
