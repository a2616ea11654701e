"""Remedies for the rules of storage and of phases: more servers, promises that the parts can keep, phases for every unit."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.catalog import Catalog, remedy_ranges
from rackwright.design.remedies.knob import ChangeTerms, Knob, values
from rackwright.model.site import Site

PROMISES = ("read_gbytes_per_s", "write_gbytes_per_s", "capacity_pbytes")


def more_servers(site: Site, _: Catalog) -> Iterator[Knob]:
    """More servers of each tier."""
    for at, tier in enumerate(site.storage):
        if tier.servers:
            count = tier.servers.count
            yield values(
                f"storage[{at}].servers.count",
                range(count + 1, int(count * max(remedy_ranges.load().growth_times)) + 1),
            )


def lower_promise(site: Site, _: Catalog) -> Iterator[Knob]:
    """Tiers that promise less."""
    for at, tier in enumerate(site.storage):
        for name in PROMISES:
            promised = getattr(tier, name)
            integer = name != "capacity_pbytes"
            options = dict.fromkeys(
                max(1, int(promised * share)) if integer else promised * share
                for share in remedy_ranges.load().promise_shares
            )
            yield values(
                f"storage[{at}].{name}", [option for option in options if option < promised], ChangeTerms.PROMISE
            )


def higher_promise(site: Site, _: Catalog) -> Iterator[Knob]:
    """Tiers that promise more; the rules judge whether the parts can keep it."""
    for at, tier in enumerate(site.storage):
        for name in PROMISES:
            promised = getattr(tier, name)
            integer = name != "capacity_pbytes"
            options = (promised * times for times in remedy_ranges.load().growth_times)
            yield values(
                f"storage[{at}].{name}", [-int(-option // 1) if integer else round(option, 2) for option in options]
            )


def longer_writes(site: Site, _: Catalog) -> Iterator[Knob]:
    """Checkpoints that may take longer, and fewer of them kept."""
    for at, workload in enumerate(site.workloads):
        checkpoint = workload.checkpoint
        if checkpoint and checkpoint.write_seconds:
            options = [round(checkpoint.write_seconds * times, 1) for times in remedy_ranges.load().growth_times]
            yield values(f"workloads[{at}].checkpoint.write_seconds", options, ChangeTerms.PROMISE)
        if checkpoint and checkpoint.kept > 1:
            yield values(f"workloads[{at}].checkpoint.kept", range(checkpoint.kept - 1, 0, -1), ChangeTerms.PROMISE)


def plain_path(site: Site, _: Catalog) -> Iterator[Knob]:
    """Reading and writing with a copy through host memory."""
    for at, tier in enumerate(site.storage):
        if tier.gpudirect:
            yield values(f"storage[{at}].gpudirect", [False], ChangeTerms.PROMISE)


def whole_phases(site: Site, _: Catalog) -> Iterator[Knob]:
    """The last phase of each pool takes the scalable units that are in no phase."""
    units = {pool.name: -(-pool.count // pool.scalable_unit) for pool in site.pools}
    phases = site.deployment.phases
    last = {phase.pool: at for at, phase in enumerate(phases)}
    for pool, at in last.items():
        missing = units.get(pool, 0) - sum(phase.scalable_units for phase in phases if phase.pool == pool)
        count = phases[at].scalable_units + missing
        yield values(f"deployment.phases[{at}].scalable_units", [count] if missing and count > 0 else [])


BY_RULE = {
    "storage_servers": (more_servers, lower_promise),
    "storage_demand": (higher_promise, longer_writes),
    "gpudirect": (plain_path,),
    "phases_complete": (whole_phases,),
}
