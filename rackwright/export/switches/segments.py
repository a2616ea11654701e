"""The networks of hosts on the leaves of a fabric: which ports they have where, and what carries them between leaves."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from rackwright.base.errors import Problem
from rackwright.catalog.switch_practice import SwitchPractice
from rackwright.export.switches.switch_config import HostNetwork
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric


@dataclass(frozen=True)
class FabricSegments:
    """The networks of one fabric, each with the ports of its hosts: pairs of leaf and port."""

    members: tuple[tuple[HostNetwork, frozenset[tuple[str, str]]], ...]

    def joined(self, more: FabricSegments) -> FabricSegments:
        """These and those of a fabric on the same switches."""
        return FabricSegments(self.members + more.members)

    def of(self, device: str) -> list[HostNetwork]:
        """Those with a host on `device`."""
        return [segment for segment, ends in self.members if any(leaf == device for leaf, _ in ends)]

    def vlan(self, device: str, port: str) -> int:
        """VLAN of a port, 0 for one without a host."""
        return next((segment.vlan for segment, ends in self.members if (device, port) in ends), 0)

    @property
    def spanning(self) -> bool:
        """Whether a network spans leaves."""
        return any(segment.vni for segment, _ in self.members)


def of_fabric(design: Design, fabric: Fabric, practice: SwitchPractice, before: int = 0) -> FabricSegments:
    """The networks of `fabric` with hosts; `before`: networks that other fabrics have on its switches."""
    rows = design.networks.filter((pl.col("fabric") == fabric.name) & (pl.col("network") != f"{fabric.name}-loopback"))
    cables = design.cables.filter((pl.col("fabric") == fabric.name) & (pl.col("kind") == "node_leaf"))
    members = []
    for at, row in enumerate(rows.iter_rows(named=True)):
        ends = _ends(cables, row["rail"], row["plane"])
        spans = len({leaf for leaf, _ in ends}) > 1
        vlan = row["vlan"] or practice.local_vlan + before + at
        subnet = row["subnet"] or ""
        vni, vrf = row["vni"] or 0 if spans else 0, f"Vrf{vlan}" if fabric.switches_of else ""
        members.append((HostNetwork(row["network"], vlan, subnet, _gateway(subnet), vni, vrf), ends))
    return FabricSegments(tuple(members))


def problems(design: Design, fabric: Fabric, segments: FabricSegments, owner: Fabric) -> Iterator[Problem]:
    """What keeps a network of `fabric` from being carried as declared, on the switches of `owner`."""
    if not segments.members:
        yield _problem(
            fabric.name,
            "no network: its hosts have no addresses",
            "subnet",
            "none",
            f"declare the subnet of {fabric.name}",
        )
    routed6 = design.networks.filter((pl.col("fabric") == fabric.name) & pl.col("subnet6").is_not_null())
    if routed6.height:
        step = "export the fabric without subnet6, and add IPv6 to the files by hand"
        yield _problem(fabric.name, "IPv6 is not written yet", "IPv4 networks", str(routed6["subnet6"][0]), step)
    for segment, ends in segments.members:
        leaves = {leaf for leaf, _ in ends}
        if not segment.subnet:
            yield _problem(
                segment.network, "a network without a subnet", "subnet", "none", f"declare the subnet of {fabric.name}"
            )
        elif len(leaves) > 1 and not (segment.vni and owner.loopbacks):
            unset = [(fabric, "vni")] if fabric.vni is None else []
            unset += [(owner, "loopbacks")] if owner.loopbacks is None else []
            missing = " and ".join(key for _, key in unset)
            places = " and ".join(dict.fromkeys(place.name for place, _ in unset))
            step = f"declare {missing} for {places}, so that EVPN carries the network from leaf to leaf"
            actual = f"{len(leaves)} leaves and no {missing}"
            yield _problem(
                segment.network,
                "a network that spans leaves needs a VXLAN",
                "one leaf, or vni and loopbacks",
                actual,
                step,
            )


def _ends(cables: pl.DataFrame, rail: int | None, plane: int | None) -> frozenset[tuple[str, str]]:
    for column, number in (("rail", rail), ("plane", plane)):
        if number is not None:
            cables = cables.filter(pl.col(column) == number)
    return frozenset(cables.select("b_device", "b_port").iter_rows())


def _gateway(subnet: str) -> str:
    """The first address of every network of a design is its gateway's."""
    if not subnet:
        return ""
    network = ipaddress.IPv4Network(subnet)
    return f"{network[1]}/{network.prefixlen}"


def _problem(path: str, message: str, expected: str, actual: str, step: str) -> Problem:
    return Problem("export to switches", path, message, expected, actual, step, "export.switch_network")
