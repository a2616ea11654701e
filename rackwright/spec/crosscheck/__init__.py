"""Mistakes across fields: fields that contradict each other or name something that does not exist.

One file per subject, each with a ``check(site, catalog)`` generator; adding one is one file and its name in `CHECKS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck import (
    accounts,
    bmc_accounts,
    calibrations,
    classes,
    cooling,
    counts,
    economics,
    existing,
    existing_parts,
    fabrics,
    facility,
    files,
    firmware,
    gates,
    hosts,
    kubernetes,
    kubernetes_servers,
    links,
    machine_settings,
    names,
    options,
    parts,
    policies,
    power,
    rates,
    schedulers,
    serving,
    shared_switches,
    slices,
    software,
    sources,
    subnets,
    tenants,
    topologies,
    unmanaged,
    webhooks,
    workloads,
)

CHECKS = {
    names.check: (),
    counts.check: (),
    parts.check: (),
    facility.places: ("facility.halls", "existing.racks"),
    existing.check: ("existing", "facility.racks", "catalog"),
    existing_parts.check: ("existing", "fabrics", "catalog"),
    facility.pool_places: ("facility.halls", "pools"),
    facility.routes: ("facility.halls",),
    facility.feeds: ("facility.power.feeds",),
    power.check: ("facility.power", "facility.halls"),
    power.pools: ("pools", "facility"),
    cooling.plant: ("facility.halls", "facility.liquid.cdus", "facility.air.crahs", "pools"),
    cooling.air: ("facility.halls",),
    cooling.temperatures: ("facility.liquid",),
    fabrics.check: ("pools", "fabrics"),
    links.check: ("pools", "fabrics"),
    topologies.check: ("pools", "fabrics"),
    shared_switches.check: ("pools", "fabrics", "catalog"),
    slices.check: ("slices", "pools", "catalog"),
    unmanaged.check: ("unmanaged", "catalog"),
    rates.check: ("pools", "catalog"),
    software.check: ("software", "pools", "catalog"),
    sources.check: ("software", "pools", "catalog"),
    options.check: (),
    accounts.check: ("control.ssh",),
    bmc_accounts.check: ("control.bmc",),
    schedulers.check: ("control",),
    firmware.check: ("pools", "software", "catalog"),
    machine_settings.check: ("pools", "catalog"),
    kubernetes.check: ("control", "software", "pools"),
    kubernetes_servers.check: ("control", "software", "pools"),
    subnets.check: (),
    hosts.check: ("pools", "fabrics"),
    calibrations.check: ("pools", "acceptance"),
    webhooks.check: ("acceptance",),
    workloads.check: ("pools", "fabrics", "storage", "workloads"),
    tenants.check: ("pools", "catalog", "tenants", "policies"),
    classes.check: ("pools", "catalog", "tenants", "classes", "policies"),
    serving.check: ("control", "pools", "catalog", "tenants", "classes", "policies"),
    policies.check: ("pools", "catalog", "classes", "policies"),
    economics.prices: ("catalog", "economics"),
    economics.phases: ("pools", "deployment"),
    economics.intervals: ("workloads",),
}
"""Check -> parts of the site that must be free of other mistakes for the check to be meaningful."""


def crosscheck_site(site: Site, catalog: Catalog, folder: Path, repaired: Sequence[str] = ()) -> list[Problem]:
    """Every contradiction of `site`; `folder` is where relative paths of the site start.

    `repaired` are the paths of fields with a stand-in because their own value was wrong: nothing is reported about them again, nor about
    fields that depend on them.
    """
    problems = [
        problem
        for check, needs in CHECKS.items()
        if not any(path.startswith(need) for path in repaired for need in needs)
        for problem in check(site, catalog)
    ]
    problems += [*files.check(site, folder), *gates.check(site, catalog)]
    return [problem for problem in problems if not any(problem.path.startswith(path) for path in repaired)]
