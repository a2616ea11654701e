"""The boot loader of a twin node with rpm: an entry per kernel in /boot/loader/entries (Boot Loader Specification), a default in grubenv.

/boot is a file system of its own there, as EL 9's installer makes it: paths of entries begin below it.

Source: The Boot Loader Specification (uapi-group.org), grub2-common and installer of EL 9.
"""

from __future__ import annotations

import os
import shlex

from . import grub

ENTRIES, CHOICE, MENU = "boot/loader/entries", "boot/grub2/grubenv", "boot/grub2/grub.cfg"
DEVICE = "(hd0,gpt2)"
"""GRUB's name of the file system with /boot."""


class Entry:
    """One entry; `name` is that of its file without the ending, by which grubenv chooses."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = os.path.basename(path).removesuffix(".conf")
        with open(path, encoding="utf-8") as file:
            self.values = dict(line.rstrip("\n").partition(" ")[::2] for line in file if " " in line)

    def __getitem__(self, key: str) -> str:
        return self.values.get(key, "")

    def change(self, **values: str) -> None:
        """Write the entry with other `values`."""
        self.values.update(values)
        with open(f"{self.path}.new", "w", encoding="utf-8") as file:
            file.write("".join(f"{key} {value}\n" for key, value in self.values.items()))
        os.rename(f"{self.path}.new", self.path)


def entries(root: str) -> list[Entry]:
    """Every entry below `root`, newest kernel first: the order of GRUB's menu (blscfg)."""
    folder = os.path.join(root, ENTRIES)
    names = [name for name in os.listdir(folder) if name.endswith(".conf")] if os.path.isdir(folder) else []
    every = [Entry(os.path.join(folder, name)) for name in names]
    return sorted(every, key=lambda entry: grub.numbers(entry["version"]), reverse=True)


def kernels(root: str) -> list[str]:
    """Releases below `root` that a package brought, newest first."""
    folder = os.path.join(root, "usr/lib/modules")
    names = [name for name in os.listdir(folder) if os.path.exists(f"{folder}/{name}/vmlinuz")]
    return sorted(names, key=grub.numbers, reverse=True)


def add(root: str, release: str) -> None:
    """Write the entry of a kernel, with the command line for new kernels."""
    system = settings(os.path.join(root, "etc/os-release"))
    title = f"{system['NAME']} ({release}) {system['VERSION']}"
    lines = [
        ("title", title),
        ("version", release),
        ("linux", f"/vmlinuz-{release}"),
        ("initrd", f"/initramfs-{release}.img"),
        ("options", command_line(root)),
        ("grub_users", "$grub_users"),
        ("grub_arg", "--unrestricted"),
        ("grub_class", system["ID"]),
    ]
    os.makedirs(os.path.join(root, ENTRIES), exist_ok=True)
    path = os.path.join(root, ENTRIES, f"{machine(root)}-{release}.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f"{key} {value}\n" for key, value in lines))


def command_line(root: str) -> str:
    """Options of a new entry: those of /etc/kernel/cmdline (kernel-install(8)), else those of /etc/default/grub."""
    path = os.path.join(root, "etc/kernel/cmdline")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            return " ".join(file.read().split())
    options = settings(os.path.join(root, "etc/default/grub")).get("GRUB_CMDLINE_LINUX", "")
    return " ".join(f"root=UUID={disk(root)} ro {options}".split())


def settings(path: str) -> dict[str, str]:
    """The assignments of a file that a shell reads."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    pairs = [line.partition("=")[::2] for line in lines if "=" in line and not line.startswith("#")]
    return {key: "".join(shlex.split(value)[:1]) for key, value in pairs}


def machine(root: str) -> str:
    """Content of /etc/machine-id."""
    with open(os.path.join(root, "etc/machine-id"), encoding="ascii") as file:
        return file.read().strip()


def disk(root: str) -> str:
    """Identifier of the root file system."""
    mark = machine(root)
    return "-".join((mark[:8], mark[8:12], mark[12:16], mark[16:20], mark[20:32]))


def find(root: str, word: str) -> Entry | None:
    """The entry that grubenv means by `word`: its name, its title or its number."""
    every = entries(root)
    return next(
        (entry for number, entry in enumerate(every) if word in (entry.name, entry["title"], str(number))), None
    )


def default(root: str) -> Entry | None:
    """The entry that starts unless another is chosen: the first where the chosen one is gone."""
    chosen = grub.environment(root, CHOICE).get("saved_entry", "0")
    return find(root, chosen) or find(root, "0")


def choose(root: str, **values: str) -> None:
    """Change variables of grubenv, as grub2-editenv does."""
    grub.set_environment(root, CHOICE, {**grub.environment(root, CHOICE), **values})


def boot(root: str) -> tuple[str, str]:
    """Release and command line of the next start; a choice for one boot is used up. OSError, ValueError."""
    chosen = grub.environment(root, CHOICE)
    once = chosen.pop("next_entry", "")
    if once:
        grub.set_environment(root, CHOICE, chosen)
    entry = (find(root, once) if once else None) or default(root)
    if entry is None:
        raise ValueError("the boot loader's menu is empty: no kernel is installed")
    if not os.path.exists(os.path.join(root, "boot", entry["linux"].lstrip("/"))):
        raise ValueError(f"error: file `{entry['linux']}' not found. You need to load the kernel first")
    return entry["version"], f"BOOT_IMAGE={DEVICE}{entry['linux']} {entry['options']}".strip()
