"""What nodes reach together, and all that it follows from as plain data.

`group_speed` of the twin's guests does the arithmetic, so that a program on a host and an observer tell the same.
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
    """What a group of nodes reaches."""
    return [_between(state, design, nodes, name) for name in BETWEEN]


def site(state: State, design: Design, nodes: Sequence[str]) -> dict[str, Any]:
    """All that the speed of groups of `nodes` follows from, as plain data (`group_speed`)."""
    members = [member(state, design, name) for name in nodes]
    kinds = {one.machine.model: one for one in members}
    return {
        "seed": state.seed,
        "kinds": {model_: _kind(one, len(members)) for model_, one in kinds.items()},
        "members": {
            one.machine.node: {**_member(one), "slow_with": _slow_with(state, one, members)}
            for one in members
            if model.given(one.machine)
        },
    }


def _between(state: State, design: Design, nodes: Sequence[str], name: Name) -> Collective:
    return Collective.model_validate(group_speed.result(site(state, design, nodes), list(nodes), name))


def _kind(one: Member, most: int) -> dict[str, Any]:
    """What healthy nodes of one kind reach together, by collective and number of nodes."""
    about, part = one.about, one.about.node.accelerator
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


def _member(one: Member) -> dict[str, Any]:
    """One node of a group."""
    performance, gpus = one.machine.performance, model.given(one.machine)
    used = [name for name in one.rails if performance.rail(name).used]
    return {
        "kind": one.machine.model,
        "rack": one.about.node.rack,
        "network": _network(one),
        "inside": min(model.links(one.machine, gpu) for gpu in gpus),
        "slowest_rail": min((performance.rail(name).bandwidth for name in used), default=1.0),
        "direct": performance.gpudirect and all(performance.rail(name).gpudirect for name in one.rails),
        "tcp": performance.tcp,
        "silent": performance.silent_log,
        "wrong": performance.wrong_elements,
        "rails": one.rails,
        "through": _through(one),
        "gpus": [accelerator(one, gpu) for gpu in gpus],
    }


def _slow_with(state: State, one: Member, members: Sequence[Member]) -> dict[str, float]:
    """Nodes with which it is slow, by itself or by lossy cables on the way between their rails, with the share that is left."""
    found = dict(one.machine.performance.slow_with)
    for other in members if state.lossy else ():
        ends = zip(one.rails, other.rails, strict=False)
        pairs = ((CableEnd(one.machine.node, a), CableEnd(other.machine.node, b)) for a, b in ends)
        left = min((ways.left(state, *pair) for pair in pairs), default=1.0)
        if other is not one and left < 1.0:
            found[other.machine.node] = min(left, found.get(other.machine.node, 1.0))
    return found


def _through(one: Member) -> dict[str, str]:
    """Rail whose bytes leave by the port of another -> that port."""
    other = {name: one.machine.performance.rail(name).through for name in one.rails}
    return {name: one.rails[number % len(one.rails)] for name, number in other.items() if number is not None}


def _network(one: Member) -> Transport:
    infiniband = any(nic.infiniband for nic in one.machine.nics if nic.name in one.rails)
    return "infiniband" if infiniband else "roce"


def _domain(about: Expectation, name: Name) -> float:
    part = about.node.accelerator
    return model.most(about, DOMAIN, part.scale_up_gbytes_per_s if part else 0.0, collective=name)
