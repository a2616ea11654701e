"""Network interfaces of one host with a device behind them, and who is heard at the other end of their cables: one shell.

Sections are ``== name`` lines. Attributes are ``path:value`` lines of /sys/class/net; neighbours are those of lldpd, as one JSON
document. A host without an LLDP daemon leaves that section empty.
"""

import json
import re
from typing import Any

from rackwright.collect.collector import Collector, ParseError
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
STATISTICS = "statistics/"

Attributes = dict[str, dict[str, str]]


def parse(output: str) -> Ethernet:
    """All sections; the uptime must be there."""
    sections = _sections(output)
    uptime = "".join(text for _, text in sections.get("uptime", [])).strip()
    if not re.fullmatch(r"\d+(\.\d+)?", uptime):
        raise ParseError(1, uptime or output, "seconds since boot in section 'uptime'")
    heard = _neighbours(sections.get("neighbours", []))
    flow = _flow(sections.get("flow", []))
    return Ethernet(
        uptime_seconds=float(uptime),
        heard=heard is not None,
        ports={
            name: _port(said, (heard or {}).get(name, []), flow.get(name))
            for name, said in _attributes(sections.get("attributes", [])).items()
        },
        interfaces=_interfaces(sections.get("devices", [])),
    )


def _sections(output: str) -> dict[str, list[tuple[int, str]]]:
    sections: dict[str, list[tuple[int, str]]] = {}
    current: list[tuple[int, str]] = []
    for number, text in enumerate(output.splitlines(), start=1):
        if text.startswith("== "):
            current = sections.setdefault(text[3:].strip(), [])
        elif text.strip():
            current.append((number, text))
    return sections


def _attributes(lines: list[tuple[int, str]]) -> Attributes:
    found: Attributes = {}
    for number, text in lines:
        match = ATTRIBUTE.fullmatch(text)
        if match is None:
            raise ParseError(number, text, f"an attribute below {DEVICES}")
        found.setdefault(match["port"], {})[match["name"]] = match["value"].strip()
    return found


def _interfaces(lines: list[tuple[int, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, text in lines:
        words = text.split()
        if len(words) != len(("device", "interface")):
            raise ParseError(number, text, "an RDMA device and its network interface")
        found.setdefault(words[0], words[1])
    return found


def _flow(lines: list[tuple[int, str]]) -> dict[str, list[int]]:
    """Interface -> its priorities with flow control, from one JSON document of `dcb` each."""
    found: dict[str, list[int]] = {}
    for number, text in lines:
        name, _, document = text.partition(" ")
        try:
            switches = json.loads(document)["prio_pfc"]
            found[name] = [priority for priority, on in enumerate(switches) if on is True]
        except (ValueError, KeyError, TypeError):
            raise ParseError(number, text, "an interface and its flow control as JSON (dcb)") from None
    return found


def _port(said: dict[str, str], heard: list[Neighbour], lossless: list[int] | None) -> EthernetPort:
    speed = _count(said.get("speed", ""))
    return EthernetPort(
        mac=said.get("address", ""),
        operational=said.get("operstate", ""),
        mbps=speed or None,
        mtu=_count(said.get("mtu", "")) or 0,
        carrier_downs=_count(said.get("carrier_down_count", "")),
        counters={
            name.removeprefix(STATISTICS): int(value)
            for name, value in said.items()
            if name.startswith(STATISTICS) and value.isdecimal()
        },
        neighbours=heard,
        lossless=lossless,
    )


def _count(text: str) -> int | None:
    return int(text) if text.isdecimal() else None  # -1: the link is down


def _neighbours(lines: list[tuple[int, str]]) -> dict[str, list[Neighbour]] | None:
    """By interface; None when nothing answered."""
    if not lines:
        return None
    try:
        said = json.loads("\n".join(text for _, text in lines))
        found: dict[str, list[Neighbour]] = {}
        for part in said["lldp"]:
            for one in part.get("interface", []):
                neighbour = Neighbour(system=_value(one, "chassis", "name"), port=_port_name(one))
                found.setdefault(str(one["name"]), []).append(neighbour)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise ParseError(*lines[0], "neighbours of lldpcli as JSON (json0)") from None
    return found


def _value(one: dict[str, Any], *path: str) -> str:
    """The first value of a field; json0 makes a list of everything. Empty where the neighbour leaves it out."""
    found: Any = one
    for name in path:
        found = (found.get(name) or [{}])[0]
    return str(found.get("value", ""))


def _port_name(one: dict[str, Any]) -> str:
    """The name of the far port: its id when that is a name, else its description."""
    identity = ((one.get("port") or [{}])[0].get("id") or [{}])[0]
    if identity.get("type") in ("ifname", "local"):
        return str(identity.get("value", ""))
    return _value(one, "port", "descr") or str(identity.get("value", ""))


COLLECTOR = Collector(
    produces=Ethernet,
    parse=parse,
    seconds=30,
    roles=("accelerator", "slurm"),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
)
