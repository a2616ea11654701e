#!/usr/bin/python3
"""PCIe access control off on bare metal at every boot; what only the firmware can set is looked at and reported.

A program of its own because the bridges lose their settings at every boot, when nobody onboards.
"""

import argparse
import subprocess
import sys
from pathlib import Path

BRIDGE = "0x0604"
"""PCI-to-PCI bridge (PCI code and ID assignment, base class 06, sub-class 04)."""
CONTROL = "ECAP_ACS+0x6.w"
FIRST, ACS = 0x100, 0x000D
"""ACS control: offset 6 of the extended capability 000Dh, whose list begins at 100h (PCI Express Base Specification, 7.6.3 and 7.7.11)."""
ACCELERATORS = ("0x0302", "0x0300", "0x1200")
BAR_SIZE_64K = 65536
"""Below this a memory window is one of registers, which no firmware leaves out."""


def main(argv):
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["apply", "check"])
    parser.add_argument("--acs", choices=["off", "keep"], default="off")
    parser.add_argument("--iommu", choices=["on", "any"], default="any")
    parser.add_argument("--numa-nodes", type=int, default=0)
    parser.add_argument("--root", default="/", help="where /sys is, for tests")
    options = parser.parse_args(argv)
    guest = machine()
    if guest:
        # The hypervisor relies on access control to keep guests apart, and shows a guest what it likes.
        print(f"this is a {guest} guest: access control stays as its hypervisor set it, and firmware is not judged")
        return 0
    root = Path(options.root)
    problems = [] if options.acs == "keep" else access_control(root, change=options.verb == "apply")
    if options.verb == "check":
        problems += iommu(root, options.iommu) + numa(root, options.numa_nodes) + windows(root)
    for line in problems:
        print(line, file=sys.stderr)
    return 1 if problems else 0


def machine():
    """Kind of virtual machine or container, empty on bare metal; a tool that is missing or fails counts as a guest."""
    try:
        done = subprocess.run(["systemd-detect-virt"], stdout=subprocess.PIPE, text=True, check=False)
    except OSError:
        return "possible"
    return "" if done.stdout.strip() == "none" else done.stdout.strip() or "possible"


def access_control(root, *, change):
    """Problems of bridges whose access control is on; with `change` it is turned off first."""
    remaining = []
    for bridge in sorted((root / "sys/bus/pci/devices").glob("*")):
        if not _text(bridge / "class").startswith(BRIDGE):
            continue
        if change and control(bridge):
            run("setpci", "-s", bridge.name, f"{CONTROL}=0000")
        if control(bridge):
            remaining.append(
                f"PCIe bridge {bridge.name} redirects peer traffic to the root complex (ACS control {control(bridge):04x}); "
                "`systemctl restart rackwright-platform` turns it off, else turn ACS off in the firmware"
            )
    return remaining


def control(bridge):
    """Value of the ACS control register; 0 for a bridge without the capability. Read here, as a node has a hundred bridges."""
    try:
        space = (bridge / "config").read_bytes()
    except OSError:
        return 0
    at, visited = FIRST, set()
    while at and at not in visited and at + 8 <= len(space):
        visited.add(at)
        head = int.from_bytes(space[at : at + 4], "little")
        if head & 0xFFFF == ACS:
            return int.from_bytes(space[at + 6 : at + 8], "little")
        at = head >> 20
    return 0


def iommu(root, wish):
    """A problem if the kernel found no IOMMU: kernel arguments have no effect if the firmware hides it."""
    if wish == "on" and not any((root / "sys/class/iommu").glob("*")):
        return ["the kernel found no IOMMU: turn VT-d or AMD-Vi (IOMMU) on in the firmware"]
    return []


def numa(root, mode):
    """Whether the firmware shows as many NUMA nodes with processors as the accelerators want."""
    folder = root / "sys/devices/system/node"
    nodes = [
        folder_of_node
        for folder_of_node in folder.glob("node[0-9]*")
        if (folder_of_node / "cpulist").read_text().strip()
    ]
    if mode and len(nodes) != mode:
        return [
            f"the firmware shows {len(nodes)} NUMA nodes with processors, expected {mode}: set NPS1 in the firmware"
        ]
    return []


def windows(root):
    """Accelerators without address for a large memory window: above-4G decoding is off in the firmware."""
    remaining = []
    for device in sorted((root / "sys/bus/pci/devices").glob("*")):
        if not _text(device / "class").startswith(ACCELERATORS):
            continue
        rows = [[int(part, 16) for part in line.split()] for line in _text(device / "resource").splitlines()]
        lost = [row for row in rows[:6] if len(row) == 3 and row[2] and not row[0] and row[1] >= BAR_SIZE_64K]
        if lost:
            remaining.append(
                f"accelerator {device.name} has no address for its memory: turn above-4G decoding on in the firmware"
            )
    return remaining


def run(*argv):
    """Output of a program; empty if it fails."""
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def _text(path):
    try:
        return path.read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
