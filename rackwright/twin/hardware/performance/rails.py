"""Records of perftest on the rails between a node and its partners, in both directions."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.design import Design
from rackwright.model.evidence.rail import (
    PortTraffic,
    RailBandwidth,
    RailDelay,
    RailLatency,
    RailRing,
    RailSpeed,
    RingFlow,
)
from rackwright.twin.hardware.performance import model, ways
from rackwright.twin.hardware.performance.members import Member, member
from rackwright.twin.hardware.state import CableEnd, State

TOOL = "perftest 6.20"
LINE_SHARE = 0.9775
"""Azure/azurehpc-health-checks sample log (read 2026-07-29): 390.98 of 400 Gb/s from GPU memory."""
USUAL_US = 2.0
BYTES = 8 << 20
SECONDS, ROUNDS, SMALL = 10, 20000, 2
"""Of the bandwidth test; iterations of the latency test and their bytes."""
HEADERS, PACKET, LEAST, IDLE_BYTES = 1.02, 4096, 64, 4096
"""Share that headers and the margins of a test add; bytes of a full packet and of the smallest; what an idle port sends meanwhile."""


def partners(state: State, node: str) -> list[str]:
    """Up to three other nodes with accelerators of the same kind: the next in both directions, and one half-way round."""
    kind = state.machines[node].kind
    ring = [
        name
        for name, machine in state.machines.items()
        if kind[1] and machine.kind == kind and machine.power_state == "On"
    ]
    if node not in ring:
        return []
    at = ring.index(node)
    places = (at + 1, at - 1, at + len(ring) // 2)
    return [name for name in dict.fromkeys(ring[place % len(ring)] for place in places) if name != node]


def bandwidth(state: State, design: Design, node: str) -> RailBandwidth:
    """Every rail between `node` and its partners."""
    pairs = _pairs(state, design, node)
    return RailBandwidth(
        tool=TOOL,
        rails=[speed(state, a, b, rail) for a, b in pairs for rail in range(min(len(a.rails), len(b.rails)))],
    )


def latency(state: State, design: Design, node: str) -> RailLatency:
    """Every rail between `node` and its partners."""
    pairs = _pairs(state, design, node)
    return RailLatency(
        tool=TOOL,
        rails=[delay(state, a, b, rail) for a, b in pairs for rail in range(min(len(a.rails), len(b.rails)))],
    )


def ring(state: State, design: Design, node: str) -> RailRing:
    """Rings of two, `node` with each of its partners: every rail sends to the next rail."""
    flows = [
        flow(state, a, b, rail, (rail + 1) % len(b.rails))
        for a, b in _pairs(state, design, node)
        for rail in range(min(len(a.rails), len(b.rails)))
    ]
    return RailRing(tool=TOOL, flows=flows)


def flow(state: State, near: Member, far: Member, rail: int, to: int) -> RingFlow:
    """Speed from `near` to `far` on one rail beside all other flows: a healthy fabric carries all of them."""
    pair = speed(state, near, far, rail, to)
    sent = next((port.sent_bytes for port in pair.ports if port.adapter == pair.adapter), None)
    return RingFlow(
        node=pair.node,
        adapter=pair.adapter,
        peer=pair.peer,
        peer_adapter=far.rails[to],
        link=pair.link,
        bytes=pair.bytes,
        gbits_per_s=pair.gbits_per_s,
        accelerator=pair.accelerator,
        gpudirect=pair.gpudirect,
        reported_bytes=pair.reported_bytes,
        sent_bytes=sent,
    )


def _pairs(state: State, design: Design, node: str) -> Sequence[tuple[Member, Member]]:
    here = member(state, design, node)
    there = [member(state, design, name) for name in partners(state, node)]
    return [pair for peer in there for pair in ((here, peer), (peer, here))]


def _line(host: Member, adapter: str) -> float:
    return next((port.gbps for port in host.about.node.server.ports if adapter in port.names), 0.0)


def speed(state: State, near: Member, far: Member, rail: int, to: int | None = None) -> RailSpeed:
    """Speed from `near` to `far` on one rail; `to`: the rail of `far` where it differs."""
    name, far_name = near.rails[rail], far.rails[rail if to is None else to]
    ends = [near.machine.performance.rail(name), far.machine.performance.rail(far_name)]
    direct = near.machine.performance.gpudirect and ends[0].gpudirect
    share = min(end.bandwidth for end in ends) * near.machine.performance.slow_with.get(far.machine.node, 1.0)
    share *= far.machine.performance.slow_with.get(near.machine.node, 1.0)
    share *= ways.delivered_share(state, CableEnd(near.machine.node, name), CableEnd(far.machine.node, far_name))
    crossed = [far_name] if to not in (None, rail) else []
    noise = model.noise(state, near.machine.node, far.machine.node, name, *crossed)
    per = max(1, len(near.rails) // max(1, len(near.machine.gpus)))
    rate = round(_line(near, name) * LINE_SHARE * share * noise, 2)
    count = int(rate * 1e9 / 8 * SECONDS / BYTES)
    return RailSpeed(
        node=near.machine.node,
        adapter=name,
        peer=far.machine.node,
        link="infiniband" if any(nic.infiniband for nic in near.machine.nics if nic.name == name) else "ethernet",
        bytes=BYTES,
        gbits_per_s=rate,
        bidirectional=False,
        accelerator=rail // per if direct else None,
        gpudirect="dmabuf" if direct else None,
        reported_bytes=count * BYTES,
        ports=_ports(near, rail, int(count * BYTES * HEADERS)),
    )


def _ports(near: Member, rail: int, moved: int) -> list[PortTraffic]:
    """Bytes of all ports of the node; they passed through the port of the rail, or through the one that the rail shares."""
    through = near.machine.performance.rail(near.rails[rail]).through
    carrier = near.rails[rail if through is None else through % len(near.rails)]
    return PortTraffic.filled(
        {
            "adapter": name,
            "sent_bytes": (moved if name == carrier else IDLE_BYTES) // 4 * 4,
            "received_bytes": (moved // PACKET * LEAST if name == carrier else IDLE_BYTES) // 4 * 4,
        }
        for name in near.rails
    )


def delay(state: State, near: Member, far: Member, rail: int) -> RailDelay:
    """Latency from `near` to `far` on one rail."""
    name, far_name = near.rails[rail], far.rails[rail]
    slower = max(near.machine.performance.rail(name).latency, far.machine.performance.rail(far_name).latency)
    best = model.least(near.about, "rail.latency_us", USUAL_US)
    typical = round(best * slower / model.noise(state, near.machine.node, far.machine.node, name, "delay"), 2)
    return RailDelay(
        node=near.machine.node,
        adapter=name,
        peer=far.machine.node,
        bytes=SMALL,
        microseconds_typical=typical,
        microseconds_99=round(typical * 1.1, 2),
        microseconds_most=round(typical * 4, 2),
        reported_bytes=SMALL * ROUNDS,
        ports=_ports(near, rail, LEAST * ROUNDS),
    )
