"""The comments in the file of an adopted site: values that were read, values that were assumed, and differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rackwright.adopt import DraftPool
from rackwright.flow.adopted_software import PoolSoftware
from rackwright.model.hostlist import fold_hosts

ASSUMED = "ASSUMED: "


@dataclass(frozen=True)
class Unseen:
    """One thing that nodes cannot report."""

    path: str
    """Field path in the site file."""
    what: str
    assumed: str
    """The value in the draft instead."""


SIZED = "what `rackwright size` plans for so many nodes"
ALWAYS = (
    Unseen("facility.halls", "halls, rows, racks and the place of every node in them", SIZED),
    Unseen("facility.power", "feeds, UPS, circuits and rack PDUs", SIZED),
    Unseen("facility", "cooling", SIZED),
    Unseen("fabrics", "switches, topology and cabling behind the ports of the nodes", SIZED),
    Unseen("fabrics.oob", "addresses of BMCs", "a free private subnet"),
    Unseen("storage", "storage systems and what they deliver", SIZED),
    Unseen("control", "control servers and where they stand", SIZED),
    Unseen("software.apt_mirror", "the package mirror of the site", "the second address of the in-band subnet"),
)


SECTIONS = {
    "facility": f"{ASSUMED}building, power and cooling: nodes do not tell them; this is what size plans for so many.",
    "fabrics": f"{ASSUMED}switches, topology, cabling and subnets. READ: ports of the servers, their transport and rate.",
    "control": f"{ASSUMED}control servers and their number. Keys and passwords never stand in this file.",
    "software": "READ on the nodes, where no comment says otherwise. What checks expect follows from it and from the servers.",
    "software.apt_mirror": f"{ASSUMED}the mirror of your site.",
    "software.options": f"{ASSUMED}options of roles as size writes them.",
}
CATALOG = (
    "Parts that the catalog of rackwright lacks, drafted from the nodes. Fields that the source of level `derived` covers are "
    f"{ASSUMED}replace them by the data sheet. They may stay here."
)


def unseen(pools: Sequence[DraftPool], software: Mapping[str, PoolSoftware], *, ntp: bool) -> list[Unseen]:
    """Everything that was assumed, in the order of the file; `ntp`: whether time servers were read."""
    listed = list(ALWAYS)
    if not ntp:
        listed.append(Unseen("control.ntp_servers", "time servers", "the second address of the in-band subnet"))
    for pool in pools:
        listed += _unseen_of_pool(pool)
        for name, choice in software[pool.name].choices.items():
            if choice.assumed:
                what = f"{name.replace('_', ' ')} of pool {pool.name}: {choice.assumed}"
                listed.append(Unseen(f"software.{name}", what, choice.version))
    return listed


def _unseen_of_pool(pool: DraftPool) -> Iterator[Unseen]:
    path = f"pools.{pool.name}"
    yield Unseen(path, f"servers_per_rack and scalable_unit of pool {pool.name}", SIZED)
    if pool.scheduler == "none":
        yield Unseen(path, f"the scheduler of pool {pool.name}: neither slurmd nor a kubelet runs", "none")
    for part in pool.new_parts:
        sku = part.part["sku"]
        yield Unseen(f"catalog.{sku}", f"{', '.join(part.assumed)} of {sku}", f"those of {part.like}")
    if pool.counted:
        yield Unseen(f"{path}.count", f"{fold_hosts(pool.counted)}, which did not answer", f"nodes of pool {pool.name}")


def file_comments(
    base: Mapping[str, str],
    header: Sequence[str],
    pools: Sequence[DraftPool],
    software: Mapping[str, PoolSoftware],
    *,
    ntp: bool,
) -> dict[str, str]:
    """The comments of sizing, marked as assumptions, and comments on values that were read.

    `ntp`: whether time servers were read.
    """
    sections = ("facility", "fabrics", "storage")
    comments = {path: f"{ASSUMED}{text}" for path, text in base.items() if path.split(".")[0] in sections}
    comments |= SECTIONS
    comments[""] = "\n".join(header)
    comments["pools"] = "\n".join(_pool(pool) for pool in pools)
    if ntp:
        comments["control.ntp_servers"] = "READ: the time sources of the nodes."
    if "control.kubernetes" in base:
        comments["control.kubernetes"] = f"{ASSUMED}{base['control.kubernetes']}"
    comments |= dict(_software(pools, software))
    if any(pool.new_parts for pool in pools):
        comments["catalog"] = CATALOG
    return comments


def _pool(pool: DraftPool) -> str:
    count = len(pool.hosts)
    return (
        f"READ: {fold_hosts(pool.hosts)}: {count} x {pool.server} with {pool.accelerator}, {pool.matched_by}. "
        f"{ASSUMED}servers_per_rack, scalable_unit."
    )


def _software(pools: Sequence[DraftPool], software: Mapping[str, PoolSoftware]) -> Iterator[tuple[str, str]]:
    """Field path and comment for every version that was not read."""
    for at, pool in enumerate(pools):
        place = "software" if at == 0 else f"software.pools.{pool.name}"
        for name, choice in software[pool.name].choices.items():
            if choice.assumed:
                yield f"{place}.{name}", f"{ASSUMED}{choice.assumed}."
