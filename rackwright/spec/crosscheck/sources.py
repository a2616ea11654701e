"""Where hosts install from: a mirror that is missing, repositories of vendors that no host could use, packages that no vendor publishes."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.artifact import Architecture
from rackwright.model.site import Site
from rackwright.model.software import Bill
from rackwright.spec.crosscheck.problem import problem
from rackwright.upstreams import SourceRepository, load_upstreams, select_sources

OF_A_DISTRIBUTION = "*+ds"
"""Versions that a distribution packages itself (Debian Developers' Reference, 6.7.8.2: repacked sources), as it does nvbandwidth."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """The declared source of packages, and with ``vendor`` each repository that a bill needs."""
    if site.software.source == "mirror":
        if not site.software.apt_mirror:
            yield problem(
                "software.apt_mirror", "missing", "hosts need a place to install from", "the URL of the site's package mirror", "nothing",
                "give it (docs/how-to/mirror.md), or let hosts install from the vendors (software.source: vendor)",
            )  # fmt: skip
        return
    names = {upstream.name for upstream in load_upstreams().upstreams}
    for name in site.software.vendor_keys.keys() - names:
        expected, step = f"one of {', '.join(sorted(names))}", "correct the name"
        yield problem(
            f"software.vendor_keys.{name}", "unknown_repository", "no repository has this name", expected, name, step
        )
    reported: set[Problem] = set()
    for pool, bill, architecture in _classes(site, catalog):
        for source in select_sources(load_upstreams(), bill, bill.base, architecture):
            for mistake in _unusable(site, pool, bill, source):
                if mistake not in reported:
                    reported.add(mistake)
                    yield mistake


def _classes(site: Site, catalog: Catalog) -> Iterator[tuple[str, Bill, Architecture]]:
    """Pool, bill and architecture of the nodes of each pool."""
    for pool in site.pools:
        if server := catalog.servers.get(pool.server):
            yield pool.name, site.software.bill(pool.name), server.architecture


def _unusable(site: Site, pool: str, bill: Bill, source: SourceRepository) -> Iterator[Problem]:
    software = site.software
    place = f"software.pools.{pool}" if pool in software.pools else "software"
    if source.publisher == "site":
        yield from () if software.apt_mirror else _unpublished(place, bill, source)
    elif source.reason:
        yield problem(
            f"{place}.os", "no_vendor_repository", f"hosts cannot install from {source.name} themselves: {source.reason if source.public else 'it has no public address'}",
            "a system whose repositories are public", bill.base, "use a mirror of the site (software.source: mirror, docs/how-to/mirror.md)",
        )  # fmt: skip
    elif not (source.key.file or source.key.fingerprints or software.vendor_keys.get(source.name)):
        yield problem(
            f"software.vendor_keys.{source.name}", "no_vendor_key", f"nobody publishes the fingerprint of the key of {source.name}",
            f"the fingerprint of the key at {source.key.url}", "none",
            f"compare that key with the vendor's documents, and give software.vendor_keys: {{{source.name}: [FINGERPRINT]}}",
        )  # fmt: skip


def _unpublished(place: str, bill: Bill, source: SourceRepository) -> Iterator[Problem]:
    """Packages that no vendor publishes, on a site without a mirror for them."""
    for field in source.bill_fields:
        version = str(getattr(bill, field))
        if version and not fnmatchcase(version, OF_A_DISTRIBUTION):
            yield problem(
                f"{place}.{field}", "unpublished", f"no vendor publishes packages of {field.replace('_', '-')} for {bill.base}",
                "a mirror of the site that has them", "no software.apt_mirror",
                "`rackwright mirror build` and `rackwright mirror sync` make a mirror of these alone: give its URL as software.apt_mirror; or leave "
                f"{field} out",
            )  # fmt: skip
