"""What nodes answer to adoption: rendered by the tools of the twin, or recorded output of real ones."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from rackwright import adopt, catalog, design
from rackwright.adopt import Knowledge, NodeReading
from rackwright.base import yaml_text
from rackwright.collect import survey
from rackwright.collect.output import Output
from rackwright.collect.store.reading import ParsedAnswer, reading
from rackwright.design.sizing import SizeRequest, site_text, size_site
from rackwright.design.sizing.choose import fitting_fabrics
from rackwright.flow import adopted_nodes, adoption
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.twin import tools
from rackwright.twin.hardware.state import State, build
from rackwright.twin.tools import _identity

CASES = Path(__file__).parents[2] / "cases" / "collectors"
AGENTS = {"slurm": "slurmd", "kubernetes": "kubelet"}
FIRST = 32
"""Offset of the first node in the in-band subnet of a sized site."""


@cache
def sized_design(server: str, nodes: int = 2) -> Design:
    """The design of a sized site of a server."""
    parts = catalog.load()
    fabric = fitting_fabrics(server, nodes, "", 0, parts)[0]
    sized = size_site(SizeRequest(nodes * parts.servers[server].accelerators, server, fabric), parts)
    assert site_text(sized)
    return design.expand(Site.model_validate(sized.data), parts)


def node_answers(plan: Design, state: State, node: str) -> dict[str, ParsedAnswer]:
    """The answers of a healthy, onboarded node: every tool of its vendor, in the words of the tool."""
    vendor = plan.node(node).accelerator.vendor
    answers = {}
    for identity, entry in survey.questions().items():
        output = Output(node, identity, "", error=f"{identity} is not installed on the node")
        if identity == "identity":
            ((line, answer),) = _identity.answers(state.machines[node]).items()
            assert line == shlex.join(entry.command)
            output = Output(node, identity, "", answer["stdout"].encode(), rc=answer["rc"])
        elif identity == "agents":
            output = Output(node, identity, "", agents(AGENTS.get(plan.node(node).scheduler, "")), rc=0)
        elif not entry.vendors or vendor in entry.vendors:
            output = tool_output(plan, state, node, identity) or output
        answers[identity] = reading(output, "", entry)
    return answers


def tool_output(plan: Design, state: State, node: str, identity: str) -> Output | None:
    tool = tools.tool(identity)
    if tool is None:
        return None
    try:
        record = tool.observe(state, plan, node)
    except tools.Failed as failure:
        return Output(node, identity, "", stderr=str(failure).encode(), rc=failure.status)
    return Output(node, identity, "", record if isinstance(record, bytes) else tool.render(record), rc=0)


def agents(active: str) -> bytes:
    """What `systemctl show` prints of the agents, with one that runs."""
    units = [
        f"Id={unit}.service\nLoadState={'loaded' if unit == active else 'not-found'}\n"
        f"ActiveState={'active' if unit == active else 'inactive'}\nUnitFileState=\n"
        for unit in survey.AGENTS
    ]
    return "\n".join(units).encode()


def node_readings(
    plan: Design, state: State | None = None, names: Mapping[str, str] | None = None
) -> list[NodeReading]:
    """The readings of all accelerator nodes; `names` are other host names for them."""
    nodes = [node.name for node in plan.nodes("accelerator")]
    state = state or build(plan, nodes)
    return [
        adopted_nodes.node_reading(
            (names or {}).get(node, node), plan.node(node).inband_address, node_answers(plan, state, node)
        )
        for node in nodes
    ]


def silent_reading(host: str, address: str = "10.0.0.99") -> NodeReading:
    refused = ParsedAnswer(None, "", f"{address} cannot be reached (No route to host): check that the host runs")
    return adopted_nodes.node_reading(host, address, dict.fromkeys(survey.questions(), refused))


def recorded(identity: str, case: str) -> ParsedAnswer:
    """Recorded output of a real tool, as its collector reads it."""
    output = yaml_text.load((CASES / identity / f"{case}.yaml").read_text())["output"]
    return reading(Output("node", identity, "", output.encode(), rc=0), "", survey.questions()[identity])


@cache
def knowledge() -> Knowledge:
    return Knowledge(catalog.load(), adopted_nodes.pci_tables(), adoption._rates(), "2026-11-23")


def grouped(readings: list[NodeReading]) -> adopt.Grouping:
    return adopt.group_nodes(readings, knowledge())


def bills(grouping: adopt.Grouping) -> dict[str, adopt.PoolBill]:
    names = adopted_nodes.package_names()
    return {pool.name: adopt.pool_bill(pool.readings, names, catalog.load().vendors) for pool in grouping.pools}


def renamed(entry: NodeReading, host: str) -> NodeReading:
    return replace(entry, host=host, name=host)
