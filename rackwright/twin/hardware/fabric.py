"""Renders the InfiniBand fabrics as built, and the files that simulate them inside the UFM hosts, or on the nodes of a site without.

Pure; the host's init starts the units in the files.

Port GUIDs come out as the state has them: ibsim numbers a port as node GUID + 1, so an adapter's node GUID is written as
its port GUID - 1. ibsim before 0.12 has no NDR: 400 Gb/s is written as 8 lanes of HDR (8 x 50), the same rate.
Several fabrics are several simulators: `ibnetdiscover -C DEVICE` chooses by the host's own port, as on a real host.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.design import Design
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import BuiltCable, CableEnd, State, TwinMachine

FOLDER = "/run/rackwright-twin/fabric"
PRELOAD = "/usr/lib/*/umad2sim/libumad2sim.so"
TOOLS = ("ibnetdiscover", "iblinkinfo", "ibstat", "ibhosts", "ibswitches", "smpquery")
SWITCH_GUID_PREFIX = "0xfc6a1c03"
RATES = {800: "w=8 s=7 e=4", 400: "w=4 s=7 e=4", 200: "w=2 s=7 e=4", 100: "w=2 s=7 e=2"}
"""Gb/s -> ibsim's link width and extended speed (ibsim, sim.h: width 8x is 4, 4x is 2; HDR is 4, EDR is 2)."""
SHOWN_FOR_XDR = "12xHDR"
"""What ibsim shows of 800 Gb/s, which it has no speed for: no port of InfiniBand has 12 lanes of HDR, and the tools print 4xXDR (rdma-core, ibdiag_common)."""
UNIT = """\
[Unit]
Description={description}
{after}
[Service]
Type={kind}
{lines}

[Install]
WantedBy=multi-user.target
"""


@dataclass(frozen=True)
class FabricPlan:
    """Rates of cables and numbers of ports, as designed."""

    rates: Mapping[str, int]
    numbers: Mapping[tuple[str, str], int]
    switch_ports: Mapping[str, int]

    @classmethod
    def of(cls, design: Design) -> FabricPlan:
        """The plan of `design`."""
        sizes = {
            row["device"]: design.switches[row["sku"]].ports.count
            for row in design.devices.iter_rows(named=True)
            if row["kind"] == "switch"
        }
        speaking = {fabric.name for fabric in design.site.fabrics if fabric.transport == "infiniband"}
        rows = [
            row for row in design.ports.iter_rows(named=True) if row["device"] in sizes and row["fabric"] in speaking
        ]
        cabled = [row for row in rows if row["cable"]]
        for row in cabled:  # split ports have numbers above those of whole ones
            sizes[row["device"]] = max(sizes[row["device"]], row["number"])
        # A fault may use a free port of the switch; a free half of a split port has a number that the switch does not reach.
        within = (row for row in rows if row["number"] <= sizes[row["device"]])
        numbers = {(row["device"], row["port"]): row["number"] for row in within}
        return cls({row["cable"]: row["gbps"] for row in design.cables.iter_rows(named=True)}, numbers, sizes)


def net_file(state: State, fabric: str, plan: FabricPlan) -> str:
    """The ibsim net file of `fabric`: every link on both ends; adapters of machines outside the twin are omitted."""
    ends: dict[str, list[str]] = {}
    for cable in state.cables:
        gbps = wires.trained(state, cable, plan.rates[cable.cable]) if cable.fabric == fabric else 0
        if gbps and _both_there(cable, state, plan):
            for near, far in ((cable.a, cable.b), (cable.b, cable.a)):
                line = f'[{_number(near, plan)}] "{_id(far, plan)}"[{_number(far, plan)}] {_rate(cable, gbps)}'
                ends.setdefault(_id(near, plan), []).append(line)
    switches = sorted({end.device for cable in state.cables if cable.fabric == fabric for end in (cable.a, cable.b)})
    blocks = [_switch(name, ends.get(name, []), plan) for name in switches if name in plan.switch_ports]
    for machine in state.machines.values():
        for nic in machine.nics:
            identity = f"{machine.node}:{nic.name}"
            if identity in ends:
                node_guid = int(nic.guid, 16) - 1
                head = f'caguid={node_guid:#018x}\nHca 1 "{identity}" # "{machine.node} {nic.name}"'
                blocks.append("\n".join([head, *ends[identity]]) + "\n")
    return "\n".join(blocks)


@cache
def switch_guid(name: str) -> str:
    """Node GUID of a switch, derived from its name."""
    return SWITCH_GUID_PREFIX + hashlib.sha256(f"switch/{name}".encode()).hexdigest()[:8]


def attached(state: State, machine: TwinMachine) -> dict[str, str]:
    """The fabrics that `machine` has a port on, each with the adapter of the first such port."""
    names: dict[str, str] = {}
    for cable in state.cables:
        for end in (cable.a, cable.b):
            if end.device == machine.node and cable.connected:
                names.setdefault(cable.fabric, end.port)
    return names


def serving_hosts(design: Design, state: State) -> list[str]:
    """The hosts that show fabrics: those with UFM, or all of a site without; the subnet managers of that one run in its switches."""
    managers = [node.name for node in design.nodes("ufm")]
    return [name for name in managers or state.machines if name in state.machines]


