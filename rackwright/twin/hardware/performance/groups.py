"""What every node would get of the tests over several nodes, out of the state alone; and what their programs on a host read.

A burn-in starts such tests group by group; here each node's share is printed as one output of its own. The programs of the hosts
get the site as plain data, and what each rail reaches towards each node and each of its rails.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rackwright.collect import collector as library
from rackwright.collect.output import Ask, Output
from rackwright.model.design import Design
from rackwright.twin import tools
from rackwright.twin.hardware.performance import members, model, rails, together
from rackwright.twin.hardware.state import State


def outputs(
    design: Design, state: State, nodes: Sequence[str], through: tools.Through = tools.directly
) -> tuple[dict[str, list[str]], list[Output]]:
    """By node the ids of the collectors that owe it a record; their outputs."""
    owed: dict[str, list[str]] = {}
    said: list[Output] = []
    for identity, one in library.library().items():
        if one.scope != "group":
            continue
        for name in nodes:
            node = design.node(name)
            vendor = node.accelerator.vendor if node.accelerator else ""
            if node.role in one.roles and (not one.vendors or vendor in one.vendors):
                owed.setdefault(name, []).append(identity)
                answer = through(tools.asked, design, state, name, Ask(identity, one.seconds))
                said.append(replace(answer, subject=f"{identity} {name}", nodes=(name,)))
    return owed, said


def known(design: Design, state: State, node: str) -> str:
    """The file that ``guest/products/collectives.py`` reads on `node`; empty for a node without accelerators."""
    if not state.machines[node].gpus:
        return ""
    nodes = [name for name, one in state.machines.items() if model.given(one)]
    near = members.member(state, design, node)
    found: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in near.rails}
    for far in (members.member(state, design, name) for name in nodes if name != node):
        for number in range(min(len(near.rails), len(far.rails))):
            found[near.rails[number]][far.machine.node] = {
                "bandwidth": rails.speed(state, near, far, number).model_dump(),
                "latency": rails.delay(state, near, far, number).model_dump(),
                "to": {name: _reached(state, near, far, number, to) for to, name in enumerate(far.rails)},
            }
    return json.dumps({"site": together.site(state, design, nodes), "rails": found})


def _reached(state: State, near: members.Member, far: members.Member, rail: int, to: int) -> tuple[float, int | None]:
    """Gb/s, and the bytes that the tool says it sent."""
    one = rails.speed(state, near, far, rail, to)
    return one.gbits_per_s, one.reported_bytes
