"""Which probes a site needs, and all of them at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import polars as pl

from rackwright.base import yaml_text
from rackwright.base.errors import OutsideError
from rackwright.base.tasks import as_they_end
from rackwright.collect import collector
from rackwright.collect.transports import ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.mirror.layout import signed_index
from rackwright.model.access import Access
from rackwright.model.design import Design, Node
from rackwright.model.resource import MachineIdentity
from rackwright.model.site import Site
from rackwright.onboard.facts.kubernetes import public_key_sha256
from rackwright.onboard.facts.repositories import vendor_repositories
from rackwright.preflight import (
    bmcs,
    database,
    host_network,
    hosts,
    mirror,
    names,
    services,
    switches,
    time_servers,
)
from rackwright.preflight.result import ProbeError, ProbeReading, ProbeResult, Stage, take
from rackwright.redfish.client import RequestLimits
from rackwright.redfish.identity import Visited

IPV4 = 4
HTTPS, SLURMCTLD = 443, 6817
"""Port of slurmctld: Slurm, slurm.conf(5), SlurmctldPort."""


@dataclass(frozen=True)
class Asking:
    """Who asks: the accounts, and why they cannot be used where that is so."""

    access: Access
    bmc_problem: str = ""
    """Why there is no account for the BMCs; empty where there is one."""
    ledger: str = ""
    """URL of the database that a team shares; empty where the ledger is a file of this machine."""
    cluster_ca: Path | None = None
    """CA of the cluster that stands in for that of the site, as on a twin."""
    machines: Mapping[str, MachineIdentity] = field(default_factory=dict)
    """Which machine stands at which node, as far as that is declared."""


@dataclass(frozen=True)
class Probe:
    """One question to one machine or service."""

    stage: Stage
    name: str
    subject: str
    read: Callable[[], Awaitable[ProbeReading]]


@cache
def limits() -> dict[str, Any]:
    """``limits.yaml``."""
    values: dict[str, Any] = yaml_text.load(Path(__file__).with_name("limits.yaml").read_text(encoding="utf-8"))
    return values


def probes(design: Design, nodes: Sequence[Node], asking: Asking, stages: Sequence[Stage]) -> list[Probe]:
    """The probes that `stages` need of the services of the site and of `nodes`."""
    every = [
        *_services(design, asking),
        *_bmcs(nodes, asking),
        *_hosts(design, nodes, asking),
        *_switches(design, asking),
    ]
    return [probe for probe in every if probe.stage in stages]


async def run_probes(planned: Sequence[Probe]) -> AsyncIterator[ProbeResult]:
    """The result of each probe, in the order in which they end."""

    async def run(probe: Probe) -> ProbeResult:
        return await take(probe.stage, probe.name, probe.subject, probe.read())

    async for result in as_they_end((partial(run, probe) for probe in planned), limits()["at_once"]):
        yield result


def _services(design: Design, asking: Asking) -> Iterator[Probe]:
    site, seconds, most_offset = design.site, float(limits()["seconds"]), float(limits()["most_offset_seconds"])
    for host in _names_of(site):
        yield Probe("up", "name.address", host, partial(names.resolve, host, seconds))
    for server in site.control.ntp_servers:
        yield Probe(
            "up", "time.server", server, partial(time_servers.ask, server, time_servers.PORT, seconds, most_offset)
        )
    if asking.ledger:
        yield Probe("up", "ledger.database", asking.ledger.rpartition("@")[2], partial(database.ask, asking.ledger))
    url = site.software.apt_mirror.rstrip("/")
    for index in _indexes(design):
        yield Probe("onboard", "mirror.index", f"{url}/{index}", partial(mirror.ask, url, index, seconds))
    cluster, authority = site.control.kubernetes, asking.cluster_ca
    # servers of the site that are not onboarded yet have no CA, and nothing answers there
    if cluster and (digest := public_key_sha256(authority.read_bytes()) if authority else cluster.ca_sha256):
        read = partial(services.api_server, cluster.endpoint, digest, seconds)
        yield Probe("onboard", "kubernetes.api_server", cluster.endpoint, read)
    for node in design.nodes("slurm"):
        read = partial(services.connect, node.inband_address, SLURMCTLD, seconds, "slurmctld")
        yield Probe("accept", "slurm.controller", node.name, read)


def _names_of(site: Site) -> list[str]:
    """Every name in the site file that this machine, its nodes or its BMCs look up."""
    cluster = site.control.kubernetes
    places = [site.software.apt_mirror, site.software.file_mirror, f"//{cluster.endpoint}" if cluster else ""]
    written = [*site.control.ntp_servers, *(urlsplit(place).hostname or "" for place in places)]
    return [host for host in dict.fromkeys(written) if host and not names.is_address(host)]


def _indexes(design: Design) -> list[str]:
    """Indexes of the mirror that the nodes of the design install from; see ``rackwright.mirror.layout``."""
    site = design.site
    if not site.software.apt_mirror:
        return []
    paths = (
        signed_index(site.software.bill(node.pool), node.server.architecture, site.own_suite(node.pool))
        for node in design.nodes()
    )
    return list(dict.fromkeys(paths))


def _bmcs(nodes: Sequence[Node], asking: Asking) -> Iterator[Probe]:
    patience = RequestLimits(connect_seconds=float(limits()["seconds"]), attempts=1)

    async def log_in(node: Node) -> ProbeReading:
        if asking.bmc_problem:
            raise ProbeError(asking.bmc_problem)
        return await bmcs.log_in(node.bmc_address, asking.access, patience)

    for node in nodes:
        yield Probe("up", "bmc.login", node.name, partial(log_in, node))
    visited = Visited()
    for node in nodes if not asking.bmc_problem else ():
        if node.name in asking.machines:
            read = partial(bmcs.recognise, node.name, node.bmc_address, asking.access, asking.machines, visited)
            yield Probe("up", "bmc.machine", node.name, read)


def _hosts(design: Design, nodes: Sequence[Node], asking: Asking) -> Iterator[Probe]:
    patience = Patience(connect_seconds=float(limits()["seconds"]))
    places = _reached_by_hosts(design)

    trusted_by = _trust(asking.access, patience)

    async def log_in(node: Node) -> ProbeReading:
        return await hosts.log_in(node.inband_address, trusted_by(), patience, places, limits()["most_offset_seconds"])

    async def look(node: Node) -> ProbeReading:
        expected = host_network.HostAddress(node.inband_address, prefixes[node.inband_address])
        settle = limits()["neighbour_seconds"]
        return await host_network.look(expected, trusted_by(), patience, settle)

    addresses = design.addresses.filter(pl.col("family") == IPV4)
    prefixes = dict(zip(addresses["address"], addresses["prefix"], strict=True))
    for node in nodes:
        yield Probe("onboard", "ssh.login", node.name, partial(log_in, node))
    for node in nodes:
        yield Probe("onboard", "host.network", node.name, partial(look, node))


def _switches(design: Design, asking: Asking) -> Iterator[Probe]:
    """One look at each switch, where an account on them is declared."""
    user = design.site.control.ssh.switch_user
    if user is None:
        return
    patience = Patience(connect_seconds=float(limits()["seconds"]))
    trusted_by = _trust(replace(asking.access, ssh_user=user, collect_user="", limited=True), patience)
    environment = collector.library(design.roots)[switches.COLLECTOR]

    async def look(address: str) -> ProbeReading:
        return await switches.look(address, trusted_by(), patience, environment)

    for switch, address in switches.management_addresses(design).items():
        yield Probe("onboard", "switch.environment", switch, partial(look, address))


def _trust(access: Access, patience: Patience) -> Callable[[], ssh_connection.Trust]:
    @cache
    def trust() -> ssh_connection.Trust:
        return ssh_connection.trust(access, patience)

    def trusted_by() -> ssh_connection.Trust:
        try:
            return trust()
        except OutsideError as refused:  # our own key or known_hosts: the same sentence for every host
            raise ProbeError(str(refused)) from None

    return trusted_by


def _reached_by_hosts(design: Design) -> list[tuple[str, int]]:
    """Places that a host connects to while it is onboarded."""
    site = design.site
    urls = [site.software.apt_mirror, site.software.file_mirror, *vendor_repositories(design)]
    mirrors = [urlsplit(url) for url in urls if url]
    places = [(str(url.hostname), url.port or (HTTPS if url.scheme == "https" else 80)) for url in mirrors]
    if cluster := site.control.kubernetes:
        host, _, port = cluster.endpoint.rpartition(":")
        places.append((host.strip("[]"), int(port)))
    return list(dict.fromkeys(places))
