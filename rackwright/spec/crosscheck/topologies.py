"""The fields that every topology needs, and those it does not use."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site
from rackwright.model.sku import Switch
from rackwright.spec.crosscheck.parts import unknown
from rackwright.spec.crosscheck.problem import problem

LEAF_SPINE = ("rail-optimized", "fat-tree", "leaf-spine")
TIERED = (*LEAF_SPINE, "scheduled")
GROUPED = ("dragonfly", "dragonfly-plus")
HOSTED = (*TIERED, "collapsed-core", "full-mesh", *GROUPED)
USES = {
    "spine_switch": (*TIERED, "dragonfly-plus"),
    "core_switch": TIERED,
    "tiers": TIERED,
    "spines": TIERED,
    "leaf_group": (*TIERED, "full-mesh", "management"),
    "planes": HOSTED,
    "rail_planes": HOSTED,
    "link_gbps": (*TIERED, "collapsed-core", "full-mesh", *GROUPED),
    "leaf_down": (*TIERED, "full-mesh", "dragonfly-plus"),
    "leaf_up": (*LEAF_SPINE, "collapsed-core", "full-mesh", "dragonfly-plus"),
    "reserved": HOSTED,
    "dragonfly": GROUPED,
}
"""Which topologies read a field; with any other it would be ignored in silence."""
LEAF_GROUPS = {
    "unit": (*TIERED, "full-mesh", "management"),
    "rack": (*TIERED, "full-mesh"),
    "site": ("fat-tree", "leaf-spine", "management"),
}
"""Which topologies can have leaves that such a set of nodes shares: leaves of rails belong to units or racks."""
SPEAKS = {"infiniband": "infiniband", "roce": "ethernet", "ethernet": "ethernet", "nvlink": "nvlink"}
"""The protocols that the switches of a transport speak."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every fabric against its topology."""
    for i, fabric in enumerate(site.fabrics):
        path = f"fabrics[{i}]"
        yield from _unsurvivable(f"{path}.survive", fabric, site)
        yield from _unused_keys(path, fabric)
        yield from _roles(path, fabric)
        yield from _switches(path, fabric, catalog)
        if fabric.topology == "scheduled":
            yield from _scheduled(path, fabric, catalog)
        if fabric.topology == "nvlink":
            yield from _nvlink(path, fabric, site, catalog)


def _unused_keys(path: str, fabric: Fabric) -> Iterator[Problem]:
    for field, topologies in USES.items():
        unset = type(fabric).model_fields[field].get_default(call_default_factory=True)
        if fabric.topology not in topologies and getattr(fabric, field) != unset:
            yield problem(
                f"{path}.{field}",
                "unused_key",
                f"a fabric of topology {fabric.topology} has no use for {field}",
                f"topology {', '.join(topologies)}",
                fabric.topology,
                f"remove {field}, or change topology",
            )
    groups = LEAF_GROUPS.get(fabric.leaf_group or "", (fabric.topology,))
    if fabric.topology in USES["leaf_group"] and fabric.topology not in groups:
        able = [group for group, topologies in LEAF_GROUPS.items() if fabric.topology in topologies]
        message = f"leaves of a fabric of topology {fabric.topology} cannot be those of a {fabric.leaf_group}"
        step = f"remove leaf_group, or take topology {' or '.join(groups)}"
        yield problem(f"{path}.leaf_group", "unused_key", message, " or ".join(able), str(fabric.leaf_group), step)
    if fabric.rail_planes and fabric.role != "compute":
        expected, step = "role compute, whose ports have rails", "remove rail_planes"
        message = f"ports of role {fabric.role} have no rails"
        yield problem(f"{path}.rail_planes", "unused_key", message, expected, f"role {fabric.role}", step)


def _roles(path: str, fabric: Fabric) -> Iterator[Problem]:
    for topology, role in (("management", "bmc"), ("nvlink", "nvlink")):
        if (fabric.topology == topology) != (fabric.role == role):
            actual = f"role {fabric.role}, topology {fabric.topology}"
            expected = f"topology {topology} with role {role}, and with no other"
            message = "role and topology differ"
            yield problem(f"{path}.topology", "wrong_topology", message, expected, actual, "change role or topology")


