"""What every node would get of the tests over several nodes, out of the state alone.

In: design, state, nodes. Out: for each node the collectors that owe it a record, and one output per collector with the results that it took
part in. A burn-in starts such tests group by group; here each node's share is printed as one output of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.collect import collector as collectors
from rackwright.collect.output import Ask, Output
from rackwright.model.design import Design
from rackwright.twin import observe
from rackwright.twin.state import State


def outputs(design: Design, state: State, nodes: Sequence[str]) -> tuple[dict[str, list[str]], list[Output]]:
    """By node the ids of the collectors that owe it a record; their outputs."""
    owed: dict[str, list[str]] = {}
    said: list[Output] = []
    for identity, one in collectors.library().items():
        if one.scope != "group":
            continue
        for name in nodes:
            node = design.node(name)
            vendor = node.accelerator.vendor if node.accelerator else ""
            if node.role in one.roles and (not one.vendors or vendor in one.vendors):
                owed.setdefault(name, []).append(identity)
                answer = observe.asked(design, state, name, Ask(identity, one.seconds))
                said.append(replace(answer, subject=f"{identity} {name}", nodes=(name,)))
    return owed, said
