"""From readings to the evidence of each node: share out what was asked once for many nodes, join."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rackwright.collect.collector import Collectors
from rackwright.collect.store.reading import Reading, Seen, lists
from rackwright.collect.store.shared_by_nodes import Shared, Subnets, shared
from rackwright.model.base import Record
from rackwright.model.check import NodeEvidence
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.evidence.fabric import FabricLink, NodeFabric
from rackwright.model.records import Held, Records, read_field

OWN = ("node", "bmc", "equipment")
"""Scopes of what a machine is asked for itself alone."""


@dataclass(frozen=True)
class Header:
    """What the first entries of the runs say, by node."""

    taken: Mapping[str, str]
    """When the newest run began that the node is part of; holds for a node of which nothing was read."""
    owed: Mapping[str, tuple[str, ...]]
    adapters: Mapping[str, Mapping[str, str]]
    stale: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By node and collector: why an older answer does not count, where there is no newer one."""


def assemble(
    header: Header, seen: Iterable[Seen], collectors: Collectors, known: Shared | None = None
) -> dict[str, NodeEvidence]:
    """The evidence of every node that owes anything, in the order of the runs.

    `known` is what `sharing.shared` made of readings that `seen` leaves out; without it, all of them are in `seen`.
    """
    found = list(seen)
    common = shared(found, collectors) if known is None else known
    own: dict[str, dict[str, Reading]] = defaultdict(dict)
    for one in found:
        if collectors[one.collector].scope in OWN:
            own[one.machine][one.collector] = one.reading
    return {node: _evidence(node, owed, header, own[node], common, collectors) for node, owed in header.owed.items()}


def _evidence(
    node: str,
    owed: tuple[str, ...],
    header: Header,
    own: Mapping[str, Reading],
    common: Shared,
    collectors: Collectors,
) -> NodeEvidence:
    records: dict[type[Record], Held] = {}
    raw: dict[type[Record], str] = {}
    errors: dict[str, str] = {}
    times: list[str] = []
    dated: dict[type[Record], str] = {}
    for identity in sorted(owed, key=lambda one: collectors[one].scope == "subnet"):  # the join needs the BMC first
        collector = collectors[identity]
        if header.stale and (node, identity) in header.stale and not _answered(node, identity, own, common):
            reading = Reading(None, "", header.stale[node, identity])
        elif collector.scope == "subnet":
            reading = _joined(header.adapters.get(node, {}), common.subnets.get(identity), records.get(BmcEvidence))
        elif collector.scope == "scheduler":
            reading = _scheduled(node, identity, common)
        elif collector.scope == "group":
            reading = _tested(node, identity, common)
        else:
            reading = own.get(identity) or _missing(node)
        if reading.value is not None:
            records[collector.produces] = reading.value
            raw[collector.produces] = reading.raw
            dated[collector.produces] = reading.taken
        if reading.error:
            errors[identity] = reading.error
        times += [reading.taken] if reading.taken else []
    taken = min(times, default=header.taken[node])
    owes = {identity: collectors[identity].produces.__name__ for identity in errors}
    return NodeEvidence(
        node=node, records=Records(records), raw=raw, errors=errors, taken=taken, owes=owes, dated=dated
    )


def _answered(node: str, identity: str, own: Mapping[str, Reading], common: Shared) -> bool:
    whole = identity in common.subnets or identity in common.schedulers
    return whole or identity in own or (node, identity) in common.tests


def _missing(node: str) -> Reading:
    return Reading(None, "", f"{node} was never asked or the run ended before it answered")


def _scheduled(node: str, identity: str, common: Shared) -> Reading:
    scheduler = common.schedulers.get(identity)
    if scheduler is None:
        return Reading(None, "", "there is no scheduler to ask: no machine of the design has that role")
    said = scheduler.reading
    if said.error:
        return Reading(None, "", said.error, said.taken)
    if node in scheduler.nodes:
        return Reading(scheduler.nodes[node], said.raw, "", said.taken)
    return Reading(None, "", f"the scheduler on {scheduler.machine} does not know {node}", said.taken)


def _tested(node: str, identity: str, common: Shared) -> Reading:
    """The results of all tests that the node took part in, as one record; a test without a result is an error beside it."""
    tests = common.tests.get((node, identity), ())
    if not tests:
        return Reading(None, "", f"{node} took part in no test, or the run ended before its test did")
    whole: Any = None
    for one in tests:
        value = one.reading.value
        if value is not None:
            whole = value if whole is None else _together(whole, value)
    errors = [f"{one.subject}: {one.reading.error}" for one in tests if one.reading.error]
    raw = " ".join(one.reading.raw for one in tests if one.reading.value is not None)
    taken = min((one.reading.taken for one in tests if one.reading.taken), default="")
    return Reading(whole, raw, "; ".join(errors), taken)


def _together(one: Any, other: Any) -> Any:
    """Two results of the same kind as one: their lists joined, the rest as the first one has it."""
    return one.model_copy(update={name: [*getattr(one, name), *found] for name, found in lists(other)})


def _joined(planned: Mapping[str, str], subnets: Subnets | None, held: Held | None) -> Reading:
    """The node's adapters joined with the subnets by port GUID.

    An adapter is None only when the subnet that it is planned into was read and does not show it: a subnet that could
    not be read must never look like a missing cable.
    """
    if held is None:
        return Reading(None, "", "the adapters' port GUIDs are not known, because there is no inventory of the BMC")
    said = subnets.readings if subnets else {}
    links: dict[str, FabricLink | None] = {}
    for port in read_field(held, "nic_ports"):
        found = subnets.link(port.port_guid or "") if subnets else None
        fabric = said.get(planned.get(port.adapter, ""))
        if found is not None:
            links[port.adapter] = found
        elif port.port_guid and fabric is not None and fabric.value is not None:
            links.setdefault(port.adapter, None)
    unread = sorted({fabric for fabric in planned.values() if fabric not in said or said[fabric].value is None})
    reasons = [f"subnet {fabric}: {said[fabric].error if fabric in said else 'was not read'}" for fabric in unread]
    hashes = " ".join(reading.raw for reading in said.values() if reading.value is not None)
    taken = min((reading.taken for reading in said.values() if reading.taken), default="")
    return Reading(NodeFabric(links=links) if hashes else None, hashes, "; ".join(reasons), taken)
