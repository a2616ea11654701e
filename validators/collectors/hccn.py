"""The network ports of the NPUs of a node: hccn_tool prints link, health of the network and optical module of each, in one shell.

Sections are ``== N`` lines, N the number of an NPU (``/dev/davinciN``). Shapes: hccn_tool's own source (g_net_health_status, ``%-21s: %.4f mW``,
lanes ``Tx Power0`` to ``Tx Power3``, NA for what a module does not hold, ``name:number`` of packet statistics), and Ascend/mind-cluster, user guide of ascend-faultdiag (2026-08-21).
The neighbour is printed as lldptool of lldpad prints it: a line that names the field, and its value on the next line.
"""

import re
from itertools import pairwise

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import figures, sections
from rackwright.model.evidence.link import Range
from rackwright.model.evidence.npu_port import NpuPort, NpuPorts

SCRIPT = (
    'for path in /dev/davinci[0-9]*; do [ -e "$path" ] || continue; npu=${path#/dev/davinci}; echo "== $npu"; '
    'for part in -link -net_health -optical -stat -lldp; do hccn_tool -i "$npu" "$part" -g 2>&1; done; done'
)
PAIR = re.compile(r"^\s*([A-Za-z][\w ]*?)\s*: *(.*?)\s*$")
LANES = re.compile(r"^(Tx|Rx) Power[0-3]?$")
COUNTER = re.compile(r"^(mac|roce|nic)_\w+_num:\d{1,20}$")
NEIGHBOUR = {"switch": "System Name TLV", "switch_port": "Port ID TLV"}
"""Field of the record -> the line before its value."""
FLAGS = ("Tx Los Flag", "Rx Los Flag", "Tx LoL Flag", "Rx LoL Flag")


def parse(output: str) -> NpuPorts:
    """Every section; at least one."""
    parts = sections.read(output)
    odd = next((name for name in parts if not name.isdecimal()), None)
    if not parts or odd is not None:
        raise ParseError(1, f"== {odd}" if odd is not None else output, "a line `== number of an NPU`")
    return NpuPorts(ports={name: _port(lines) for name, lines in parts.items()})


def _port(lines: list[str]) -> NpuPort:
    pairs = {match[1]: match[2] for line in lines if (match := PAIR.match(line))}
    module = pairs.get("present")
    return NpuPort(
        link=pairs.get("link status", ""),
        net_health=pairs.get("net health status", ""),
        module=None if module is None else module == "present",
        receive=_power(pairs, "Rx"),
        transmit=_power(pairs, "Tx"),
        lost=[flag.removesuffix(" Flag") for flag in FLAGS if pairs.get(flag, "0x0").strip("0x")],
        counters={name: int(count) for line in lines if COUNTER.match(line) for name, count in [line.split(":")]},
        **{field: _announced(lines, heading) for field, heading in NEIGHBOUR.items()},
    )


def _announced(lines: list[str], heading: str) -> str:
    """The value below `heading`, without the word for its kind of name; empty if it is not announced."""
    value = next((after.strip() for line, after in pairwise(lines) if line.strip() == heading), "")
    return value.removeprefix("Ifname:").strip()


def _power(pairs: dict[str, str], way: str) -> Range | None:
    """The lanes that print a power, with both thresholds; None without a lane."""
    lanes = [_milliwatts(value) for name, value in pairs.items() if LANES.match(name) and name.startswith(way)]
    values = [value for value in lanes if value is not None]
    least, most = (_milliwatts(pairs.get(f"{way}Power {end} Thres", "")) for end in ("Low", "High"))
    return Range(values=values, least=least, most=most) if values else None


def _milliwatts(text: str) -> float | None:
    return figures.decimal(text.removesuffix("mW").strip())


COLLECTOR = Collector(
    produces=NpuPorts,
    parse=parse,
    as_root=True,
    seconds=60,
    roles=("accelerator",),
    vendors=("huawei",),
    owed=lambda node: node.accelerator is not None and node.accelerator.own_port,
    command=("sh", "-c", SCRIPT),
)
