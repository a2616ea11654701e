"""``rackwright check SITE``: prints every mistake of a site file at once, whether the site can be built and onboarded, and what nobody may use."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import UTC, datetime

from rackwright.base.errors import ExitCode, OutsideError
from rackwright.cli import output, site
from rackwright.compat import kubernetes_lock
from rackwright.flow import unpublished_limits
from rackwright.flow.site_content import refuse_expired, refuse_lapsed
from rackwright.locality import gangs
from rackwright.model.site import Site
from rackwright.spec import LoadedSite


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE and the output format."""
    site.add_site(parser)
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Load the site, expand it, query the roles and the gate; problems are raised as `ProblemsError`."""
    loaded = site.load(args)
    refuse_expired(loaded.catalog.roots, datetime.now(UTC).date())
    design = site.expand(loaded)
    refuse_lapsed(design, datetime.now(UTC).date())
    site.check_walk(loaded, design)
    nodes = sum(pool.count for pool in loaded.site.pools)
    stranded = gangs.stranded(design)
    unmanaged = _unmanaged(loaded)
    missing, unplayed = _without_limits(loaded)
    unproven = _unproven_charts(loaded.site)
    if args.format == "json":
        shared = {"stranded": [asdict(entry) for entry in stranded]} if loaded.site.tenants else {}
        output.emit(
            {
                "site": loaded.site.site,
                "path": str(loaded.path),
                "nodes": nodes,
                "problems": [],
                "not_judged": unmanaged,
                "without_published_limits": missing,
                **({"unproven_charts": unproven} if loaded.site.control.kubernetes else {}),
                **shared,
            }
        )
    else:
        pools, fabrics = len(loaded.site.pools), len(loaded.site.fabrics)
        counts = ", ".join(_count(*amount) for amount in ((nodes, "node"), (pools, "pool"), (fabrics, "fabric")))
        print(f"{loaded.path}: site {loaded.site.site} is sound ({counts})")
        for entry in stranded:
            print(f"  stranded: {entry}")
        for line in unmanaged:
            print(f"  not judged: {line}")
        for line in [*unpublished_limits.advice(loaded.site, missing), *unplayed]:
            print(f"  advice: {line}")
        for name in unproven:
            print(
                f"  unproven: no test has sent the chart of {name} to an API server: try it on a cluster of your own first"
            )
    return ExitCode.PASS


def _without_limits(loaded: LoadedSite) -> tuple[dict[str, list[str]], list[str]]:
    """(server -> checks without any published limit, reasons why that is unknown). Unknown if no twin can play a part: real machines may have it."""
    try:
        return unpublished_limits.of_site(loaded.site, loaded.catalog, datetime.now(UTC)), []
    except OutsideError as error:
        return {}, [f"this site cannot be rehearsed, and limits that nobody published are not named: {error}"]


def _unproven_charts(declared: Site) -> list[str]:
    """The add-ons whose charts were never sent to an API server in a test."""
    control, components = declared.control.kubernetes, kubernetes_lock.load().by_name()
    enabled = [name for name in control.addons if control.addon_version(name)] if control else []
    return [name for name in enabled if name in components and components[name].unrendered]


def _unmanaged(loaded: LoadedSite) -> list[str]:
    """Sentences about parts that are designed but neither set up nor judged, with the reason: rented slices, devices in racks."""
    devices, instances = loaded.catalog.devices, loaded.catalog.instances
    rented = [
        f"{entry.name}, {entry.count} x {entry.topology} of {entry.instance} in {entry.zone}, is designed and exported, and no node of it is accepted here: "
        f"{instances[entry.instance].not_judged}"
        for entry in loaded.site.slices
    ]
    return rented + [
        f"{entry.name}, {entry.count} x {entry.device}, has its place, power, heat and lines of the bill, and nothing else: {devices[entry.device].not_judged}"
        for entry in loaded.site.unmanaged
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
