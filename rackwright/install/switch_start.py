"""How a switch without a configuration asks for one: options of DHCP, the file that it loads first, and by which header it names itself; pure.

Sources (read unless marked secondary):

- SONiC: sonic-net/sonic-ztp at 036c8ea (2026-04-15), ``src/usr/lib/ztp/dhcp/ztp`` (option 67), ``ztp/Downloader.py`` (headers).
- Cumulus Linux 5.11 user guide, Zero Touch Provisioning: option 239, header CUMULUS-SERIAL.
- EOS user manual (secondary): a file that is no script is its configuration; header X-Arista-Serial as EOS 4.3x sends it (Arista's bootstrap script of
  CloudVision ZTP as a service).
- NX-OS: Nexus 9000 fundamentals guide, PowerOn Auto Provisioning (options 66 and 67; a lease of an hour at least); datacenter/nexus9000 at 244912e
  (2023-05-25), ``nx-os/poap/poap.py`` (line ``#md5sum=``, POAP_SERIAL, scheduled-config).
- NVOS user manual 25.02.2002, Zero-Touch Provisioning: option 67 is the URL of a JSON file with a section commands-list.
- MLNX-OS user manual 3.10.4702 LTS, Getting Started, ZTP: option 66 is a list of URL prefixes, option 67 one of file names, both in the order image,
  configuration, container; an empty item keeps its comma (secondary).
- ONIE: opencomputeproject/onie at ad15a796 (2025-03-10), ``rootconf/default/lib/onie/functions`` (vendor class onie_vendor:),
  ``patches/busybox/dhcp-additional-options.patch`` (option 0x72), ``rootconf/default/bin/exec_installer`` (header ONIE-SERIAL-NUMBER).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rackwright.install.machines_file import DeclaredMachine

ONIE_CLASS = "onie_vendor:"
"""Start of the vendor class by which ONIE asks: a switch without a system."""
ONIE_OPTION = "114"
ONIE_SERIAL = "ONIE-SERIAL-NUMBER"
LEASE_SECONDS = 3600
"""POAP takes no shorter lease."""


@dataclass(frozen=True)
class SystemStart:
    """What one network operating system asks for."""

    first: str
    """The file that it loads first."""
    options: tuple[tuple[str, str], ...]
    """Option as dnsmasq calls it, and its value, in which ``{url}`` is the folder of the switch and ``{server}`` the host."""
    serial_header: str = ""
    """Header of HTTP with its serial number; empty where it sends none."""


SYSTEMS = {
    "sonic": SystemStart("ztp.json", (("option:bootfile-name", "{url}/ztp.json"),), "SERIAL-NUMBER"),
    "cumulus": SystemStart("cumulus-ztp", (("239", "{url}/cumulus-ztp"),), "CUMULUS-SERIAL"),
    "eos": SystemStart("startup-config", (("option:bootfile-name", "{url}/startup-config"),), "X-Arista-Serial"),
    "nxos": SystemStart(
        "poap.py", (("option:tftp-server", "{server}"), ("option:bootfile-name", "{url}/poap.py"))
    ),
    "nvos": SystemStart("ztp.json", (("option:bootfile-name", "{url}/ztp.json"),)),
    "mlnxos": SystemStart(
        "commands.txt", (("option:tftp-server", '",{url},"'), ("option:bootfile-name", '",commands.txt,"'))
    ),
}  # fmt: skip


@dataclass(frozen=True)
class SwitchStart:
    """A listed switch."""

    machine: DeclaredMachine
    """`node` is its name, `mac` that of its management port."""
    system: str
    address: str
    """Of its management port, with its prefix."""
    gateway: str
    files: Callable[[str], Mapping[str, str]]
    """Text of each file that it asks for, by name, from the URL of its folder."""

    @property
    def name(self) -> str:
        """Its host name."""
        return self.machine.node

    @property
    def start(self) -> SystemStart:
        """What its system asks for."""
        return SYSTEMS[self.system]

    @property
    def serial_headers(self) -> list[str]:
        """Headers of HTTP in which it may name itself: those of its system, and of ONIE."""
        return [header for header in (self.start.serial_header, ONIE_SERIAL) if header]

    def host_line(self) -> str:
        """As dnsmasq takes it after ``dhcp-host=``: its MAC, its address, its name."""
        address = self.address.split("/")[0]
        return f"{self.machine.mac},set:{self.name},{address},{self.name},{LEASE_SECONDS}"

    def option_lines(self, url: str) -> list[str]:
        """As dnsmasq takes them after ``dhcp-option=``; `url` is that of its folder."""
        server = url.split("//", 1)[1].split("/")[0]
        server = server.rsplit(":", 1)[0] if not server.endswith("]") else server
        values = ((option, value.format(url=url, server=server)) for option, value in self.start.options)
        return [f"tag:{self.name},{option},{value}" for option, value in values]
