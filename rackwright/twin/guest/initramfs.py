"""update-initramfs of a twin node: the initial ram disk is a snapshot of /etc/modprobe.d.

Source: update-initramfs(8) of initramfs-tools 0.142 (Debian 12).
"""

from __future__ import annotations

import glob
import os
import sys

from . import grub

FOLDER = "etc/modprobe.d"


def main() -> int:
    """Entry point."""
    words = sys.argv[1:]
    kernel = words[words.index("-k") + 1] if "-k" in words else ""
    newest = grub.kernels("/")[:1]
    for release in grub.kernels("/") if kernel == "all" else [kernel] if kernel else newest:
        if "-d" in words:
            os.unlink(f"/boot/initrd.img-{release}")
            continue
        print(f"update-initramfs: Generating /boot/initrd.img-{release}")
        write("/", release)
    return 0


def write(root: str, release: str) -> None:
    """The snapshot for one kernel."""
    path = os.path.join(root, f"boot/initrd.img-{release}")
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(snapshot(root))
    os.rename(f"{path}.new", path)


def snapshot(root: str) -> str:
    """Every setting of modprobe below `root`, each file after its name."""
    text = ""
    for name in sorted(glob.glob(os.path.join(root, FOLDER, "*.conf"))):
        with open(name, encoding="utf-8", errors="replace") as settings:
            text += f"# {FOLDER}/{os.path.basename(name)}\n{settings.read().rstrip()}\n"
    return text
