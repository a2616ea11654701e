"""The files of a freshly installed node in place of this machine's: its system, accounts, package database, kernel, boot loader.

They are written again for every twin: a few hundred small files, without a package manager.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.model.design import Design
from rackwright.model.site import Software
from rackwright.twin import systems
from rackwright.twin.guest import initramfs, kernel_install
from rackwright.twin.hardware.state import State
from rackwright.twin.hosts import base_folders, dpkg_database, rpm_database
from rackwright.twin.mirror import package as deb
from rackwright.twin.mirror.definition import packages
from rackwright.twin.mirror.families import PackageDefinition

LOCALE = {"dpkg": "/etc/default/locale", "rpm": "/etc/locale.conf"}
"""The file with the language of a system."""


def write_all(disks: Path, design: Design, state: State, cache: Path) -> None:
    """Write the layer of each image and kind of kernels that a machine of `state` has to its folder below `disks`."""
    declared = systems.of_nodes(design, state.machines)
    images = {
        (declared[node], machine.kernel, design.node(node).server.sku) for node, machine in state.machines.items()
    }
    for system, kind, sku in sorted(images):
        write(disks / folder_name(system, kind, sku), design.site.software, cache, kind, system, sku)


def folder_name(system: str, kind: str, sku: str) -> str:
    """Name of the folder with a layer; servers whose image has nothing of its own share one."""
    ending = f"-{sku}" if sku in systems.load(system).packages_of else ""
    return f"base-{system}-{kind}{ending}"


def write(target: Path, software: Software, cache: Path, kind: str = "newest", name: str = "", sku: str = "") -> None:
    """Write the layer to the folder `target`, on a file system with extended attributes (a tmpfs).

    `cache` is for what all twins share; `kind` is `TwinMachine.kernel`: the kernels that the installer left; `name` the operating system,
    the site's own by default; `sku` the server whose image it is.
    """
    if target.exists():
        return
    system = systems.load(name or software.system).on_server(sku)
    work = target.with_name(f"{target.name}.new")
    shutil.rmtree(work, ignore_errors=True)
    base_folders.write(work, system)
    _system(work, system)
    installed = preinstalled(packages(software, name), kind)
    for package in installed:
        deb.place(package, work, work, system.signer)
    _merge_usr(work)
    _configure(work, installed, system)
    if system.packager == "rpm":
        rpm_database.write(work, installed, system, cache)
    else:
        dpkg_database.write(work, installed, system)
    base_folders.remove(work, system)
    work.chmod(0o755)
    work.rename(target)


def _system(work: Path, system: systems.HostSystem) -> None:
    """The system's own files, accounts and settings, in place of this machine's."""
    texts = {path: (text, 0o755 if "/bin/" in path else 0o644) for path, text in system.files.items()}
    texts |= system.account_files() | {
        "/usr/lib/os-release": (system.os_release, 0o644),
        LOCALE[system.packager]: (f"{system.locale}\n", 0o644),
    }
    texts |= {"/etc/timezone": (f"{system.timezone}\n", 0o644)} if system.packager == "dpkg" else {}
    for path, (text, mode) in texts.items():
        target = work / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        target.chmod(mode)
    (work / "etc/os-release").symlink_to("../usr/lib/os-release")
    (work / "etc/localtime").symlink_to(f"/usr/share/zoneinfo/{system.timezone}")


def preinstalled(offered: Sequence[PackageDefinition], kind: str) -> list[PackageDefinition]:
    """The packages of a fresh node: kernel images for `kind`, and of each other package the newest release among them."""
    releases = [package.variables["release"] for package in offered if package.modules and package.preinstalled]
    required = {"newest": releases[-1:], "older": releases[:1], "pinned": releases}[kind]
    selected = [
        package
        for package in offered
        if package.preinstalled and package.variables.get("release", required[-1]) in required
    ]
    return list(
        {(package.name, package.version if _installs_beside(package) else ""): package for package in selected}.values()
    )


def _installs_beside(package: PackageDefinition) -> bool:
    """Whether releases of an rpm package are installed beside each other (installonlypkgs of dnf.conf(5))."""
    return any(provided.startswith("installonlypkg(") for provided in package.provides)


def _merge_usr(work: Path) -> None:
    """Move /lib and /sbin of packages to /usr, where a node has links."""
    for name in ("bin", "sbin", "lib"):
        if (work / name).is_dir():
            shutil.copytree(work / name, work / "usr" / name, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(work / name)


def _configure(work: Path, installed: Sequence[PackageDefinition], system: systems.HostSystem) -> None:
    """Do what the maintainer scripts of these packages would do."""
    (work / "etc/default").mkdir(parents=True, exist_ok=True)
    shutil.copy(work / "usr/share/grub/default/grub", work / "etc/default/grub")
    (work / "boot" / ("grub2" if system.packager == "rpm" else "grub")).mkdir(exist_ok=True)
    for release in {package.variables["release"] for package in installed if package.modules}:
        if system.packager == "rpm":
            kernel_install.place(str(work), release, str(work / "usr/lib/modules" / release / "vmlinuz"))
        else:
            initramfs.write(str(work), release)
        done = subprocess.run(["depmod", "-b", str(work / "usr"), release], capture_output=True, text=True, check=False)
        if done.returncode:
            raise OutsideError(f"depmod cannot list the modules of the twin's kernel: {done.stderr.strip()}")
