"""What a site declares about the systems that its machines get: image, disks, users, and which machine is which."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.base import Name, Record
from rackwright.model.software import OperatingSystem
from rackwright.model.texts import (
    AuthorizedKey,
    Digest,
    Disk,
    InstallFile,
    KernelArgument,
    RoleName,
    SitePath,
    Sku,
    Url,
    UserName,
)


class SystemDisks(Record):
    """Where the system goes. Only these disks are written; all others stay as they are."""

    devices: Annotated[list[Disk], Field(min_length=1, max_length=2)]
    """One disk, or two of equal size for a mirror. Paths by place (``/dev/disk/by-path/...``) name the same disk after every boot."""
    raid: Literal["none", "mirror"] = "none"
    """mirror: RAID 1 of the kernel over both disks, each with an EFI partition."""


class PoolInstall(Record):
    """Differences of the machines of a pool."""

    image: Sku | None = None
    """Image of the catalogue; the one for the operating system of the bill when empty."""
    disks: SystemDisks | None = None
    carries: list[RoleName] = []
    """Roles that take effect at a boot alone, and that were played on the machine of which the diskless image was made."""
    kernel_arguments: list[KernelArgument] = []
    """Of machines that run from a diskless image: what the kernel gets at every boot beside console, root and network."""


class InstallUser(Record):
    """An account that every machine has from its first boot. Its password is locked: it logs in with its keys."""

    name: UserName
    keys: Annotated[list[AuthorizedKey], Field(min_length=1)]
    """Public keys, as a line of ``authorized_keys``."""


class Install(Record):
    """How machines get their system."""

    machines: SitePath
    """CSV file with the identity of each machine: ``node,serial,uuid,mac,tpm_ek_sha256``, as the vendor's shipping notice has them."""
    server: Url
    """Where machines reach `rackwright boot-server`, from the in-band network (``http://10.64.0.2:8090``)."""
    repositories: dict[OperatingSystem, Url] = {}
    """By operating system: the mirror of its distribution, which installers take packages from; a diskless image needs none."""
    image: Sku | None = None
    """Image of the catalogue for every machine; the one for the operating system of the bill when empty."""
    disks: SystemDisks | None = None
    """Of pools that declare none themselves."""
    users: Annotated[list[InstallUser], Field(min_length=1)]
    digests: dict[InstallFile, Digest] = {}
    """SHA-256 of files for which the catalogue has none, by path below the folder of images (DGX OS, which needs a login)."""
    pools: dict[Name, PoolInstall] = {}

    def of_pool(self, pool: str) -> PoolInstall:
        """What `pool` declares; nothing where it does not."""
        return self.pools.get(pool, PoolInstall())

    def image_of(self, pool: str) -> str | None:
        """Name of the image that `pool` declares, or the site; None: the operating system decides."""
        return self.of_pool(pool).image or self.image

    def disks_of(self, pool: str) -> SystemDisks | None:
        """The disks that `pool` declares, or the site."""
        return self.of_pool(pool).disks or self.disks
