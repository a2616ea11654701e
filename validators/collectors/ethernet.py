"""Network interfaces of one host with a device behind them, and who is heard at the other end of their cables: one shell.

Sections are ``== name`` lines. Attributes are ``path:value`` lines of /sys/class/net; neighbours are those of lldpd, as one JSON
document. A host without an LLDP daemon leaves that section empty.
"""

import re
from functools import lru_cache
from typing import Any

from pydantic_core import from_json

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import sections
from rackwright.model.evidence.network import Ethernet, EthernetPort, Neighbour

DEVICES = "/sys/class/net"
SCRIPT = "; ".join((
    "echo '== uptime'", "cut -d ' ' -f 1 /proc/uptime",
    "echo '== attributes'",
    (f"for one in {DEVICES}/*; do [ -e $one/device ] && grep -Hs . $one/address $one/operstate $one/speed $one/mtu "
    "$one/carrier_down_count $one/statistics/*; done"),
    "echo '== devices'",
    ("for one in /sys/class/infiniband/*/device/net/*; do "
    "[ -e $one ] && rest=${one#/sys/class/infiniband/} && echo ${rest%%/*} ${one##*/}; done"),
    "echo '== flow'",
    (f"for one in {DEVICES}/*; do [ -e $one/device ] && said=$(dcb -j pfc show dev ${{one##*/}} 2>/dev/null) && "
    "echo ${one##*/} $said; done"),
    "echo '== neighbours'", "lldpcli show neighbors -f json0 2>/dev/null",
    "true",
))  # fmt: skip
ATTRIBUTE = re.compile(rf"{DEVICES}/(?P<port>[^/]+)/(?P<name>[a-z_/0-9]+):(?P<value>.*)")
UPTIME = re.compile(r"\d+(\.\d+)?")
STATISTICS = "statistics/"

Attributes = dict[str, dict[str, str]]


def parse(output: str) -> Ethernet:
    """All sections; the uptime must be there."""
    parts = sections.read(output)
    uptime = "".join(parts.get("uptime", [])).strip()
    if not UPTIME.fullmatch(uptime):
        raise ParseError(1, uptime or output, "seconds since boot in section 'uptime'")
    neighbours = _neighbours(output, parts.get("neighbours", []))
    flow = _flow(output, parts.get("flow", []))
    return Ethernet(
        uptime_seconds=float(uptime),
        heard=neighbours is not None,
        ports={
            name: _port(attributes, (neighbours or {}).get(name, []), flow.get(name))
            for name, attributes in _attributes(output, parts.get("attributes", [])).items()
        },
        interfaces=_interfaces(output, parts.get("devices", [])),
    )


def _attributes(output: str, lines: list[str]) -> Attributes:
    attributes: Attributes = {}
    for index, text in enumerate(lines):
        match = ATTRIBUTE.fullmatch(text)
        if match is None:
            raise ParseError(sections.number(output, "attributes", index), text, f"an attribute below {DEVICES}")
        port, name, value = match.groups()
        attributes.setdefault(port, {})[name] = value.strip()
    return attributes


def _interfaces(output: str, lines: list[str]) -> dict[str, str]:
    interfaces: dict[str, str] = {}
    for index, text in enumerate(lines):
        words = text.split()
        if len(words) != len(("device", "interface")):
            number = sections.number(output, "devices", index)
            raise ParseError(number, text, "an RDMA device and its network interface")
        interfaces.setdefault(words[0], words[1])
    return interfaces


def _flow(output: str, lines: list[str]) -> dict[str, list[int]]:
    """Interface -> its priorities with flow control, from one JSON document of `dcb` each."""
    lossless: dict[str, list[int]] = {}
    for index, text in enumerate(lines):
        name, _, document = text.partition(" ")
        try:
            lossless[name] = _priorities(document)
        except (ValueError, KeyError, TypeError):
            number = sections.number(output, "flow", index)
            raise ParseError(number, text, "an interface and its flow control as JSON (dcb)") from None
    return lossless


@lru_cache(maxsize=256)
def _priorities(document: str) -> list[int]:
    return [priority for priority, on in enumerate(from_json(document)["prio_pfc"]) if on is True]


def _port(attributes: dict[str, str], neighbours: list[Neighbour], lossless: list[int] | None) -> EthernetPort:
    speed = _count(attributes.get("speed", ""))
    return EthernetPort.unvalidated(
        mac=attributes.get("address", ""),
        operational=attributes.get("operstate", ""),
        mbps=speed or None,
        mtu=_count(attributes.get("mtu", "")) or 0,
        carrier_downs=_count(attributes.get("carrier_down_count", "")),
        counters={
            name.removeprefix(STATISTICS): int(value)
            for name, value in attributes.items()
            if name.startswith(STATISTICS) and value.isdecimal()
        },
        neighbours=neighbours,
        lossless=lossless,
    )


def _count(text: str) -> int | None:
    return int(text) if text.isdecimal() else None  # -1: the link is down


def _neighbours(output: str, lines: list[str]) -> dict[str, list[Neighbour]] | None:
    """Interface -> its neighbours; None if the output has none."""
    if not lines:
        return None
    try:
        report = from_json("\n".join(lines), cache_strings="keys")
        neighbours: dict[str, list[Neighbour]] = {}
        for part in report["lldp"]:
            for interface in part.get("interface", []):
                neighbour = Neighbour.unvalidated(
                    system=_value(interface, "chassis", "name"), port=_port_name(interface)
                )
                neighbours.setdefault(str(interface["name"]), []).append(neighbour)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        number = sections.number(output, "neighbours", 0)
        raise ParseError(number, lines[0], "neighbours of lldpcli as JSON (json0)") from None
    return neighbours


def _value(entry: dict[str, Any], *path: str) -> str:
    """The first value of a field; json0 makes a list of everything. Empty where the neighbour leaves it out."""
    value: Any = entry
    for name in path:
        value = (value.get(name) or [{}])[0]
    return str(value.get("value", ""))


def _port_name(neighbour: dict[str, Any]) -> str:
    """The name of the far port: its id when that is a name, else its description."""
    identity = ((neighbour.get("port") or [{}])[0].get("id") or [{}])[0]
    if identity.get("type") in ("ifname", "local"):
        return str(identity.get("value", ""))
    return _value(neighbour, "port", "descr") or str(identity.get("value", ""))


COLLECTOR = Collector(
    produces=Ethernet,
    parse=parse,
    as_root=True,
    seconds=30,
    roles=("accelerator", "slurm"),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
)
