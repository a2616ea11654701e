"""Names that must differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

CONTROL_ROLES = ("slurm", "kubernetes", "ufm")
RACK_GROUPS = ("fabric", "site")
"""Words that name control servers and racks, and so cannot name a pool."""
TIERS = ("leaf", "spine", "core", "switch", "nvswitch")
"""Words that switches are called by."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Duplicate names and reserved names."""
    facility = site.facility
    yield from duplicates("facility.halls", "name", [hall.name for hall in facility.halls])
    yield from duplicates("facility.power.feeds", "", facility.power.feeds)
    yield from duplicates("facility.racks", "rack", [rack_place.rack for rack_place in facility.racks])
    yield from duplicates("pools", "name", [pool.name for pool in site.pools])
    yield from duplicates("fabrics", "name", [fabric.name for fabric in site.fabrics])
    yield from duplicates("storage", "name", [tier.name for tier in site.storage])
    machines = [*(pool.name for pool in site.pools), *(tier.name for tier in site.storage)]
    yield from duplicates("unmanaged", "name", [entry.name for entry in site.unmanaged])
    for i, entry in enumerate(site.unmanaged):
        if entry.name in (*machines, *CONTROL_ROLES, *RACK_GROUPS):
            expected = "a name that no pool, tier or control server has"
            yield problem(
                f"unmanaged[{i}].name", "reserved_name", "this name is taken", expected, entry.name, "rename it"
            )
    reserved = (*CONTROL_ROLES, *RACK_GROUPS)
    for i, pool in enumerate(site.pools):
        if pool.name in reserved:
            expected_names = "a name other than " + ", ".join(reserved)
            step = "rename the pool"
            yield problem(f"pools[{i}].name", "reserved_name", "this name is taken", expected_names, pool.name, step)
    yield from _of_switches(site)
    yield from _of_racks(site)


def duplicates(path: str, field: str, names: Sequence[str]) -> Iterator[Problem]:
    """A problem for every entry of the list at `path` whose `field` stands in it before; without a field the entry is the name itself."""
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        at = f"{path}[{i}].{field}" if field else f"{path}[{i}]"
        if name in first:
            also = f"{path}[{first[name]}] has it too"
            yield problem(at, "duplicate_name", f"the name {name} stands twice", "every name once", also, "rename one")
        first.setdefault(name, i)


def _of_switches(site: Site) -> Iterator[Problem]:
    """Servers are named POOL-001 or TIER-001, switches FABRIC-leaf-01: with a hundred of each the names would clash."""
    fabrics = "|".join(re.escape(fabric.name) for fabric in site.fabrics)
    switch_names = re.compile(f"({fabrics})(-.+)?-({'|'.join(TIERS)})")
    site_names = [(f"pools[{i}].name", pool.name) for i, pool in enumerate(site.pools)]
    site_names += [(f"storage[{i}].name", tier.name) for i, tier in enumerate(site.storage) if tier.servers]
    site_names += [(f"unmanaged[{i}].name", entry.name) for i, entry in enumerate(site.unmanaged)]
    for path, name in site_names:
        if switch_names.fullmatch(name):
            message = "servers and switches would be called the same"
            expected = f"no name of a fabric with {', '.join(TIERS)} at its end"
            yield problem(path, "reserved_name", message, expected, name, "rename it")


def _of_racks(site: Site) -> Iterator[Problem]:
    """Racks of pool a are named a-r01, those with the switches of its units a-fabric-r01 (fabric-r01 for the first pool)."""
    names = [pool.name for pool in site.pools]
    for i, name in enumerate(names):
        pool_name = name.removesuffix("-fabric")
        if pool_name != name and pool_name in names[1:]:
            message = f"racks of pool {name} and racks with the switches of {pool_name} would be called the same"
            expected = f"a name other than {name}"
            yield problem(f"pools[{i}].name", "reserved_name", message, expected, name, "rename the pool")