def files(state: State, node: str, plan: FabricPlan) -> list[dict[str, Any]]:
    """Files that make `node` (one of `serving_hosts`) show its fabrics."""
    fabrics = attached(state, state.machines[node])
    ports: list[dict[str, Any]] = []
    for fabric, adapter in fabrics.items():
        net = net_file(state, fabric, plan)
        ports.append({"path": f"{FOLDER}/{fabric}.net", "text": net, "mode": 0o644})
        for name, text in (("ibsim", _simulator(fabric, net)), ("opensm", _manager(fabric, f"{node}:{adapter}"))):
            ports.append({"path": f"/etc/systemd/system/{name}-{fabric}.service", "text": text, "mode": 0o644})
    wrapper = _wrapper(node, fabrics) if fabrics else ""
    return ports + [{"path": f"/usr/local/sbin/{tool}", "text": wrapper, "mode": 0o755} for tool in TOOLS if wrapper]


def units(state: State, node: str) -> list[str]:
    """The units among `files` that must be enabled."""
    fabrics = attached(state, state.machines[node])
    return [f"{name}-{fabric}.service" for fabric in fabrics for name in ("ibsim", "opensm")]


def _both_there(cable: BuiltCable, state: State, plan: FabricPlan) -> bool:
    return all(end.device in plan.switch_ports or end.device in state.machines for end in (cable.a, cable.b))


def _id(end: CableEnd, plan: FabricPlan) -> str:
    return end.device if end.device in plan.switch_ports else f"{end.device}:{end.port}"


def _number(end: CableEnd, plan: FabricPlan) -> int:
    return plan.numbers[end.device, end.port] if end.device in plan.switch_ports else 1


def _rate(cable: BuiltCable, gbps: int) -> str:
    if gbps not in RATES:
        raise ProblemsError(
            [
                Problem(
                    place=f"cable {cable.cable}",
                    path="gbps",
                    message="the fabric simulator cannot show this rate",
                    expected=" or ".join(map(str, sorted(RATES))) + " Gb/s",
                    found=f"{gbps} Gb/s",
                    next_step="rehearse with a switch and adapters of one of these rates",
                    code="twin.fabric_rate",
                )
            ]
        )
    return RATES[gbps]


def _switch(name: str, lines: list[str], plan: FabricPlan) -> str:
    head = f'switchguid={switch_guid(name)}\nSwitch {plan.switch_ports[name]} "{name}" # "{name}"'
    return "\n".join([head, *lines]) + "\n"


def _simulator(fabric: str, net: str) -> str:
    switches = net.count("switchguid=")
    nodes = switches + net.count("caguid=")
    ports = sum(int(line.split()[1]) + 1 for line in net.splitlines() if line.startswith(("Switch", "Hca")))
    start = f"ibsim -s -n -N {nodes + 8} -S {switches + 8} -P {ports + 64} {FOLDER}/{fabric}.net"
    lines = f"Environment=IBSIM_SOCKNAME={fabric}\nExecStart=/usr/bin/{start}"
    return UNIT.format(description=f"Simulated InfiniBand fabric {fabric}", after="", kind="simple", lines=lines)


def _manager(fabric: str, port: str) -> str:
    environment = f"IBSIM_SOCKNAME={fabric} SIM_HOST={port} OSM_CACHE_DIR=/run OSM_TMP_DIR=/run"
    waits = f"until grep -q '@{fabric}:ctl' /proc/net/unix; do sleep 0.02; done"
    sweep = f"LD_PRELOAD=$(echo {PRELOAD}) exec /usr/sbin/opensm -o -f /run/rackwright-twin/log/opensm"
    return UNIT.format(
        description=f"Subnet manager of fabric {fabric}",
        after=f"Requires=ibsim-{fabric}.service\nAfter=ibsim-{fabric}.service",
        kind="oneshot",
        lines=f"Environment={environment}\nRemainAfterExit=yes\nTimeoutStartSec=60s\n"
        f'ExecStart=/bin/sh -c "{waits}; {sweep.replace("$", "$$")}"',
    )


def _wrapper(node: str, fabrics: Mapping[str, str]) -> str:
    default = next(iter(fabrics))
    cases = "\n".join(f"    {adapter}) fabric={fabric};;" for fabric, adapter in fabrics.items())
    names = "\n".join(f"    {fabric}) adapter={adapter};;" for fabric, adapter in fabrics.items())
    return f"""\
#!/bin/sh
# Runs the real program on the simulated fabric; -C chooses the fabric by this host's own adapter.
chosen=""
count=$#
while [ "$count" -gt 0 ]; do
    word=$1; shift; count=$((count - 1))
    case $word in
    -C|--Ca) chosen=$1; shift; count=$((count - 1));;
    --Ca=*) chosen=${{word#--Ca=}};;
    *) set -- "$@" "$word";;
    esac
done
case ${{chosen:-default}} in
    default) fabric={default};;
{cases}
    *) echo "$(basename "$0"): this host has no adapter $chosen on a fabric" >&2; exit 1;;
esac
case $fabric in
{names}
esac
export IBSIM_SOCKNAME=$fabric SIM_HOST={node}:$adapter
output=$(LD_PRELOAD=$(echo {PRELOAD}) /usr/sbin/"$(basename "$0")" "$@")
code=$?
printf '%s\\n' "$output" | sed 's/{SHOWN_FOR_XDR}/4xXDR/'
exit $code
"""
