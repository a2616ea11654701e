"""Output of every node for multi-node tests, computed from the state alone; and the input of their programs on a host.

A burn-in starts such tests group by group; here the share of each node is one output of its own. The programs of the hosts get the
site as plain data, with the speed of each rail towards each rail of each node.
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
    """The collector ids that owe each node a record, by node; and the outputs."""
    owed: dict[str, list[str]] = {}
    outputs: list[Output] = []
    for identity, collector in library.library(design.roots).items():
        if collector.scope != "group":
            continue
        for name in nodes:
            node = design.node(name)
            vendor = node.accelerator.vendor if node.accelerator else ""
            if collector.schedulers and node.scheduler not in collector.schedulers:
                continue
            if node.role in collector.roles and (not collector.vendors or vendor in collector.vendors):
                owed.setdefault(name, []).append(identity)
                answer = through(tools.answer_request, design, state, name, Ask(identity, collector.seconds))
                outputs.append(replace(answer, subject=f"{identity} {name}", nodes=(name,)))
    return owed, outputs


def render_speeds(design: Design, state: State, node: str) -> str:
    """The file that ``guest/products/collectives.py`` reads on `node`; empty for a node without accelerators."""
    if not state.machines[node].gpus:
        return ""
    nodes = [name for name, machine in state.machines.items() if model.usable_gpus(machine)]
    near = members.member(state, design, node)
    rails_by_peer: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in near.rails}
    for far in (members.member(state, design, name) for name in nodes if name != node):
        for number in range(min(len(near.rails), len(far.rails))):
            rails_by_peer[near.rails[number]][far.machine.node] = {
                "bandwidth": rails.speed(state, near, far, number).model_dump(),
                "latency": rails.delay(state, near, far, number).model_dump(),
                "to": {name: _reached_rate(state, near, far, number, to) for to, name in enumerate(far.rails)},
            }
    return json.dumps({"site": together.site(state, design, nodes), "rails": rails_by_peer})


def _reached_rate(
    state: State, near: members.Member, far: members.Member, rail: int, to: int
) -> tuple[float, int | None]:
    """Gb/s, and the bytes that the tool reports as sent."""
    pair = rails.speed(state, near, far, rail, to)
    return pair.gbits_per_s, pair.reported_bytes
