"""Fabrics on the switches of another one: which can be built so, and which keys belong to the fabric that has the switches."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.fabric import Fabric, FabricLosses
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem, unknown_name

ETHERNET = ("roce", "ethernet")
GUEST_ROLES = ("storage", "inband")
"""Roles whose ports have no rails, by which jobs are placed nowhere."""
TOPOLOGIES = ("rail-optimized", "fat-tree", "leaf-spine", "collapsed-core")
ALIKE = ("topology", "switch")
"""Keys that say the same of both fabrics."""
OF_SWITCHES = (
    "spine_switch", "core_switch", "switch_system", "oversubscription", "tiers", "spines", "planes", "leaf_group", "rail_planes",
    "link_gbps", "leaf_down", "leaf_up", "dragonfly", "ports_face", "loopbacks",
)  # fmt: skip
"""Keys of the switches, whose place is the fabric that owns them."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every fabric with ``switches_of``."""
    by_name = {fabric.name: fabric for fabric in site.fabrics}
    for i, fabric in enumerate(site.fabrics):
        if not fabric.switches_of:
            continue
        path = f"fabrics[{i}]"
        others = [name for name in by_name if name != fabric.name]
        unknown = list(unknown_name(f"{path}.switches_of", "fabric", fabric.switches_of, others))
        yield from unknown
        if unknown:
            continue
        owner = by_name[fabric.switches_of]
        refused = list(_refused(path, fabric, owner))
        yield from refused
        if not refused:
            yield from _owner(path, fabric, owner, site, catalog)
            yield from _keys(path, fabric, owner)
            yield from _losses(path, fabric, owner)


def _refused(path: str, fabric: Fabric, owner: Fabric) -> Iterator[Problem]:
    """Pairs of fabrics that no switch serves together."""
    alone = f"remove switches_of, so that {fabric.name} has switches of its own"
    if owner.switches_of:
        message = f"{owner.name} has no switches of its own, it is on those of {owner.switches_of}"
        yield problem(
            f"{path}.switches_of", "no_switches", message, owner.switches_of, owner.name, f"name {owner.switches_of}"
        )
    for at in (fabric, owner):
        if at.transport not in ETHERNET:
            message = f"{at.name} is no Ethernet fabric: its switches speak {at.transport} alone"
            expected = f"transport {' or '.join(ETHERNET)} on {fabric.name} and on {owner.name}"
            yield problem(f"{path}.switches_of", "unshared_transport", message, expected, at.transport, alone)
    if fabric.role not in GUEST_ROLES:
        message = f"a fabric of role {fabric.role} needs switches of its own"
        step = (
            alone if fabric.role != "compute" else f"remove it here, and set switches_of: {fabric.name} at {owner.name}"
        )
        expected = f"role {' or '.join(GUEST_ROLES)}"
        yield problem(f"{path}.switches_of", "unshared_role", message, expected, f"role {fabric.role}", step)
    if owner.topology not in TOPOLOGIES:
        message = f"switches of a fabric of topology {owner.topology} take no hosts of another fabric"
        expected = f"topology {', '.join(TOPOLOGIES)} on {owner.name}"
        yield problem(f"{path}.switches_of", "unshared_topology", message, expected, owner.topology, alone)
    if owner.planes > 1 or owner.rail_planes:
        actual = f"{owner.planes} planes" if owner.planes > 1 else "rail_planes: true"
        message = f"the leaves of {owner.name} do not reach each other, so that hosts of {fabric.name} would not either"
        yield problem(f"{path}.switches_of", "unshared_planes", message, f"one plane on {owner.name}", actual, alone)


def _owner(path: str, fabric: Fabric, owner: Fabric, site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Leaves that take hosts on any port, and hosts of the owner, without which there are no leaves."""
    switch = catalog.switches.get(owner.switch)
    if switch and switch.uplinks:
        message = f"a leaf {switch.sku} has uplinks of its own, which are counted for {owner.name} alone"
        yield problem(
            f"{path}.switches_of", "unshared_switch", message, "a switch on whose ports hosts and other switches can be alike",
            f"{switch.uplinks.count} ports that only lead upwards", f"choose another switch for {owner.name}, or remove switches_of",
        )  # fmt: skip
    pools = [pool for pool in site.pools if not owner.pools or pool.name in owner.pools]
    servers = [catalog.servers[pool.server] for pool in pools if pool.server in catalog.servers]
    if servers and not any(group.role == owner.role for server in servers for group in server.ports):
        message = f"{owner.name} has no hosts, and so no leaves that {fabric.name} could share"
        yield problem(
            f"{path}.switches_of", "no_switches", message, f"a pool with ports of role {owner.role}", "none",
            f"remove switches_of, and give {owner.name} switches_of: {fabric.name} if it is needed at all",
        )  # fmt: skip


def _keys(path: str, fabric: Fabric, owner: Fabric) -> Iterator[Problem]:
    for key in ALIKE:
        here, there = getattr(fabric, key), getattr(owner, key)
        if here != there:
            message = f"{fabric.name} is on the switches of {owner.name}, which have another {key}"
            step = f"set {key} to {there}, or remove switches_of"
            yield problem(f"{path}.{key}", "unlike_owner", message, f"{key} {there}, as {owner.name} has", here, step)
    for key in OF_SWITCHES:
        unset = Fabric.model_fields[key].get_default(call_default_factory=True)
        if getattr(fabric, key) != unset:
            message = f"{key} belongs to the switches, and they to {owner.name}"
            step = f"remove it here, and set {key} of {owner.name} for both fabrics; or remove switches_of"
            yield problem(f"{path}.{key}", "unused_key", message, f"no {key} here", str(getattr(fabric, key)), step)


def _losses(path: str, fabric: Fabric, owner: Fabric) -> Iterator[Problem]:
    """Losses that the switches are not built for."""
    least = owner.survive or FabricLosses()
    for kind, count in fabric.survive or FabricLosses():
        if count > getattr(least, kind):
            message = f"{fabric.name} must survive more than the switches of {owner.name} are built for"
            expected = f"at most survive.{kind} of {owner.name}: {getattr(least, kind)}"
            step = f"set survive.{kind} of {owner.name} to {count}"
            yield problem(f"{path}.survive.{kind}", "unsurvivable_loss", message, expected, str(count), step)
