"""The physical layer of every RDMA port of a node: one `mlxlink` call per device, one JSON document each.

Sections are ``== device`` lines. A device that the tool cannot read (not an NVIDIA one, firmware that hangs) leaves its
words instead of a document, and stands under `unread`. `ionice` keeps the readings behind everything else on the node.
"""

import json
import re
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.link import LinkReading, Links, Module, Range

SCRIPT = (
    "tool=$(command -v mlxlink || command -v mstlink || echo mlxlink); "
    'for path in /sys/class/infiniband/*; do [ -e "$path" ] || continue; device=${path##*/}; echo "== $device"; '
    '"$tool" -d "$device" -m -c --json 2>&1; echo; done'
)
RANGE = re.compile(r"(?P<values>[-+.\deE,]+)(?:\s*\[(?P<least>[-+.\deE]+)\.\.(?P<most>[-+.\deE]+)\])?")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
ABSENT = ("", "N/A")

Fields = dict[str, Any]


def parse(output: str) -> Links:
    """Every section; at least one."""
    ports: dict[str, LinkReading] = {}
    unread: dict[str, str] = {}
    for device, text in _sections(output).items():
        try:
            said = json.loads(text)["result"]["output"]
            ports[device] = _reading(said)
        except (ValueError, KeyError, TypeError, AttributeError):
            unread[device] = " ".join(COLOURS.sub("", text).split()) or "nothing"
    return Links(ports=ports, unread=unread)


def _sections(output: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for number, line in enumerate(output.splitlines(), start=1):
        if line.startswith("== "):
            current = found.setdefault(line[3:].strip(), [])
        elif current is not None:
            current.append(line)
        elif line.strip():
            raise ParseError(number, line, "a line `== device`")
    if not found:
        raise ParseError(1, output, "at least one RDMA device")
    return {device: "\n".join(lines) for device, lines in found.items()}


def _reading(said: dict[str, Fields]) -> LinkReading:
    link, errors = said["Operational Info"], said.get("Physical Counters and BER Info", {})
    lanes = str(link.get("Width", "")).removesuffix("x")
    return LinkReading(
        state=str(link["State"]),
        physical_state=str(link["Physical state"]),
        speed=str(link.get("Speed", "")),
        lanes=int(lanes) if lanes.isdecimal() else None,
        fec=_text(link, "FEC"),
        minutes=_number(errors, "Time Since Last Clear [Min]"),
        symbol_errors=_count(errors, "Symbol Errors"),
        symbol_ber=_number(errors, "Symbol BER"),
        effective_errors=_count(errors, "Effective Physical Errors"),
        effective_ber=_number(errors, "Effective Physical BER"),
        raw_ber=_number(errors, "Raw Physical BER"),
        downs=_count(errors, "Link Down Counter"),
        recoveries=_count(errors, "Link Error Recovery Counter"),
        advice=_text(said.get("Troubleshooting Info", {}), "Recommendation") or "",
        module=_module(said.get("Module Info", {})),
    )


def _module(said: Fields) -> Module | None:
    if _text(said, "Vendor Part Number") is None and _text(said, "Identifier") is None:
        return None
    return Module(
        kind=_text(said, "Cable Type") or "",
        vendor=_text(said, "Vendor Name") or "",
        part=_text(said, "Vendor Part Number") or "",
        serial=_text(said, "Vendor Serial Number") or "",
        meters=_number(said, "Transfer Distance [m]"),
        temperature_celsius=_range(said, "Temperature [C]"),
        receive_dbm=_range(said, "Rx Power Current [dBm]"),
        transmit_dbm=_range(said, "Tx Power Current [dBm]"),
    )


def _text(said: Fields, name: str) -> str | None:
    text = str(said.get(name, "")).strip()
    return None if text in ABSENT else text


def _number(said: Fields, name: str) -> float | None:
    text = _text(said, name)
    return None if text is None else float(text)


def _count(said: Fields, name: str) -> int | None:
    text = _text(said, name)
    return None if text is None else int(text)


def _range(said: Fields, name: str) -> Range | None:
    match = RANGE.fullmatch(_text(said, name) or "")
    if match is None:
        return None
    values = [float(one) for one in match["values"].split(",") if one]
    least, most = match["least"], match["most"]
    return Range(values=values, least=float(least) if least else None, most=float(most) if most else None)


COLLECTOR = Collector(
    produces=Links,
    parse=parse,
    seconds=120,
    roles=("accelerator",),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
)
