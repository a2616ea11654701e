"""The files of dnsmasq: it answers the declared machines alone, and only while they are to be installed; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Interface
from pathlib import Path

from rackwright.install.system_install import SystemInstall

CONFIG, HOSTS, OPTIONS = "dnsmasq.conf", "hosts", "options"
TFTP = "tftp"
ARCHITECTURES = {"amd64": (7, 9, 16), "arm64": (11, 19)}
"""Client architectures of UEFI (RFC 4578; 16 and 19 are HTTP boot of x64 and arm64, IANA registry of processor architecture types)."""


@dataclass(frozen=True)
class BootTarget:
    """A machine that may boot, and the signed URLs of its answer."""

    install: SystemInstall
    loader_url: str
    script_url: str


def config(folder: Path, interface: str, installs: Sequence[SystemInstall], loader: str) -> str:
    """``dnsmasq.conf`` of a server on `interface`; hosts and options stand in files of their own."""
    networks = {IPv4Interface(f"{install.address}/{install.prefix}").network: install.gateway for install in installs}
    lines = [
        "port=0",
        f"interface={interface}",
        "bind-interfaces",
        "except-interface=lo",
        "dhcp-ignore=tag:!known",
        "no-ping",
        f"dhcp-leasefile={folder / 'leases'}",
        f"dhcp-hostsfile={folder / HOSTS}",
        f"dhcp-optsfile={folder / OPTIONS}",
        "dhcp-userclass=set:ipxe,iPXE",
        "dhcp-vendorclass=set:httpclient,HTTPClient",
        "enable-tftp",
        f"tftp-root={folder / TFTP}",
        "tftp-secure",
        f"dhcp-boot=tag:!ipxe,tag:!httpclient,{loader}",
        "log-facility=-",
    ]
    for number, (network, gateway) in enumerate(networks.items()):
        lines.append(f"dhcp-range=set:net{number},{network.network_address},static,{network.netmask},10m")
        lines.append(f"dhcp-option=tag:net{number},option:router,{gateway}")
    return "\n".join(lines) + "\n"


def hosts(targets: Sequence[BootTarget]) -> str:
    """One line per machine: its MAC, the address that the design gives it, its name."""
    lines = [
        f"{target.install.machine.mac},set:{target.install.hostname},{target.install.address},{target.install.hostname}\n"
        for target in targets
    ]
    return "".join(lines)


def options(targets: Sequence[BootTarget]) -> str:
    """What each machine loads: firmware that boots by HTTP the loader, the loader its script. PXE takes the loader by TFTP."""
    lines = ["tag:httpclient,tag:!ipxe,60,HTTPClient\n"]
    for target in targets:
        tag = f"tag:{target.install.hostname}"
        lines.append(f"{tag},tag:httpclient,tag:!ipxe,option:bootfile-name,{target.loader_url}\n")
        lines.append(f"{tag},tag:ipxe,option:bootfile-name,{target.script_url}\n")
    return "".join(lines)
