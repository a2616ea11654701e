"""Selects the boot loader of a node, and does what the twin needs of either kind: entries in /boot/loader, or the menu of grub-mkconfig."""

from __future__ import annotations

import os

from . import bls, dracut, grub, initramfs


def has_entries(root: str) -> bool:
    """Whether the kernels below `root` have entries of their own instead of a menu."""
    return os.path.isdir(os.path.join(root, "boot/loader"))


def boot(root: str) -> tuple[str, str]:
    """Release and command line of the next start. OSError, ValueError."""
    return bls.boot(root) if has_entries(root) else grub.boot(root)


def ram_disk(root: str, release: str) -> str:
    """Path of the ram disk of a kernel."""
    name = dracut.image(release) if has_entries(root) else f"initrd.img-{release}"
    return os.path.join(root, "boot", name)


def built_modules(root: str) -> str:
    """Folder of the modules that DKMS built, below that of the kernel (dest_module_location of dkms(8): EL has one of its own)."""
    return "extra" if has_entries(root) else "updates/dkms"


def write_menu(root: str) -> None:
    """What an installer leaves: a ram disk of every kernel, and the entries or the menu."""
    if not has_entries(root):
        for release in grub.kernels(root):
            initramfs.write(root, release)
        with open(os.path.join(root, grub.MENU), "w", encoding="utf-8") as file:
            file.write(grub.menu(root))
        return
    for release in bls.kernels(root):
        dracut.write(root, release)
        bls.add(root, release)
    if "saved_entry" not in grub.environment(root, bls.CHOICE):
        bls.choose(root, saved_entry=bls.entries(root)[0].name)
