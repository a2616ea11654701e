"""Fabrics: pools that exist, switches that fit, and a way to reach every machine."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.catalog import Catalog
from rackwright.errors import Problem
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site
from rackwright.model.sku import Server, Switch
from rackwright.spec.crosscheck.problem import problem
from rackwright.spec.fields import nearest


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every fabric against pools, switch and server ports; every pool against the fabrics and schedulers it needs."""
    for i, fabric in enumerate(site.fabrics):
        path = f"fabrics[{i}]"
        yield from _pools(path, fabric, site)
        switch = catalog.switches.get(fabric.switch)
        if switch:
            yield from _switch(path, fabric, switch)
            yield from _speeds(path, fabric, switch, site, catalog)
        management = fabric.topology == "management"
        if management != (fabric.role == "bmc"):
            found = f"role {fabric.role}, topology {fabric.topology}"
            expected = "topology management with role bmc, and with no other"
            step = "change role or topology"
            yield problem(f"{path}.topology", "wrong_topology", "role and topology differ", expected, found, step)
    yield from _reach(site)
    yield from _schedulers(site)


def connects(fabric: Fabric, pool: str) -> bool:
    """True when `fabric` has `pool` on it."""
    return not fabric.pools or pool in fabric.pools


def _pools(path: str, fabric: Fabric, site: Site) -> Iterator[Problem]:
    names = [pool.name for pool in site.pools]
    for i, name in enumerate(fabric.pools):
        if name not in names:
            guess = nearest(name, names)
            step = f"did you mean {guess}?" if guess else "name a pool, or leave pools out to connect all"
            expected = f"one of {', '.join(names)}"
            yield problem(f"{path}.pools[{i}]", "unknown_pool", f"there is no pool {name}", expected, name, step)


def _switch(path: str, fabric: Fabric, switch: Switch) -> Iterator[Problem]:
    if switch.transport != fabric.transport:
        message = f"{switch.sku} is no {fabric.transport} switch"
        expected = f"a switch for {fabric.transport}"
        found = f"{switch.sku}, a switch for {switch.transport}"
        step = "change switch or transport"
        yield problem(f"{path}.switch", "wrong_transport", message, expected, found, step)


def _speeds(path: str, fabric: Fabric, switch: Switch, site: Site, catalog: Catalog) -> Iterator[Problem]:
    for pool in site.pools:
        server = catalog.servers.get(pool.server)
        if server is None or not connects(fabric, pool.name):
            continue
        rates = {group.gbps for group in server.ports if group.role == fabric.role}
        if not rates and fabric.pools:
            message = f"{server.sku} has no {fabric.role} ports for {fabric.name}"
            step = f"take {pool.name} out of pools"
            expected = f"ports of role {fabric.role}"
            yield problem(f"{path}.pools", "no_ports", message, expected, _roles(server), step)
        for rate in sorted(rates - {switch.ports.gbps}):
            message = f"{server.sku} and {switch.sku} have ports of different speed"
            expected, found = f"{rate} Gb/s, as {server.sku} has", f"{switch.ports.gbps} Gb/s"
            step = f"choose a switch with ports of {rate} Gb/s"
            yield problem(f"{path}.switch", "wrong_speed", message, expected, found, step)


def _roles(server: Server) -> str:
    return "ports of role " + ", ".join(dict.fromkeys(group.role for group in server.ports))


def _reach(site: Site) -> Iterator[Problem]:
    """One fabric of each role per pool; in-band and BMC fabrics with a subnet, for without addresses nothing is reached."""
    for i, pool in enumerate(site.pools):
        mine = [fabric for fabric in site.fabrics if connects(fabric, pool.name)]
        for role in ("compute", "storage", "inband", "bmc"):
            found = [fabric.name for fabric in mine if fabric.role == role]
            if len(found) > 1:
                message = f"pool {pool.name} is on two {role} fabrics"
                step = "narrow the pools of one of them"
                expected = f"one fabric of role {role}"
                yield problem(f"pools[{i}]", "two_fabrics", message, expected, " and ".join(found), step)
        for role in ("inband", "bmc"):
            if not any(fabric.role == role and fabric.subnet for fabric in mine):
                message = f"pool {pool.name} is on no fabric of role {role} with a subnet"
                step = f"add a fabric with role: {role} and a subnet"
                yield problem(
                    f"pools[{i}]", "unreachable", message, f"a fabric of role {role} with a subnet", "none", step
                )


def _schedulers(site: Site) -> Iterator[Problem]:
    for i, pool in enumerate(site.pools):
        if pool.scheduler == "slurm" and site.control.slurm is None:
            message = f"pool {pool.name} wants Slurm, and the site has no Slurm controller"
            step = "add control.slurm, or set scheduler: none"
            yield problem(f"pools[{i}].scheduler", "no_scheduler", message, "control.slurm", "no such key", step)
