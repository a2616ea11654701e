"""Builds the evidence of each node from readings: answers about many nodes are distributed to these, and joined."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rackwright.collect.collector import Collectors
from rackwright.collect.store.adapter_guids import adapter_guids
from rackwright.collect.store.adapter_witnesses import SOURCES, adapter_witnesses
from rackwright.collect.store.reading import ParsedAnswer, Seen, lists
from rackwright.collect.store.shared_by_nodes import SharedAnswers, SiteSubnets, shared
from rackwright.model.base import Record
from rackwright.model.check import NodeEvidence
from rackwright.model.evidence.adapter_witnesses import AdapterWitnesses
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.evidence.fabric import FabricLink, NodeFabric
from rackwright.model.evidence.network import Rdma
from rackwright.model.records import Held, Records, reading_name

OWN = ("node", "bmc", "equipment")
"""Scopes whose answers are about the answering machine alone."""


@dataclass(frozen=True)
class Header:
    """Content of the first entries of the runs, by node."""

    run_times: Mapping[str, str]
    """Start of the newest run that includes the node; used for a node without any reading."""
    owed: Mapping[str, tuple[str, ...]]
    adapters: Mapping[str, Mapping[str, str]]
    stale: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(node, collector) -> why an older answer does not count, if there is no newer one."""


def assemble(
    header: Header, readings: Iterable[Seen], collectors: Collectors, shared_readings: SharedAnswers | None = None
) -> dict[str, NodeEvidence]:
    """The evidence of every node that owes anything, in the order of the runs.

    `shared_readings` is the result of `shared` for readings that `readings` omits; without it, `readings` holds all of
    them.
    """
    collected = list(readings)
    common = shared(collected, collectors) if shared_readings is None else shared_readings
    own_readings: dict[str, dict[str, ParsedAnswer]] = defaultdict(dict)
    for answer in collected:
        if collectors[answer.collector].scope in OWN:
            own_readings[answer.machine][answer.collector] = answer.reading
    return {
        node: _evidence(node, owed, header, own_readings[node], common, collectors)
        for node, owed in header.owed.items()
    }


def _evidence(
    node: str,
    owed: tuple[str, ...],
    header: Header,
    own_readings: Mapping[str, ParsedAnswer],
    common: SharedAnswers,
    collectors: Collectors,
) -> NodeEvidence:
    records: dict[type[Record], Held] = {}
    raw: dict[type[Record], str] = {}
    errors: dict[str, str] = {}
    times: list[str] = []
    dated: dict[type[Record], str] = {}
    for identity in sorted(
        owed, key=lambda name: collectors[name].scope == "subnet"
    ):  # the join needs host and BMC first
        collector = collectors[identity]
        if header.stale and (node, identity) in header.stale and not _answered(node, identity, own_readings, common):
            reading = ParsedAnswer(None, "", header.stale[node, identity])
        elif collector.scope == "subnet":
            planned = header.adapters.get(node, {})
            guids = adapter_guids(planned, records.get(Rdma), records.get(BmcEvidence))
            reading = _joined_adapters(planned, common.subnets.get(identity), guids)
        elif collector.scope == "scheduler":
            reading = _scheduled(node, identity, common)
        elif collector.scope == "group":
            reading = _test_results(node, identity, common)
        else:
            reading = own_readings.get(identity) or _missing(node)
        if reading.value is not None:
            records[collector.produces] = reading.value
            raw[collector.produces] = reading.raw
            dated[collector.produces] = reading.taken_at
        if reading.error:
            errors[identity] = reading.error
        times += [reading.taken_at] if reading.taken_at else []
    if (witnesses := adapter_witnesses(records)) is not None:
        both = [kind for kind in SOURCES if kind in records]
        records[AdapterWitnesses] = witnesses
        raw[AdapterWitnesses] = " ".join(raw[kind] for kind in both)
        dated[AdapterWitnesses] = min(dated[kind] for kind in both)
    oldest = min(times, default=header.run_times[node])
    owes = {identity: reading_name(collectors[identity].produces) for identity in errors}
    return NodeEvidence(
        node=node, records=Records(records), raw=raw, errors=errors, taken=oldest, owes=owes, dated=dated
    )


