"""ECN, traffic class and the map from DSCP to priorities of every RDMA device with a network interface: one shell.

Sections are ``== name`` lines, ``device interface`` pairs first. Files: ecn/roce_np and ecn/roce_rp below the interface, and
tc/1/traffic_class below the device, of NVIDIA's driver (MLNX_OFED, DOCA-OFED; upstream mlx5 has the first alone); the map is that of
`dcb app` (iproute2, dcb-app(8)), whose JSON holds triples (DSCP, priority, blank) up to iproute2 6.10.
"""

import json
import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.roce import Roce, RocePort

SCRIPT = "; ".join((
    "cd /sys/class/infiniband 2>/dev/null || exit 0",
    "echo '== devices'", "for one in */device/net/*; do [ -e $one ] && echo ${one%%/*} ${one##*/}; done",
    "echo '== ecn'", "grep -Hs . */device/net/*/ecn/roce_[nr]p/enable/*",
    "echo '== class'", "grep -Hs . */tc/1/traffic_class",
    "echo '== map'",
    ("for one in */device/net/*; do [ -e $one ] && said=$(dcb -j app show dev ${one##*/} dscp-prio 2>/dev/null) && "
    "echo ${one##*/} $said; done"),
    "true",
))  # fmt: skip
ECN = re.compile(r"([^/]+)/device/net/([^/]+)/ecn/roce_([nr])p/enable/(\d):([01])")
CLASS = re.compile(r"([^/]+)/tc/1/traffic_class:Global tclass=(\d+)")

Lines = list[tuple[int, str]]


def parse(output: str) -> Roce:
    """All sections; no output at all is a node without RDMA."""
    sections: dict[str, Lines] = {}
    current: Lines = []
    for number, text in enumerate(output.splitlines(), start=1):
        if text.startswith("== "):
            current = sections.setdefault(text[3:].strip(), [])
        elif text.strip():
            current.append((number, text.strip()))
    if output.strip() and "devices" not in sections:
        raise ParseError(1, output, "section 'devices'")
    points = {kind: _enabled(sections.get("ecn", []), kind) for kind in "nr"}
    classes = _classes(sections.get("class", []))
    maps = _maps(sections.get("map", []))
    ports = {}
    for number, text in sections.get("devices", []):
        device, _, interface = text.partition(" ")
        if not interface or " " in interface:
            raise ParseError(number, text, "an RDMA device and its network interface")
        ports.setdefault(
            device,
            RocePort(
                interface=interface,
                notifies=points["n"].get(device),
                reacts=points["r"].get(device),
                traffic_class=classes.get(device),
                priorities=maps.get(interface),
            ),
        )
    return Roce(ports=ports)


def _enabled(lines: Lines, kind: str) -> dict[str, list[int]]:
    enabled: dict[str, list[int]] = {}
    for number, text in lines:
        match = ECN.fullmatch(text)
        if match is None:
            raise ParseError(number, text, "a switch of ECN for one priority")
        if match[3] == kind:
            on = enabled.setdefault(match[1], [])
            on += [int(match[4])] if match[5] == "1" else []
    return enabled


def _classes(lines: Lines) -> dict[str, int]:
    """Device -> its global traffic class; rules for single connections, which may follow it, are skipped."""
    return {match[1]: int(match[2]) for _, text in lines if (match := CLASS.fullmatch(text))}


def _maps(lines: Lines) -> dict[str, dict[int, int]]:
    maps: dict[str, dict[int, int]] = {}
    for number, text in lines:
        interface, _, document = text.partition(" ")
        try:
            rows = json.loads(document).get("dscp_prio", [])
            maps[interface] = {int(row[0]): int(row[1]) for row in rows}
        except (ValueError, AttributeError, TypeError, LookupError):
            raise ParseError(number, text, "an interface and its map as JSON (dcb)") from None
    return maps


COLLECTOR = Collector(
    produces=Roce, parse=parse, seconds=20, roles=("accelerator",), command=("ionice", "-c", "3", "sh", "-c", SCRIPT)
)
