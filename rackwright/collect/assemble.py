"""From raw answers to the evidence of each node: parse, share out what was asked once for the site, join. Pure.

In: what every node owes, and the outputs of a run. Out: `NodeEvidence` per node, in which every owed record is either
there or has an error that says why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.output import Output
from rackwright.model.base import Record
from rackwright.model.check import NodeEvidence
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.evidence.fabric import FabricLink, FabricMap, NodeFabric
from rackwright.model.evidence.scheduler import SchedulerNode


@dataclass(frozen=True)
class Reading:
    """One parsed answer: a value or the sentence why there is none."""

    value: Any
    raw: str
    error: str


Readings = Mapping[tuple[str, str, str], Reading]
"""By (machine, collector, subject)."""


def readings(outputs: Iterable[tuple[Output, str]], collectors: Mapping[str, Collector]) -> Readings:
    """Every output parsed; outputs of collectors that no longer exist are left out."""
    return {
        (output.node, output.collector, output.subject): _read(output, raw, collectors[output.collector])
        for output, raw in outputs
        if output.collector in collectors
    }


def _read(output: Output, raw: str, collector: Collector) -> Reading:
    if output.error:
        return Reading(None, raw, output.error)
    if output.rc not in collector.accepts:
        said = (output.stderr or output.stdout).decode(errors="replace").strip().splitlines()
        words = f": {said[-1]}" if said else " and said nothing"
        name = collector.library or " ".join(collector.command[:1])
        return Reading(None, raw, f"{name} ended with status {output.rc}{words}")
    try:
        return Reading(collector.parse(output.stdout.decode(errors="replace")), raw, "")
    except ParseError as error:
        return Reading(None, raw, f"output cannot be read, {error}")
    except Exception as error:  # noqa: BLE001 - a crash of a parser is that reading's failure, named, and nobody else's
        return Reading(
            None, raw, f"the parser of {output.collector} crashed on this output ({type(error).__name__}: {error})"
        )


@dataclass(frozen=True)
class Header:
    """What the first entry of a run says."""

    taken: str
    owed: Mapping[str, tuple[str, ...]]
    adapters: Mapping[str, Mapping[str, str]]


def assemble(header: Header, seen: Readings, collectors: Mapping[str, Collector]) -> dict[str, NodeEvidence]:
    """The evidence of every node of the run, in design order."""
    return {node: _evidence(node, owed, header, seen, collectors) for node, owed in header.owed.items()}


def _evidence(
    node: str, owed: tuple[str, ...], header: Header, seen: Readings, collectors: Mapping[str, Collector]
) -> NodeEvidence:
    records: dict[type[Record], Record] = {}
    raw: dict[type[Record], str] = {}
    errors: dict[str, str] = {}
    for identity in sorted(owed, key=lambda one: collectors[one].scope == "subnet"):  # the join needs the BMC first
        collector = collectors[identity]
        if collector.scope == "subnet":
            reading = _joined(node, identity, header, seen, records)
        elif collector.scope == "scheduler":
            reading = _scheduled(node, identity, seen)
        else:
            reading = seen.get((node, identity, ""), _missing(node))
        if reading.value is not None:
            records[collector.produces] = reading.value
            raw[collector.produces] = reading.raw
        if reading.error:
            errors[identity] = reading.error
    return NodeEvidence(node=node, records=records, raw=raw, errors=errors, taken=header.taken)


def _missing(node: str) -> Reading:
    return Reading(None, "", f"{node} was never asked or the run ended before it answered")


def _scheduled(node: str, identity: str, seen: Readings) -> Reading:
    for (machine, collector, _), reading in seen.items():
        if collector != identity:
            continue
        if reading.error:
            return Reading(None, "", f"{machine}: {reading.error}")
        known: dict[str, SchedulerNode] = {one.name: one for one in reading.value}
        if node in known:
            return Reading(known[node], reading.raw, "")
        return Reading(None, "", f"the scheduler on {machine} does not know {node}")
    return Reading(None, "", "there is no scheduler to ask: no machine of the design has that role")


def _joined(
    node: str, identity: str, header: Header, seen: Readings, records: Mapping[type[Record], Record]
) -> Reading:
    """The node's adapters joined with the subnets by port GUID.

    An adapter is None only when the subnet that it is planned into was read and does not show it: a subnet that could
    not be read must never look like a missing cable.
    """
    planned = header.adapters.get(node, {})
    bmc = records.get(Bmc)
    if not isinstance(bmc, Bmc):
        return Reading(None, "", "the adapters' port GUIDs are not known, because there is no inventory of the BMC")
    subnets = _subnets(identity, seen)
    shown = _by_guid(reading.value for reading in subnets.values() if reading.value is not None)
    links: dict[str, FabricLink | None] = {}
    for port in bmc.nic_ports:
        found = shown.get(port.port_guid or "")
        fabric = subnets.get(planned.get(port.adapter, ""))
        if found is not None:
            links[port.adapter] = found
        elif port.port_guid and fabric is not None and fabric.value is not None:
            links.setdefault(port.adapter, None)
    unread = sorted({fabric for fabric in planned.values() if fabric not in subnets or subnets[fabric].value is None})
    reasons = [
        f"subnet {fabric}: {subnets[fabric].error if fabric in subnets else 'was not read'}" for fabric in unread
    ]
    hashes = " ".join(reading.raw for reading in subnets.values() if reading.value is not None)
    return Reading(NodeFabric(links=links) if hashes else None, hashes, "; ".join(reasons))


def _subnets(identity: str, seen: Readings) -> dict[str, Reading]:
    """By fabric: what the first of the machines that were asked could tell, else why the last one could not."""
    found: dict[str, Reading] = {}
    for (machine, collector, fabric), reading in seen.items():
        if collector == identity and (fabric not in found or found[fabric].value is None):
            found[fabric] = replace(reading, error=f"{machine}: {reading.error}") if reading.error else reading
    return found


def _by_guid(maps: Iterable[FabricMap]) -> dict[str, FabricLink]:
    return {link.guid: link for subnet in maps for link in subnet.links if link.kind == "Ca"}
