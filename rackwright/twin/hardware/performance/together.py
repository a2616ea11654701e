"""Collectives over several nodes, and all values that their speed depends on, as plain data.

`group_speed` of the twin's guests does the arithmetic, so that a program on a host and an observer agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright import compare
from rackwright.model.check import Expectation
from rackwright.model.design import Design
from rackwright.model.evidence.collective import Collective, Transport
from rackwright.twin.guest.products import group_speed
from rackwright.twin.hardware.performance import model, ways
from rackwright.twin.hardware.performance.members import (
    LIBRARIES,
    RELEASES,
    VERSIONS,
    Member,
    Name,
    accelerator,
    member,
)
from rackwright.twin.hardware.state import CableEnd, State

BETWEEN: tuple[Name, ...] = ("all_reduce", "all_to_all")
DOMAIN = "collective.domain_gbytes_per_s"
BITS = 8


def between(state: State, design: Design, nodes: Sequence[str]) -> list[Collective]:
    """The record of a collective over a group of nodes."""
    group = site(state, design, nodes)
    return [Collective.model_validate(group_speed.result(group, list(nodes), name)) for name in BETWEEN]


def site(state: State, design: Design, nodes: Sequence[str]) -> dict[str, Any]:
    """All values that the speed of groups of `nodes` depends on, as plain data (`group_speed`)."""
    members = [member(state, design, name) for name in nodes]
    kinds = {host.machine.model: host for host in members}
    return {
        "seed": state.seed,
        "kinds": {model_: _kind(host, len(members)) for model_, host in kinds.items()},
        "members": {
            host.machine.node: {**_member(host), "slow_with": _slow_with(state, host, members)}
            for host in members
            if model.usable_gpus(host.machine)
        },
    }


def _kind(host: Member, most: int) -> dict[str, Any]:
    """Speed of healthy nodes of one kind together, by collective and number of nodes."""
    about, part = host.about, host.about.node.accelerator
    lines = [port.gbps * port.count for port in about.node.server.ports if port.role == "compute"]
    peak = sum(lines) / BITS / max(1, about.node.accelerators)
    metric, library = "collective.wire_gbytes_per_s", LIBRARIES.get(part.vendor if part else "", "nccl")
    wire = {
        name: {
            "": model.most(about, metric, peak, collective=name),
            **{str(k): model.most(about, metric, peak, collective=name, nodes=str(k)) for k in range(2, most + 1)},
        }
        for name in BETWEEN
    }
    domain = {
        name: _domain(about, name) for name in BETWEEN if compare.limit(about, DOMAIN, collective=name) is not None
    }
    facts = {"library": library, "library_version": RELEASES[library], "tool": VERSIONS[library]}
    return {"wire": wire, "domain": domain, "facts": facts}


def _member(host: Member) -> dict[str, Any]:
    """One node of a group."""
    performance, gpus = host.machine.performance, model.usable_gpus(host.machine)
    return {
        "kind": host.machine.model,
        "rack": host.about.node.rack,
        "network": _network(host),
        "inside": min(model.links(host.machine, gpu) for gpu in gpus),
        "slowest_rail": min((performance.rail(name).bandwidth for name in host.used), default=1.0),
        "direct": performance.gpudirect and all(performance.rail(name).gpudirect for name in host.rails),
        "tcp": performance.tcp,
        "silent": performance.silent_log,
        "wrong": performance.wrong_elements,
        "rails": host.rails,
        "through": _detours(host),
        "gpus": [accelerator(host, gpu) for gpu in gpus],
    }


def _slow_with(state: State, host: Member, members: Sequence[Member]) -> dict[str, float]:
    """Nodes with which `host` is slow, by itself or through lossy cables between their rails, with the remaining share."""
    shares = dict(host.machine.performance.slow_with)
    for peer in members if state.lossy else ():
        ends = zip(host.rails, peer.rails, strict=False)
        pairs = ((CableEnd(host.machine.node, a), CableEnd(peer.machine.node, b)) for a, b in ends)
        share = min((ways.delivered_share(state, *pair) for pair in pairs), default=1.0)
        if peer is not host and share < 1.0:
            shares[peer.machine.node] = min(share, shares.get(peer.machine.node, 1.0))
    return shares


def _detours(host: Member) -> dict[str, str]:
    """Rails whose bytes leave by the port of another rail -> that port."""
    ports = {name: host.machine.performance.rail(name).through for name in host.rails}
    return {name: host.rails[number % len(host.rails)] for name, number in ports.items() if number is not None}


def _network(host: Member) -> Transport:
    infiniband = any(nic.infiniband for nic in host.machine.nics if nic.name in host.rails)
    return "infiniband" if infiniband else "roce"


def _domain(about: Expectation, name: Name) -> float:
    part = about.node.accelerator
    return model.most(about, DOMAIN, part.scale_up_gbytes_per_s if part else 0.0, collective=name)
