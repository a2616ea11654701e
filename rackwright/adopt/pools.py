"""Groups equal nodes into pools, and names the differences within each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rackwright.adopt.hardware import Hardware, PciTables, read_hardware
from rackwright.adopt.hardware_differences import hardware_differences, usual_hardware
from rackwright.adopt.majority import NodeDifference
from rackwright.adopt.matching import Match, match_accelerator, match_server
from rackwright.adopt.new_parts import NewPart, PartOrigin, draft_accelerator, draft_server
from rackwright.adopt.reading import NodeReading
from rackwright.catalog import Catalog
from rackwright.model.hostlist import fold_hosts, natural_key, short_name

KUBELETS = ("kubelet", "k3s", "k3s-agent", "rke2-server", "rke2-agent")
RESERVED = ("slurm", "kubernetes", "ufm", "fabric", "site")
"""Names that a pool may not have (``spec/crosscheck/names.py``)."""
LONGEST = 31
CONTROLLER = "slurmctld runs on it: controllers are declared under control.slurm"
NO_ACCELERATORS = "it has no accelerators: login, storage and control servers are declared under control and storage"


@dataclass(frozen=True)
class DraftPool:
    """Nodes of one pool, in the order of their numbers."""

    name: str
    readings: tuple[NodeReading, ...]
    counted: tuple[str, ...]
    """Hosts that did not answer, but are counted because all hosts with similar names that answered are in this pool."""
    server: str
    accelerator: str
    matched_by: str
    """Why it is that server of the catalog, or that there is none."""
    new_parts: tuple[NewPart, ...]
    scheduler: str
    hardware: Hardware
    """The hardware of most nodes."""
    differences: tuple[NodeDifference, ...]

    @property
    def hosts(self) -> list[str]:
        """Every host, including the counted ones, in order."""
        return sorted([*(reading.host for reading in self.readings), *self.counted], key=natural_key)


@dataclass(frozen=True)
class Grouping:
    """All hosts, in pools or with the reason why not."""

    pools: tuple[DraftPool, ...]
    silent: Mapping[str, str]
    """Host that did not answer -> the reason."""
    left_out: Mapping[str, str]
    """Host that answered but is in no pool -> the reason."""


@dataclass(frozen=True)
class Knowledge:
    """Data that readings are matched with."""

    catalog: Catalog
    tables: PciTables
    rates: Mapping[str, Collection[int]]
    """Role -> Gb/s for which networks can be sized."""
    date: str
    """ISO date for drafted parts."""


def group_nodes(readings: Sequence[NodeReading], knowledge: Knowledge) -> Grouping:
    """The pools of `readings`, the largest first; every host appears exactly once in the result."""
    answered = [reading for reading in readings if not reading.silent]
    hardware = {reading.host: read_hardware(reading, knowledge.tables) for reading in answered}
    groups, left_out = _groups(answered, hardware)
    pools: list[DraftPool] = []
    for members in sorted(groups, key=lambda group: (-len(group), natural_key(group[0].host))):
        used = {pool.name for pool in pools}
        pool = _pool(members, {reading.host: hardware[reading.host] for reading in members}, knowledge, used)
        if isinstance(pool, str):
            left_out |= {reading.host: pool for reading in members}
        else:
            pools.append(pool)
    silent = {reading.host: reading.silent for reading in readings if reading.silent}
    there = [reading.host for reading in readings if reading.silent and reading.address]
    return Grouping(tuple(_with_silent(pools, there)), silent, left_out)


def _groups(
    readings: Iterable[NodeReading], hardware: Mapping[str, Hardware]
) -> tuple[list[list[NodeReading]], dict[str, str]]:
    """Groups of nodes with the same product and accelerator, and hosts in no group with the reason.

    Nodes whose accelerators no tool names join the nodes of their product or PCI ids.
    """
    groups: dict[tuple[str, str], list[NodeReading]] = defaultdict(list)
    not_reported: list[NodeReading] = []
    for reading in readings:
        entry = hardware[reading.host]
        (groups[entry.product, entry.accelerator] if entry.accelerator else not_reported).append(reading)
    left_out: dict[str, str] = {}
    further: dict[tuple[str, str], list[NodeReading]] = defaultdict(list)
    for reading in not_reported:
        entry = hardware[reading.host]
        peers = [key for key, members in groups.items() if _same_hardware(entry, key[0], hardware[members[0].host])]
        if peers:
            groups[max(peers, key=lambda key: len(groups[key]))].append(reading)
        elif entry.on_bus:
            further[entry.product, entry.vendor].append(reading)
        else:
            left_out[reading.host] = CONTROLLER if "slurmctld" in reading.agents else NO_ACCELERATORS
    return [*groups.values(), *further.values()], left_out


def _same_hardware(hardware: Hardware, product: str, peer: Hardware) -> bool:
    """Whether a node whose accelerators no tool names belongs to a group."""
    if hardware.product or product:
        return hardware.product == product
    return bool(hardware.bus_ids) and hardware.bus_ids == peer.bus_ids


def _pool(
    members: list[NodeReading], hardware: Mapping[str, Hardware], knowledge: Knowledge, used: Collection[str]
) -> DraftPool | str:
    """The pool of one group, or the reason why none can be drafted."""
    members = sorted(members, key=lambda reading: natural_key(reading.host))
    devices = usual_hardware(list(hardware.values()))
    named = match_accelerator(devices, knowledge.catalog)
    part = knowledge.catalog.accelerators[named] if named else None
    each, common = (part.devices, devices.in_parts(part)) if part else (1, devices)
    match = match_server(common, named, knowledge.catalog, _kinds(knowledge))
    parts = _new_parts(common, match, knowledge, fold_hosts(reading.host for reading in members))
    if parts is None:
        return _unknown_parts(common, members)
    server = knowledge.catalog.servers.get(match.server.sku) if match and not match.deviations else None
    accelerator = match.server.accelerator if match and match.server.accelerator else str(parts[-1].part["accelerator"])
    return DraftPool(
        name=_name([reading.name for reading in members], accelerator, used),
        readings=tuple(members),
        counted=(),
        server=server.sku if server else str(parts[-1].part["sku"]),
        accelerator=accelerator,
        matched_by=_match_sentence(match, common),
        new_parts=tuple(parts),
        scheduler=_scheduler(members),
        hardware=common,
        differences=tuple(hardware_differences(members, hardware, match.server.accelerators * each if match else 0)),
    )


def _kinds(knowledge: Knowledge) -> frozenset[str]:
    return frozenset(knowledge.tables.adapters.values())


def _new_parts(common: Hardware, match: Match | None, knowledge: Knowledge, hosts: str) -> list[NewPart] | None:
    """Drafts of parts that the catalog lacks; None if the accelerators are unknown, so that nothing can be drafted."""
    if match and not match.deviations:
        return []
    origin = PartOrigin(hosts, knowledge.date)
    accelerator = match.server.accelerator if match else match_accelerator(common, knowledge.catalog)
    parts = []
    if accelerator is None:
        part = draft_accelerator(common, knowledge.catalog, origin)
        if part is None:
            return None
        parts, accelerator = [part], str(part.part["sku"])
    like = match.server if match else None
    return [*parts, draft_server(common, accelerator, like, knowledge.catalog, origin, knowledge.rates)]


def _match_sentence(match: Match | None, common: Hardware) -> str:
    if match is None:
        return f"the catalog has no server {common.product or 'like that'}: a draft of it stands under catalog"
    if match.deviations:
        return f"matched by {match.by}, but {'; '.join(match.deviations)}: a draft of it stands under catalog"
    return f"matched by {match.by}"


def _unknown_parts(common: Hardware, members: Sequence[NodeReading]) -> str:
    """Why no pool can be drafted, in words."""
    if common.accelerator:
        return (
            f"the catalog has no accelerator of vendor {common.vendor or 'unknown'} to draft {common.accelerator} from"
        )
    reasons = [reading.tool_errors[common.vendor] for reading in members if common.vendor in reading.tool_errors]
    ids = ", ".join(common.bus_ids)
    why = f": {reasons[0]}" if reasons else ""
    return f"{common.on_bus} accelerators {ids} of {common.vendor} are on the bus, but no tool of the vendor names them{why}"


def _scheduler(members: Sequence[NodeReading]) -> str:
    """The scheduler whose agent runs on most nodes; ``none`` if no agent runs."""
    slurm = sum("slurmd" in reading.agents for reading in members)
    kubernetes = sum(any(agent in KUBELETS for agent in reading.agents) for reading in members)
    if not slurm and not kubernetes:
        return "none"
    return "slurm" if slurm >= kubernetes else "kubernetes"


def _name(names: Sequence[str], accelerator: str, used: Collection[str]) -> str:
    """The common part of the nodes' names before their number; a name with the accelerator if there is none, or if it
    is in use.
    """
    stems = {re.sub(r"[^a-z0-9]+", "-", name.lower().rstrip("0123456789")).strip("-") for name in names}
    stem = stems.pop() if len(stems) == 1 else ""
    stem = stem if re.match(r"[a-z]", stem) and stem not in RESERVED else ""
    plain = re.sub(r"[^a-z0-9]+", "-", accelerator.lower()).strip("-")
    options = [stem, f"{stem}-{plain}" if stem else f"gpu-{plain}", *(f"pool-{number}" for number in range(1, LONGEST))]
    return next(option for option in options if option and len(option) < LONGEST and option not in used)


def _with_silent(pools: Sequence[DraftPool], silent: Iterable[str]) -> list[DraftPool]:
    """Adds hosts that did not answer to the pool of the hosts with similar names, if these are all in one pool."""
    stems: dict[str, set[str]] = defaultdict(set)
    for pool in pools:
        for reading in pool.readings:
            stems[_stem(reading.host)].add(pool.name)
    counted: dict[str, list[str]] = defaultdict(list)
    for host in silent:
        if len(owners := stems.get(_stem(host), set())) == 1:
            counted[next(iter(owners))].append(host)
    return [replace(pool, counted=tuple(counted[pool.name])) for pool in pools]


def _stem(host: str) -> str:
    return short_name(host).rstrip("0123456789")
