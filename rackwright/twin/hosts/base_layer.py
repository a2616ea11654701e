"""What a freshly installed node has and the machine below has not: kernel, boot loader, initial ram disk, Secure Boot tools.

It is written anew for every twin: a few hundred
small files, no package manager.
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
from rackwright.twin.mirror.definition import Package, packages

DPKG = Path("/var/lib/dpkg")
FOREIGN = ("linux-image-*", "linux-headers-*", "nvidia-*", "libnvidia-*", "libcuda1", "cuda-*", "dkms", "amdgpu-*")
"""Packages of this machine that a fresh node must not seem to have, besides those that it has otherwise."""
HIDDEN = ("boot", "usr/lib/modules", "usr/src", "var/lib/dkms", "etc/default/grub.d", "etc/modprobe.d")
"""Folders of which a host sees nothing of this machine's."""
OPAQUE = "trusted.overlay.opaque"


def write(target: Path, software: Software, kind: str = "newest") -> None:
    """Writes the layer to the folder `target`, which must lie on a file system with extended attributes (a tmpfs).

    `kind` is that of `Machine.kernel`: which kernels the installer left.
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


def preinstalled(offered: Sequence[Package], kind: str) -> list[Package]:
    """The packages of a fresh node; with the kernel images that `kind` asks for, and the newest meta package among them."""
    releases = [one.variables["release"] for one in offered if one.modules and one.preinstalled]
    wanted = {"newest": releases[-1:], "older": releases[:1], "pinned": releases}[kind]
    found = [one for one in offered if one.preinstalled and one.variables.get("release", wanted[-1]) in wanted]
    return list({one.name: one for one in found}.values())


def _merge_usr(work: Path) -> None:
    """Packages say /lib and /sbin, which are links to /usr on a node."""
    for name in ("bin", "sbin", "lib"):
        if (work / name).is_dir():
            shutil.copytree(work / name, work / "usr" / name, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(work / name)


def _configure(work: Path, installed: Sequence[Package]) -> None:
    """What the maintainer scripts of these packages would have done."""
    (work / "etc/default").mkdir(parents=True, exist_ok=True)
    shutil.copy(work / "usr/share/grub/default/grub", work / "etc/default/grub")
    (work / "boot/grub").mkdir()
    for release in {package.variables["release"] for package in installed if package.modules}:
        initramfs.write(str(work), release)
        done = subprocess.run(["depmod", "-b", str(work / "usr"), release], capture_output=True, text=True, check=False)
        if done.returncode:
            raise OutsideError(f"depmod cannot list the modules of the twin's kernel: {done.stderr.strip()}")


def _database(work: Path, installed: Sequence[Package]) -> None:
    """dpkg's own files, with these packages as installed and those of `FOREIGN` gone."""
    names = {package.name for package in installed}
    paragraphs = (DPKG / "status").read_text(encoding="utf-8").split("\n\n")
    kept = [text.strip("\n") for text in paragraphs if text.strip() and not _dropped(text, names)]
    info = work / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    for package in installed:
        lines = deb.control_text(package, 1).splitlines()
        kept.append("\n".join([lines[0], "Status: install ok installed", *lines[1:]]))
        (info / f"{package.name}.list").write_text("".join(f"{path}\n" for path in ["/.", *_paths(package)]))
        sums = [(hashlib.md5(_merged(work, path).read_bytes()), path[1:]) for path in _paths(package)]  # noqa: S324 - dpkg's
        (info / f"{package.name}.md5sums").write_text("".join(f"{one.hexdigest()}  {path}\n" for one, path in sums))
        for script, text in deb.scripts(package).items():
            (info / f"{package.name}.{script}").write_text(text)
            (info / f"{package.name}.{script}").chmod(0o755)
    (work / "var/lib/dpkg/status").write_text("\n\n".join(kept) + "\n\n", encoding="utf-8")


def _paths(package: Package) -> list[str]:
    modules = package.modules.items()
    return [
        *package.files,
        *(f"/lib/modules/{package.variables['release']}/{one.folder}/{name}.ko" for name, one in modules),
    ]


def _merged(work: Path, path: str) -> Path:
    return work / ("usr" if path.startswith(("/bin/", "/sbin/", "/lib/")) else "") / path[1:]


def _dropped(paragraph: str, names: set[str]) -> bool:
    found = re.match(r"Package: (\S+)", paragraph.lstrip("\n"))
    return found is not None and (found[1] in names or any(fnmatch(found[1], pattern) for pattern in FOREIGN))