def _answered(node: str, identity: str, own_readings: Mapping[str, ParsedAnswer], common: SharedAnswers) -> bool:
    asked_once = identity in common.subnets or identity in common.schedulers
    return asked_once or identity in own_readings or (node, identity) in common.tests


def _missing(node: str) -> ParsedAnswer:
    return ParsedAnswer(None, "", f"{node} was never asked or the run ended before it answered")


def _scheduled(node: str, identity: str, common: SharedAnswers) -> ParsedAnswer:
    scheduler = common.schedulers.get(identity)
    if scheduler is None:
        return ParsedAnswer(None, "", "there is no scheduler to ask: no machine of the design has that role")
    answer = scheduler.reading
    if answer.error:
        return ParsedAnswer(None, "", answer.error, answer.taken_at)
    if node in scheduler.nodes:
        return ParsedAnswer(scheduler.nodes[node], answer.raw, "", answer.taken_at)
    return ParsedAnswer(None, "", f"the scheduler on {scheduler.machine} does not know {node}", answer.taken_at)


def _test_results(node: str, identity: str, common: SharedAnswers) -> ParsedAnswer:
    """The results of all tests that the node took part in, as one record; tests without a result are reported in the
    error beside it.
    """
    tests = common.tests.get((node, identity), ())
    if not tests:
        return ParsedAnswer(None, "", f"{node} took part in no test, or the run ended before its test did")
    combined: Any = None
    for test in tests:
        value = test.reading.value
        if value is not None:
            combined = value if combined is None else _merged_result(combined, value)
    errors = [f"{test.subject}: {test.reading.error}" for test in tests if test.reading.error]
    raw = " ".join(test.reading.raw for test in tests if test.reading.value is not None)
    oldest = min((test.reading.taken_at for test in tests if test.reading.taken_at), default="")
    return ParsedAnswer(combined, raw, "; ".join(errors), oldest)


def _merged_result(first: Any, second: Any) -> Any:
    """Two results of the same kind as one: their lists are joined, other fields are those of the first."""
    return first.model_copy(update={name: [*getattr(first, name), *results] for name, results in lists(second)})


def _joined_adapters(
    planned: Mapping[str, str], subnets: SiteSubnets | None, guids: Mapping[str, str] | None
) -> ParsedAnswer:
    """The node's adapters joined with the subnets by port GUID.

    An adapter is None only if the subnet that it is planned into was read and does not show it: a subnet that could not
    be read must never look like a missing cable.
    """
    if guids is None:
        reason = "the adapters' port GUIDs are not known, because neither the host nor its BMC reported them"
        return ParsedAnswer(None, "", reason)
    by_fabric = subnets.readings if subnets else {}
    links: dict[str, FabricLink | None] = {}
    for adapter, guid in guids.items():
        link = subnets.link(guid) if subnets else None
        fabric = by_fabric.get(planned.get(adapter, ""))
        if link is not None:
            links[adapter] = link
        elif fabric is not None and fabric.value is not None:
            links.setdefault(adapter, None)
    unread = sorted(
        {fabric for fabric in planned.values() if fabric not in by_fabric or by_fabric[fabric].value is None}
    )
    reasons = [
        f"subnet {fabric}: {by_fabric[fabric].error if fabric in by_fabric else 'was not read'}" for fabric in unread
    ]
    hashes = " ".join(reading.raw for reading in by_fabric.values() if reading.value is not None)
    oldest = min((reading.taken_at for reading in by_fabric.values() if reading.taken_at), default="")
    return ParsedAnswer(NodeFabric(links=links) if hashes else None, hashes, "; ".join(reasons), oldest)
