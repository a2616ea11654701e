"""The networks of a twin: a bridge with the in-band subnet, a device with all BMC addresses, the kernel's limits for both."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv4Network, ip_address
from pathlib import Path
from urllib.parse import urlsplit

from rackwright.base.errors import OutsideError
from rackwright.model.site import Site

INBAND = "rw-inband"
OOB = "rw-oob"
ETHERNET = {INBAND: "02:00:00:00:00:01", OOB: "02:00:00:00:00:02"}
"""Ethernet addresses of the controller of the twin, in the locally administered range (second bit of the first octet).

A Linux bridge without an address of its own takes the lowest of its ports' (br_stp_recalculate_bridge_id) and loses it when the
host at that port restarts. The other hosts would send to the old address for half a minute, until they resolve it again.
"""
NEIGHBOURS = 16384


@dataclass(frozen=True)
class ControllerAddresses:
    """Addresses of the controller of a twin."""

    inband: IPv4Network
    gateway: str
    """First host address of the in-band subnet, where the controller listens."""
    services: tuple[str, ...]
    """In-band addresses that the site declares as NTP server, package mirror or Kubernetes API server."""
    bmcs: tuple[str, ...]
    routed: tuple[IPv4Network, ...] = ()
    """Further subnets in which hosts have addresses; the controller is their router."""

    def prefix(self, address: str) -> int:
        """Prefix length of the subnet that `address` is in."""
        subnets = (subnet for subnet in (self.inband, *self.routed) if _is_inside(address, subnet))
        return next(subnets, self.inband).prefixlen


def plan(site: Site, bmcs: Iterable[str]) -> ControllerAddresses:
    """The plan for `site` with the BMC addresses `bmcs`."""
    subnet = next(fabric.subnet for fabric in site.fabrics if fabric.role == "inband" and fabric.subnet)
    inband = IPv4Network(subnet)
    gateway = str(inband.network_address + 1)
    named = [*site.control.ntp_servers, urlsplit(site.software.apt_mirror).hostname or ""]
    named += [site.control.kubernetes.endpoint.rpartition(":")[0]] if site.control.kubernetes else []
    services = {name for name in named if _is_inside(name, inband) and name != gateway}
    routed = tuple(IPv4Network(subnet) for fabric in site.fabrics for subnet in fabric.routed_subnets)
    return ControllerAddresses(inband, gateway, tuple(sorted(services)), tuple(bmcs), routed)


def _is_inside(name: str, network: IPv4Network) -> bool:
    try:
        return ip_address(name) in network
    except ValueError:
        return False


def up(addresses: ControllerAddresses) -> None:
    """Create the interfaces in the network namespace of this process."""
    commands = ["link set lo up"]
    commands += [
        f"link add {name} address {mac} type bridge stp_state 0 forward_delay 0" for name, mac in ETHERNET.items()
    ]
    local = [addresses.gateway, *addresses.services]
    commands += [f"address add {IPv4Interface((ip, addresses.inband.prefixlen))} dev {INBAND}" for ip in local]
    commands += [f"address add {ip}/32 dev {OOB}" for ip in addresses.bmcs]
    commands += [f"link set {name} up" for name in ETHERNET]
    commands += [f"route add {subnet} dev {INBAND}" for subnet in addresses.routed]
    done = subprocess.run(["ip", "-batch", "-"], input="\n".join(commands), text=True, capture_output=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[0]
        raise OutsideError(
            f"the network of the twin cannot be made: {reason}; is the bridge module of the kernel there?"
        )
    if addresses.routed:
        Path("/proc/sys/net/ipv4/ip_forward").write_text("1", encoding="ascii")
    for level, limit in (("gc_thresh1", NEIGHBOURS // 4), ("gc_thresh2", NEIGHBOURS // 2), ("gc_thresh3", NEIGHBOURS)):
        path = Path("/proc/sys/net/ipv4/neigh/default", level)
        if path.exists():
            path.write_text(str(limit), encoding="ascii")
