"""What the installer of one machine reads, whatever system it gets. Templates read nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Interface
from urllib.parse import urlsplit

from rackwright.install.catalogue import InstallImage
from rackwright.install.machines_file import DeclaredMachine
from rackwright.model.install import InstallUser, SystemDisks


@dataclass(frozen=True)
class NamedInterface:
    """A network interface that gets its name by its MAC, and perhaps an address."""

    name: str
    mac: str
    address: str = ""
    """With its prefix; empty for a port of a bond."""

    @property
    def netmask(self) -> str:
        """Of its network, as four numbers; for an interface with an address alone."""
        return str(IPv4Interface(self.address).netmask)


@dataclass(frozen=True)
class Repository:
    """Where the installer takes the packages of the distribution from."""

    url: str

    @property
    def scheme(self) -> str:
        """``http`` or ``https``."""
        return urlsplit(self.url).scheme

    @property
    def host(self) -> str:
        """Host, with its port where it has one."""
        return urlsplit(self.url).netloc

    @property
    def path(self) -> str:
        """Path on the host, ``/`` at least."""
        return urlsplit(self.url).path or "/"


@dataclass(frozen=True)
class SystemInstall:
    """The answers of one machine."""

    hostname: str
    image: InstallImage
    machine: DeclaredMachine
    interface: str
    """In-band interface of the installed system: a port, or ``bond0``."""
    bond_ports: tuple[str, ...]
    """Ports of the bond, the one that the machine boots from first; empty where `interface` is a port itself."""
    address: str
    prefix: int
    gateway: str
    named: tuple[NamedInterface, ...]
    """Interfaces of which the list of machines has the MAC."""
    bmc_address: str
    """Of its BMC: another one in what it reports is held."""
    disks: SystemDisks | None
    """None for a diskless machine, and for no other."""
    users: tuple[InstallUser, ...]
    ntp_servers: tuple[str, ...]
    repository: Repository
    server: str = ""
    """URL of the boot server for this machine while it installs, with what proves its right; empty in an export."""
    home: str = ""
    """URL that the installed system phones home to; empty in an export, where nobody does."""
    pull: str = ""
    """Script that makes the installed system ask for its orders (pull mode) under a key that it makes itself; empty where none is to."""
    root_sha256: str = ""
    """Digest of the whole system, for an image that is unpacked, or that the machine runs from."""
    kernel_arguments: tuple[str, ...] = ()
    """Of a diskless machine, beside those that every one gets."""

    @property
    def bonded(self) -> bool:
        """Whether the in-band interface is a bond."""
        return bool(self.bond_ports)

    @property
    def netmask(self) -> str:
        """Of the in-band network, as four numbers."""
        return str(IPv4Interface(f"{self.address}/{self.prefix}").netmask)

    @property
    def unnamed_ports(self) -> tuple[str, ...]:
        """Ports of the bond that keep the name that the system gives them by their place."""
        named = {interface.name for interface in self.named}
        return tuple(name for name in self.bond_ports if name not in named)

    @property
    def mirrored(self) -> bool:
        """Whether the system is on two disks."""
        return self.disks is not None and self.disks.raid == "mirror"

    @property
    def disk_names(self) -> tuple[str, ...]:
        """The disks as Anaconda takes them, below /dev."""
        return tuple(device.removeprefix("/dev/") for device in self._devices)

    def disk_parts(self, number: int) -> tuple[str, ...]:
        """Partition `number` of every disk, as udev names it."""
        return tuple(f"{device}{_part(device)}{number}" for device in self._devices)

    @property
    def _devices(self) -> list[str]:
        return self.disks.devices if self.disks else []

    @property
    def network_arguments(self) -> tuple[str, ...]:
        """The in-band network as dracut takes it from the kernel command line (dracut.cmdline(7), Network): names by MAC, bond, address."""
        ports = self.bond_ports or (self.interface,)
        names = [f"ifname={interface.name}:{interface.mac}" for interface in self.named if interface.name in ports]
        options = f"mode=active-backup,miimon=100,primary={ports[0]}"
        bond = [f"bond={self.interface}:{','.join(ports)}:{options}"] if self.bonded else []
        address = f"ip={self.address}::{self.gateway}:{self.netmask}:{self.hostname}:{self.interface}:none"
        return (*names, *bond, address)

    @property
    def packages(self) -> tuple[str, ...]:
        """Packages beside those of a minimal system: what onboarding and phoning home need."""
        tpm = ("tpm2-tools", "openssl") if self.machine.tpm_ek_sha256 else ()
        return ("openssh-server", "curl", "sudo", "python3", "ipmitool", *tpm)


def _part(device: str) -> str:
    """What stands between a disk and the number of its partition."""
    if device.startswith("/dev/disk/"):
        return "-part"
    return "p" if device[-1].isdecimal() else ""
