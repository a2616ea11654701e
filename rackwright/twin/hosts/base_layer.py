"""The files of a freshly installed node in place of this machine's: its system, accounts, package database, kernel, boot loader.

They are written again for every twin: a few hundred small files, without a package manager.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.model.design import Design
from rackwright.model.site import Software
from rackwright.twin import systems
from rackwright.twin.guest import initramfs
from rackwright.twin.guest.boot import OPAQUE
from rackwright.twin.hardware.state import State
from rackwright.twin.mirror import package as deb
from rackwright.twin.mirror.definition import PackageDefinition, packages

HIDDEN = (
    "boot", "usr/lib/modules", "usr/src", "usr/local", "opt", "srv", "var/lib/dkms", "var/lib/dpkg", "var/lib/apt",
    "var/cache/apt", "var/log", "etc/default/grub.d", "etc/modprobe.d", "etc/apt", "etc/netplan", "etc/network", "etc/cron.d",
    "etc/slurm",
)  # fmt: skip
"""Folders of this machine that a host does not see."""
STATE = {
    "etc/munge": ("munge", 0o700),
    "var/lib/munge": ("munge", 0o711),
    "var/log/munge": ("munge", 0o700),
    "var/lib/chrony": ("_chrony", 0o750),
    "var/log/chrony": ("_chrony", 0o750),
    "var/lib/slurm": ("slurm", 0o755),
    "var/lib/slurm/slurmctld": ("slurm", 0o755),
    "var/lib/slurm/slurmd": ("slurm", 0o755),
    "var/log/slurm": ("slurm", 0o755),
}
"""Folders of daemons as their packages make them: owner and mode."""
EMPTY = (
    "usr/local/bin", "usr/local/sbin", "usr/local/lib", "usr/local/share", "var/log/apt", "var/lib/apt/lists/partial",
    "var/cache/apt/archives/partial", "etc/apt/apt.conf.d", "etc/apt/auth.conf.d", "etc/apt/keyrings", "etc/apt/preferences.d",
    "etc/apt/sources.list.d", "etc/apt/trusted.gpg.d", "var/lib/dpkg/alternatives", "var/lib/dpkg/parts", "var/lib/dpkg/updates",
)  # fmt: skip
LINKER = """\
#!/bin/sh
set -e
if [ "$1" = triggered ] || [ "$1" = configure ]; then ldconfig; fi
"""
"""What the maintainer script of libc-bin does (glibc, debian/debhelper.in/libc-bin.postinst)."""


def write_all(disks: Path, design: Design, state: State) -> None:
    """Write the layer of each system and kind of kernels that a machine of `state` has to its folder below `disks`."""
    declared = systems.of_nodes(design, state.machines)
    for system, kind in sorted({(declared[node], machine.kernel) for node, machine in state.machines.items()}):
        write(disks / folder_name(system, kind), design.site.software, kind, system)


def folder_name(system: str, kind: str) -> str:
    """Name of the folder with a layer."""
    return f"base-{system}-{kind}"


def write(target: Path, software: Software, kind: str = "newest", name: str = "") -> None:
    """Write the layer to the folder `target`, on a file system with extended attributes (a tmpfs).

    `kind` is `TwinMachine.kernel`: the kernels that the installer left; `name` the operating system, the site's own by default.
    """
    if target.exists():
        return
    system = systems.load(name or software.system)
    work = target.with_name(f"{target.name}.new")
    shutil.rmtree(work, ignore_errors=True)
    for folder in HIDDEN:
        _opaque(work / folder)
    _system(work, system)
    installed = preinstalled(packages(software, name), kind)
    for package in installed:
        deb.place(package, work, work, system.signer)
    _merge_usr(work)
    _configure(work, installed)
    _database(work, installed, system)
    work.chmod(0o755)
    work.rename(target)


def _opaque(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.setxattr(folder, OPAQUE, b"y")


def _system(work: Path, system: systems.HostSystem) -> None:
    """The system's own files, accounts and settings, in place of this machine's."""
    for folder in EMPTY:
        (work / folder).mkdir(parents=True, exist_ok=True)
    for name, (owner, mode) in STATE.items():
        _opaque(work / name)
        os.chown(work / name, *system.ids(owner))
        (work / name).chmod(mode)
    texts = {path: (text, 0o755 if "/bin/" in path else 0o644) for path, text in system.files.items()}
    texts |= system.account_files() | {
        "/usr/lib/os-release": (system.os_release, 0o644),
        "/etc/default/locale": (f"{system.locale}\n", 0o644),
        "/etc/timezone": (f"{system.timezone}\n", 0o644),
    }
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
    return list({package.name: package for package in selected}.values())


def _merge_usr(work: Path) -> None:
    """Move /lib and /sbin of packages to /usr, where a node has links."""
    for name in ("bin", "sbin", "lib"):
        if (work / name).is_dir():
            shutil.copytree(work / name, work / "usr" / name, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(work / name)


def _configure(work: Path, installed: Sequence[PackageDefinition]) -> None:
    """Do what the maintainer scripts of these packages would do."""
    (work / "etc/default").mkdir(parents=True, exist_ok=True)
    shutil.copy(work / "usr/share/grub/default/grub", work / "etc/default/grub")
    (work / "boot/grub").mkdir()
    for release in {package.variables["release"] for package in installed if package.modules}:
        initramfs.write(str(work), release)
        done = subprocess.run(["depmod", "-b", str(work / "usr"), release], capture_output=True, text=True, check=False)
        if done.returncode:
            raise OutsideError(f"depmod cannot list the modules of the twin's kernel: {done.stderr.strip()}")


def _database(work: Path, installed: Sequence[PackageDefinition], system: systems.HostSystem) -> None:
    """Write dpkg's own files: the packages of the system's image and those of the mirror that a fresh node has."""
    names = {package.name for package in installed}
    state, info = work / "var/lib/dpkg", work / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    paragraphs = []
    for name, version in sorted(system.packages.items()):
        if name not in names:
            paragraphs.append(
                _paragraph(PackageDefinition(name=name, version=version, summary=f"{name} of {system.title}"))
            )
            (info / f"{name}.list").write_text("/.\n")
            (info / f"{name}.md5sums").touch()
    for package in installed:
        paragraphs.append(_paragraph(package))
        (info / f"{package.name}.list").write_text("".join(f"{path}\n" for path in ["/.", *_paths(package)]))
        sums = [(hashlib.md5(_merged(work, path).read_bytes()), path[1:]) for path in _paths(package)]  # noqa: S324 - dpkg's
        (info / f"{package.name}.md5sums").write_text(
            "".join(f"{digest.hexdigest()}  {path}\n" for digest, path in sums)
        )
        for script, text in deb.scripts(package).items():
            (info / f"{package.name}.{script}").write_text(text)
            (info / f"{package.name}.{script}").chmod(0o755)
    (state / "status").write_text("".join(f"{text}\n\n" for text in paragraphs), encoding="utf-8")
    (info / "format").write_text("1\n")
    (info / "libc-bin.triggers").write_text("interest-noawait ldconfig\n")
    (info / "libc-bin.postinst").write_text(LINKER)
    (info / "libc-bin.postinst").chmod(0o755)
    (state / "triggers").mkdir()
    (state / "triggers/ldconfig").write_text("libc-bin/noawait\n")
    for name in ("available", "diversions", "statoverride", "triggers/File", "triggers/Unincorp"):
        (state / name).touch()


def _paragraph(package: PackageDefinition) -> str:
    lines = deb.control_text(package, 1).splitlines()
    return "\n".join([lines[0], "Status: install ok installed", *lines[1:]])


def _paths(package: PackageDefinition) -> list[str]:
    modules = package.modules.items()
    return [
        *package.files,
        *(f"/lib/modules/{package.variables['release']}/{module.folder}/{name}.ko" for name, module in modules),
    ]


def _merged(work: Path, path: str) -> Path:
    return work / ("usr" if path.startswith(("/bin/", "/sbin/", "/lib/")) else "") / path[1:]