def _switches(path: str, fabric: Fabric, catalog: Catalog) -> Iterator[Problem]:
    skus = {"switch": fabric.switch, "spine_switch": fabric.spine_switch, "core_switch": fabric.core_switch}
    for field, sku in skus.items():
        if sku is None:
            continue
        if field != "switch":
            yield from unknown(f"{path}.{field}", sku, "switch", catalog.switches, catalog)
        part = catalog.switches.get(sku)
        if part:
            yield from _transport_problems(f"{path}.{field}", fabric, part)
            if part.fabric_element and (field == "switch" or fabric.topology != "scheduled"):
                message = f"{sku} only passes cells of a scheduled fabric on"
                expected = "a switch that forwards packets"
                step = "name it as spine_switch of a fabric of topology scheduled, or choose another switch"
                yield problem(f"{path}.{field}", "wrong_kind", message, expected, "a fabric element", step)


def _transport_problems(path: str, fabric: Fabric, switch: Switch) -> Iterator[Problem]:
    if switch.transport != SPEAKS[fabric.transport]:
        message = f"{switch.sku} is no {fabric.transport} switch"
        expected = f"a switch for {fabric.transport}"
        actual = f"{switch.sku}, a switch for {switch.transport}"
        yield problem(path, "wrong_transport", message, expected, actual, "change switch or transport")


def _scheduled(path: str, fabric: Fabric, catalog: Catalog) -> Iterator[Problem]:
    leaf = catalog.switches.get(fabric.switch)
    if leaf and leaf.uplinks is None:
        message = f"{leaf.sku} has no fabric ports to schedule over"
        able = sorted(sku for sku, switch in catalog.switches.items() if _schedules(switch))
        expected = "a leaf with fabric ports: " + (", ".join(able) or "none in the catalog")
        step = "change switch, or use topology leaf-spine"
        yield problem(f"{path}.switch", "wrong_kind", message, expected, f"{leaf.sku} without uplinks", step)
    spine = catalog.switches.get(fabric.spine_switch or "")
    if fabric.spine_switch is None or (spine and not spine.fabric_element):
        elements = sorted(sku for sku, switch in catalog.switches.items() if switch.fabric_element)
        actual = fabric.spine_switch or "no spine_switch"
        expected = "a fabric element: " + (", ".join(elements) or "none in the catalog")
        message = "a scheduled fabric passes cells over fabric elements"
        yield problem(f"{path}.spine_switch", "no_element", message, expected, actual, "declare spine_switch")


def _schedules(switch: Switch) -> bool:
    """True for a leaf whose uplinks are of the rate of its host ports: those of a management switch are not."""
    return switch.uplinks is not None and switch.uplinks.gbps == switch.ports.gbps


def _nvlink(path: str, fabric: Fabric, site: Site, catalog: Catalog) -> Iterator[Problem]:
    mine = [pool for pool in site.pools if not fabric.pools or pool.name in fabric.pools]
    able = [pool.name for pool in mine if _leaves_node(catalog, pool.server)]
    wrong = [pool for pool in mine if pool.name not in able]
    if wrong and (fabric.pools or not able):
        names = ", ".join(f"{pool.name} of {pool.server}" for pool in wrong)
        servers = ", ".join(sorted(sku for sku in catalog.servers if _leaves_node(catalog, sku)))
        message = "these nodes have no NVLinks that leave them"
        step = "take the pool out, or change its server" if fabric.pools else "remove the fabric, or change a server"
        yield problem(f"{path}.pools", "no_ports", message, f"one of {servers}", names, step)


def _leaves_node(catalog: Catalog, sku: str) -> bool:
    """True when the NVLinks of the accelerators end outside the node: it has no NVSwitches of its own."""
    server = catalog.servers.get(sku)
    part = catalog.accelerators.get(server.accelerator or "") if server else None
    return bool(server and part and part.nvlink_links and not server.nvswitches)


def _unsurvivable(path: str, fabric: Fabric, site: Site) -> Iterator[Problem]:
    """Losses that the building cannot survive: of the only hall, row, feed or CDU."""
    halls, liquid = site.facility.halls, site.facility.liquid
    counts = {
        "halls": (len(halls), "hall", "facility.halls"),
        "rows": (sum(hall.rows for hall in halls), "row", "facility.halls"),
        "feeds": (len(site.facility.power.feeds), "feed", "facility.power.feeds"),
        "cdus": (sum(units.count for units in liquid.cdus) if liquid else 0, "CDU", "facility.liquid.cdus"),
    }
    for kind, (count, noun, where) in counts.items():
        if fabric.survive and getattr(fabric.survive, kind) >= max(count, 1):
            only = f"the loss of the only {noun}" if count else f"the loss of a {noun}, as there is none"
            yield problem(
                f"{path}.{kind}",
                "unsurvivable_loss",
                f"{fabric.name} cannot survive {only}",
                f"{kind}: 0, or a second {noun} in {where}",
                f"{count} {noun}",
                f"set survive.{kind} to 0, or add a {noun}",
            )
