"""The files of a freshly installed node that this machine lacks: kernel, boot loader, initial RAM disk, Secure Boot tools.

They are written again for every twin: a few hundred small files, without a package manager.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.model.site import Software
from rackwright.twin.guest import initramfs
from rackwright.twin.mirror import package as deb
from rackwright.twin.mirror.definition import PackageDefinition, packages

DPKG = Path("/var/lib/dpkg")
FOREIGN = ("linux-image-*", "linux-headers-*", "nvidia-*", "libnvidia-*", "libcuda1", "cuda-*", "dkms", "amdgpu-*")
"""Packages of this machine that a fresh node must not show."""
HIDDEN = ("boot", "usr/lib/modules", "usr/src", "var/lib/dkms", "etc/default/grub.d", "etc/modprobe.d")
"""Folders of this machine that a host does not see."""
OPAQUE = "trusted.overlay.opaque"


def write(target: Path, software: Software, kind: str = "newest") -> None:
    """Write the layer to the folder `target`, on a file system with extended attributes (a tmpfs).

    `kind` is `TwinMachine.kernel`: the kernels that the installer left.
    """
    if target.exists():
        return
    work = target.with_name(f"{target.name}.new")
    shutil.rmtree(work, ignore_errors=True)
    for folder in HIDDEN:
        (work / folder).mkdir(parents=True)
        os.setxattr(work / folder, OPAQUE, b"y")
    installed = preinstalled(packages(software), kind)
    for package in installed:
        deb.place(package, work, work)
    _merge_usr(work)
    _configure(work, installed)
    _database(work, installed)
    work.chmod(0o755)
    work.rename(target)


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


def _database(work: Path, installed: Sequence[PackageDefinition]) -> None:
    """Write dpkg's own files, with these packages installed and those of `FOREIGN` absent."""
    names = {package.name for package in installed}
    paragraphs = (DPKG / "status").read_text(encoding="utf-8").split("\n\n")
    paragraphs_left = [text.strip("\n") for text in paragraphs if text.strip() and not _dropped(text, names)]
    info = work / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    for package in installed:
        lines = deb.control_text(package, 1).splitlines()
        paragraphs_left.append("\n".join([lines[0], "Status: install ok installed", *lines[1:]]))
        (info / f"{package.name}.list").write_text("".join(f"{path}\n" for path in ["/.", *_paths(package)]))
        sums = [(hashlib.md5(_merged(work, path).read_bytes()), path[1:]) for path in _paths(package)]  # noqa: S324 - dpkg's
        (info / f"{package.name}.md5sums").write_text(
            "".join(f"{digest.hexdigest()}  {path}\n" for digest, path in sums)
        )
        for script, text in deb.scripts(package).items():
            (info / f"{package.name}.{script}").write_text(text)
            (info / f"{package.name}.{script}").chmod(0o755)
    (work / "var/lib/dpkg/status").write_text("\n\n".join(paragraphs_left) + "\n\n", encoding="utf-8")


def _paths(package: PackageDefinition) -> list[str]:
    modules = package.modules.items()
    return [
        *package.files,
        *(f"/lib/modules/{package.variables['release']}/{module.folder}/{name}.ko" for name, module in modules),
    ]


def _merged(work: Path, path: str) -> Path:
    return work / ("usr" if path.startswith(("/bin/", "/sbin/", "/lib/")) else "") / path[1:]


def _dropped(paragraph: str, names: set[str]) -> bool:
    match = re.match(r"Package: (\S+)", paragraph.lstrip("\n"))
    return match is not None and (match[1] in names or any(fnmatch(match[1], pattern) for pattern in FOREIGN))
