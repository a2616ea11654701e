"""dracut of a twin node: the initial ram disk is a snapshot of /etc/modprobe.d and of the drivers that dracut.conf.d leaves out.

Source: dracut(8), dracut.conf(5) of dracut 057 (EL 9).
"""

from __future__ import annotations

import glob
import os
import sys

from . import bls, initramfs

FOLDERS = ("usr/lib/dracut/dracut.conf.d", "etc/dracut.conf.d")
WITH_VALUE = ("--kver", "--omit-drivers", "--add-drivers", "--conf", "--confdir", "--logfile", "--kernel-cmdline")


def main() -> int:
    """Entry point: ``dracut [--force] [--regenerate-all | --kver RELEASE | [IMAGE [RELEASE]]]`` (dracut(8))."""
    options, names, rest = dict[str, str](), list[str](), iter(sys.argv[1:])
    for word in rest:
        key, equals, value = word.partition("=")
        if not word.startswith("-"):
            names.append(word)
        else:
            options[key] = value if equals else next(rest, "") if key in WITH_VALUE else "yes"
    force = "--force" in options or "-f" in options
    if "--regenerate-all" in options:
        for release in bls.kernels("/"):
            write("/", release)
        return 0
    release = options.get("--kver") or (names[1] if len(names) > 1 else os.uname().release)
    target = names[0] if names else f"/boot/{image(release)}"
    if not os.path.isdir(f"/usr/lib/modules/{release}"):
        print(f"dracut: Cannot find module directory /lib/modules/{release}/", file=sys.stderr)
        print("dracut: and --no-kernel was not specified", file=sys.stderr)
        return 1
    if os.path.exists(target) and not force:
        print(f"dracut: Will not override existing initramfs ({target}) without --force", file=sys.stderr)
        return 1
    write("/", release, target)
    return 0


def image(release: str) -> str:
    """File name of the ram disk of a kernel."""
    return f"initramfs-{release}.img"


def write(root: str, release: str, target: str = "") -> None:
    """The snapshot for one kernel."""
    path = target or os.path.join(root, "boot", image(release))
    left_out = "".join(f"blacklist {name}\n" for name in omitted(root))
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(initramfs.snapshot(root) + left_out)
    os.rename(f"{path}.new", path)


def omitted(root: str) -> list[str]:
    """Drivers that ``omit_drivers`` of dracut.conf(5) names."""
    names = list[str]()
    for folder in FOLDERS:
        for path in sorted(glob.glob(os.path.join(root, folder, "*.conf"))):
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = [line.partition("#")[0].strip() for line in file]
            for line in lines:
                key, _, value = line.partition("=")
                if key.rstrip("+").strip() == "omit_drivers":
                    names += [name.replace("-", "_") for name in value.strip().strip("\"'").split()]
    return names
