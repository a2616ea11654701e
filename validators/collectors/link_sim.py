"""Prints the physical layer as the script of `link` does: one JSON document of `mlxlink` per device."""

import json
from typing import Any

from rackwright.model.evidence.link import LinkReading, Links, Module, Range


def render(seen: Links) -> bytes:
    """The sections whose parse is `seen`."""
    documents = {device: json.dumps(_document(port), indent=1) for device, port in seen.ports.items()}
    return "".join(f"== {device}\n{text}\n\n" for device, text in (documents | seen.unread).items()).encode()


def _document(port: LinkReading) -> dict[str, Any]:
    output: dict[str, Any] = {
        "Operational Info": {
            "State": port.state,
            "Physical state": port.physical_state,
            "Speed": port.speed,
            "Width": "N/A" if port.lanes is None else f"{port.lanes}x",
            "FEC": _said(port.fec),
            "Loopback Mode": "No Loopback",
            "Auto Negotiation": "ON",
        },
        "Troubleshooting Info": {"Status Opcode": "0", "Group Opcode": "N/A", "Recommendation": port.advice},
        "Physical Counters and BER Info": {
            "Time Since Last Clear [Min]": _said(port.minutes),
            "Symbol Errors": _said(port.symbol_errors),
            "Symbol BER": _said(port.symbol_ber),
            "Effective Physical Errors": _said(port.effective_errors),
            "Effective Physical BER": _said(port.effective_ber),
            "Raw Physical BER": _said(port.raw_ber),
            "Link Down Counter": _said(port.downs),
            "Link Error Recovery Counter": _said(port.recoveries),
        },
        "Module Info": _module(port.module) if port.module else {"Identifier": "N/A", "Vendor Name": "N/A"},
    }
    return {"result": {"output": output}, "status": {"code": 0, "message": "success"}}


def _module(module: Module) -> dict[str, str]:
    return {
        "Identifier": "OSFP",
        "Cable Type": module.kind,
        "Vendor Name": module.vendor,
        "Vendor Part Number": f"{module.part:<16}",
        "Vendor Serial Number": module.serial,
        "Transfer Distance [m]": _said(module.meters),
        "Temperature [C]": _range(module.temperature_celsius),
        "Rx Power Current [dBm]": _range(module.receive_dbm),
        "Tx Power Current [dBm]": _range(module.transmit_dbm),
    }


def _range(seen: Range | None) -> str:
    if seen is None:
        return "N/A"
    values = ",".join(f"{value!r}" for value in seen.values)
    return values if seen.least is None or seen.most is None else f"{values} [{seen.least!r}..{seen.most!r}]"


def _said(value: float | str | None) -> str:
    return "N/A" if value is None else str(value)
