"""Hosts -> readings: queries the nodes to be adopted, and the InfiniBand subnets through some of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rackwright import adopt, judge
from rackwright.adopt import Grouping, NodeReading, PciTables, SwitchPort
from rackwright.collect import survey
from rackwright.collect.survey import Answers, OnHost, SurveyTarget
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.fabric import FabricMap
from rackwright.model.evidence.host import Host, Packages, Services
from rackwright.model.evidence.link_table import LinkTable
from rackwright.model.evidence.network import Rdma, port_guids
from rackwright.model.hostlist import is_address, short_name

RUNNING = ("active", "activating")
PART = "accelerator"
"""Value in ``pcie.adapter_ids`` for ports that are part of the accelerator."""


def read_nodes(targets: Sequence[SurveyTarget], addresses: Mapping[str, str], on_host: OnHost) -> list[NodeReading]:
    """The reading of every target, in order. Raises OutsideError if our own key or known_hosts file cannot be used."""
    answers = survey.survey_nodes(targets, on_host)
    return [node_reading(target.name, addresses.get(target.name, ""), answers[target.name]) for target in targets]


def node_reading(host: str, address: str, answers: Answers) -> NodeReading:
    """The reading made from the answers of one host."""
    questions = survey.questions()
    values = {identity: answer.value for identity, answer in answers.items() if answer.value is not None}
    errors = {identity: answer.error for identity, answer in answers.items() if answer.error}
    silent = next(iter(errors.values()), "it answered nothing") if not values else ""
    services, host_record = values.pop("agents", None), values.get("host")
    units = services.active if isinstance(services, Services) else {}
    tools = [(identity, value) for identity, value in values.items() if isinstance(value, Accelerators)]
    tool, accelerators = max(tools, key=lambda pair: len(pair[1].devices), default=("", None))
    records = {type(value): value for identity, value in values.items() if identity not in dict(tools)}
    if not getattr(records.get(Packages), "packages", None):
        records.pop(Packages, None)
    called = host_record.hostname if isinstance(host_record, Host) else host
    return NodeReading(
        host=host,
        name=short_name(called if is_address(host) else host),
        address=address,
        records=records,
        accelerators=accelerators,
        vendor=questions[tool].vendors[0] if tool else "",
        agents=tuple(unit for unit, state in units.items() if state in RUNNING),
        tool_errors={
            entry.vendors[0]: errors[identity]
            for identity, entry in questions.items()
            if entry.produces is Accelerators and identity in errors
        },
        silent=silent,
    )


def pci_tables() -> PciTables:
    """The PCI ids of accelerators and adapters in the limits."""
    limits = judge.load_limits()
    vendors: dict[str, str] = {}
    adapters: dict[str, str] = {}
    for row in limits.rows:
        limit = row.record
        if limit.metric == "pcie.vendor_id":
            vendors[limit.match["vendor"]] = str(limit.value)
        elif limit.metric == "pcie.adapter_ids" and isinstance(limit.value, list):
            adapters |= {str(number): limit.match["adapter"] for number in limit.value if number != PART}
    return PciTables(vendors, adapters)


def package_names() -> dict[str, list[str]]:
    """Field of the bill -> names of packages (patterns) that carry its version."""
    rows = [row.record for row in judge.load_limits().rows if row.record.metric == "software.package"]
    return {
        row.match["component"]: [str(name) for name in row.value]
        for row in rows
        if isinstance(row.value, list) and row.match["component"] != "nscq"
    }


def neighbours(grouping: Grouping, targets: Mapping[str, SurveyTarget]) -> list[SwitchPort]:
    """Switch ports that the nodes of all pools hear by LLDP, and those of the InfiniBand subnets, read through one node
    of each pool.
    """
    readings = [reading for pool in grouping.pools for reading in pool.readings]
    listed = list(adopt.lldp_neighbours(readings))
    questioned = {}
    for pool in grouping.pools:
        for reading in pool.readings:
            devices = _witnesses(reading)
            if devices:
                questioned[reading.host] = (targets[reading.host], devices)
                break
    answers = survey.survey_subnets(questioned)
    return [*listed, *adopt.subnet_neighbours(readings, list(_links(answers)))]


def _witnesses(reading: NodeReading) -> list[str]:
    """The first and the last InfiniBand device that is up: compute and storage are often separate subnets."""
    rdma = reading.get(Rdma)
    up = [name for name in port_guids(rdma.devices) if rdma.devices[name].state == "ACTIVE"] if rdma else []
    return list(dict.fromkeys([*up[:1], *up[-1:]]))


def _links(answers: Mapping[str, Answers]) -> Iterator[LinkTable]:
    for of_host in answers.values():
        for answer in of_host.values():
            if isinstance(answer.value, FabricMap):
                yield answer.value.links
