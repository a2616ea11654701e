"""Names that must differ, and the size a site may have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rackwright.catalog import Catalog
from rackwright.errors import Problem
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

CONTROL_ROLES = ("slurm", "ufm")
RACK_GROUPS = ("fabric", "site")
"""Words that name control servers and racks, and so cannot name a pool."""
MAX_SLOTS = 262_144
"""Node slots of one site, whole scalable units counted; twice a site of 1,000,000 accelerators."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Duplicate names, reserved names, and sites beyond all reason."""
    facility = site.facility
    yield from _duplicates("facility.halls", "name", [hall.name for hall in facility.halls])
    yield from _duplicates("facility.power.feeds", "", facility.power.feeds)
    yield from _duplicates("facility.racks", "rack", [one.rack for one in facility.racks])
    yield from _duplicates("pools", "name", [pool.name for pool in site.pools])
    yield from _duplicates("fabrics", "name", [fabric.name for fabric in site.fabrics])
    yield from _duplicates("storage", "name", [tier.name for tier in site.storage])
    reserved = (*CONTROL_ROLES, *RACK_GROUPS)
    for i, pool in enumerate(site.pools):
        if pool.name in reserved:
            taken = "a name other than " + ", ".join(reserved)
            step = "rename the pool"
            yield problem(f"pools[{i}].name", "reserved_name", "this name is taken", taken, pool.name, step)
    yield from _size(site)


def _duplicates(path: str, field: str, names: Sequence[str]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        at = f"{path}[{i}].{field}" if field else f"{path}[{i}]"
        if name in first:
            also = f"{path}[{first[name]}] has it too"
            yield problem(at, "duplicate_name", f"the name {name} stands twice", "every name once", also, "rename one")
        first.setdefault(name, i)


def _size(site: Site) -> Iterator[Problem]:
    for i, pool in enumerate(site.pools):
        slots = -(-pool.count // pool.scalable_unit) * pool.scalable_unit
        if slots > MAX_SLOTS:
            found = f"{pool.count} nodes in units of {pool.scalable_unit}: {slots} slots"
            most = f"at most {MAX_SLOTS} slots"
            yield problem(
                f"pools[{i}].count", "too_many_nodes", "the pool is too large", most, found, "split it into sites"
            )
    control = {
        "slurm": site.control.slurm.controllers if site.control.slurm else None,
        "ufm": site.control.ufm.servers if site.control.ufm else None,
    }
    fields = {"slurm": "control.slurm.controllers.count", "ufm": "control.ufm.servers.count"}
    for role, servers in control.items():
        if servers and servers.count > MAX_SLOTS:
            found, most = str(servers.count), f"at most {MAX_SLOTS}"
            yield problem(fields[role], "too_many_nodes", "too many control servers", most, found, "lower the count")
