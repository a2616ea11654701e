"""Upper limits for counts in one site: beyond these numbers a count is a typing mistake, not a plan."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.control import Control
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

MOST_SLOTS = 262_144
"""Node slots of one site, whole scalable units counted; twice a site of 1,000,000 accelerators."""
MOST_FEEDS = 12
"""Every choice of feeds that may fail together is simulated."""
MOST_PLACES = 262_144
"""Rack places of one hall: more than one for every node of the largest site."""
MOST_UNITS = 10_000
"""UPS modules of a feed, and CDUs or CRAHs of one kind in a hall."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Sites and plants beyond all reason."""
    yield from _pools(site)
    yield from _feeds(site)
    for path, noun, count, most in _declared_counts(site):
        if count > most:
            yield problem(path, "too_many", f"too many {noun}", f"at most {most}", str(count), "lower the count")


def _pools(site: Site) -> Iterator[Problem]:
    """Pools that are too large each, else all together."""
    slots = [-(-pool.count // pool.scalable_unit) * pool.scalable_unit for pool in site.pools]
    most = f"at most {MOST_SLOTS} slots"
    for i, (pool, unit_slots) in enumerate(zip(site.pools, slots, strict=True)):
        if unit_slots > MOST_SLOTS:
            actual = f"{pool.count} nodes in units of {pool.scalable_unit}: {unit_slots} slots"
            step = "split it into sites"
            yield problem(f"pools[{i}].count", "too_many_nodes", "the pool is too large", most, actual, step)
    if sum(slots) > MOST_SLOTS >= max(slots):
        actual = f"{sum(slots)} slots in {len(slots)} pools"
        step = "split the site into several"
        yield problem("pools", "too_many_nodes", "the pools together are too large", most, actual, step)


def _feeds(site: Site) -> Iterator[Problem]:
    count = len(site.facility.power.feeds)
    if count > MOST_FEEDS:
        step = "declare the feeds that racks see: a rack hangs on all of them"
        most = f"at most {MOST_FEEDS}"
        yield problem("facility.power.feeds", "too_many", "too many feeds", most, str(count), step)


def _declared_counts(site: Site) -> Iterator[tuple[str, str, int, int]]:
    """Path, noun, count and limit of everything that is declared by number alone."""
    facility = site.facility
    for i, hall in enumerate(facility.halls):
        yield f"facility.halls[{i}].rows", f"places in {hall.name}", hall.rows * hall.racks_per_row, MOST_PLACES
    yield from _control_servers(site.control)
    for i, tier in enumerate(site.storage):
        if tier.servers:
            yield f"storage[{i}].servers.count", "storage servers", tier.servers.count, MOST_SLOTS
    for i, entry in enumerate(site.unmanaged):
        yield f"unmanaged[{i}].count", "unmanaged devices", entry.count, MOST_SLOTS
    if facility.power.ups:
        yield "facility.power.ups.per_feed", "UPS modules of a feed", facility.power.ups.per_feed, MOST_UNITS
    for i, cdus in enumerate(facility.liquid.cdus if facility.liquid else []):
        yield f"facility.liquid.cdus[{i}].count", "CDUs", cdus.count, MOST_UNITS
    for i, crahs in enumerate(facility.air.crahs if facility.air else []):
        yield f"facility.air.crahs[{i}].count", "CRAHs", crahs.count, MOST_UNITS


def _control_servers(control: Control) -> Iterator[tuple[str, str, int, int]]:
    if control.slurm:
        count = control.slurm.controllers.count
        yield "control.slurm.controllers.count", "Slurm controllers", count, MOST_SLOTS
    if control.kubernetes and control.kubernetes.servers:
        count = control.kubernetes.servers.count
        yield "control.kubernetes.servers.count", "servers of Kubernetes", count, MOST_SLOTS
    if control.ufm:
        yield "control.ufm.servers.count", "UFM servers", control.ufm.servers.count, MOST_SLOTS
