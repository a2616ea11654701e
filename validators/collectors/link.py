"""The physical layer of every RDMA port of a node with adapters of NVIDIA: one `mlxlink` call per device, one JSON document each.

Sections are ``== device`` lines. A device that the tool cannot read (not an NVIDIA one, firmware that hangs) leaves its
words instead of a document, and stands under `unread`. `ionice` keeps the readings behind everything else on the node.
Nodes with Slingshot adapters are read by `cxi` instead: a node has one reading of its links.
"""

import re
from functools import lru_cache
from typing import Any

from pydantic_core import from_json

from rackwright.base.finite_number import finite
from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.link import LinkReading, Links, Module, Range
from rackwright.model.sku import NVIDIA_ADAPTERS, SLINGSHOT

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
            ports[device] = _reading(from_json(text, cache_strings="keys")["result"]["output"])
        except (ValueError, KeyError, TypeError, AttributeError):
            unread[device] = " ".join(COLOURS.sub("", text).split()) or "nothing"
    return Links(ports=ports, unread=unread)


def _sections(output: str) -> dict[str, str]:
    before, *parts = f"\n{output}".split("\n== ")
    for number, line in enumerate(before.split("\n")[1:], start=1):
        if line.strip():
            raise ParseError(number, line, "a line `== device`")
    texts: dict[str, str] = {}
    for part in parts:
        device, _, text = part.partition("\n")
        texts[device.strip()] = texts.get(device.strip(), "") + text
    return texts


def _reading(parts: dict[str, Fields]) -> LinkReading:
    """Every value was just made, and has its type."""
    link, errors = parts["Operational Info"], parts.get("Physical Counters and BER Info", {})
    trouble = parts.get("Troubleshooting Info", {})
    lanes = str(link.get("Width", "")).removesuffix("x")
    return LinkReading.unvalidated(
        state=str(link["State"]),
        physical_state=str(link["Physical state"]),
        speed=str(link.get("Speed", "")),
        lanes=int(lanes) if lanes.isdecimal() else None,
        fec=_text(str(link.get("FEC", ""))),
        minutes=_number(str(errors.get("Time Since Last Clear [Min]", ""))),
        symbol_errors=_count(str(errors.get("Symbol Errors", ""))),
        symbol_ber=_number(str(errors.get("Symbol BER", ""))),
        effective_errors=_count(str(errors.get("Effective Physical Errors", ""))),
        effective_ber=_number(str(errors.get("Effective Physical BER", ""))),
        raw_ber=_number(str(errors.get("Raw Physical BER", ""))),
        downs=_count(str(errors.get("Link Down Counter", ""))),
        recoveries=_count(str(errors.get("Link Error Recovery Counter", ""))),
        advice=_text(str(trouble.get("Recommendation", ""))) or "",
        module=_module(parts.get("Module Info", {})),
    )


def _module(fields: Fields) -> Module | None:
    part = _text(str(fields.get("Vendor Part Number", "")))
    if part is None and _text(str(fields.get("Identifier", ""))) is None:
        return None
    return Module.unvalidated(
        kind=_text(str(fields.get("Cable Type", ""))) or "",
        vendor=_text(str(fields.get("Vendor Name", ""))) or "",
        part=part or "",
        serial=_text(str(fields.get("Vendor Serial Number", ""))) or "",
        meters=_number(str(fields.get("Transfer Distance [m]", ""))) or None,  # 0.0 of a module that takes a fibre
        temperature_celsius=_range(str(fields.get("Temperature [C]", ""))),
        receive_dbm=_range(str(fields.get("Rx Power Current [dBm]", ""))),
        transmit_dbm=_range(str(fields.get("Tx Power Current [dBm]", ""))),
    )


@lru_cache(maxsize=4096)
def _text(value: str) -> str | None:
    """None where the tool has nothing to say. Kept, like the three below, because the ports of a fleet say much the same."""
    text = value.strip()
    return None if text in ABSENT else text


@lru_cache(maxsize=4096)
def _number(value: str) -> float | None:
    text = _text(value)
    return None if text is None else finite(text)


@lru_cache(maxsize=4096)
def _count(value: str) -> int | None:
    text = _text(value)
    return None if text is None else int(text)


@lru_cache(maxsize=4096)
def _range(text: str) -> Range | None:
    match = RANGE.fullmatch(_text(text) or "")
    if match is None:
        return None
    values = [float(value) for value in match["values"].split(",") if value]
    least, most = match["least"], match["most"]
    return Range(values=values, least=float(least) if least else None, most=float(most) if most else None)


COLLECTOR = Collector(
    produces=Links,
    parse=parse,
    as_root=True,
    seconds=120,
    roles=("accelerator",),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
    owed=lambda node: not node.server.has_adapter(SLINGSHOT) and any(map(node.server.has_adapter, NVIDIA_ADAPTERS)),
)
