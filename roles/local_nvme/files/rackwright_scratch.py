#!/usr/bin/python3
"""Local drives of a node as one scratch file system: assembled, made where the drives are blank, mounted. Nothing else is ever written to.

A program of its own because a drive may have been replaced while nobody onboards: it runs
at every boot. `judge` and `steps` are pure; everything that looks or acts goes through `Machine`.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

NAME = "rackwright-scratch"
LABEL = "rw-scratch"
"""Names of the array and of the file system; arrays and file systems with other names are foreign."""
MARK = "/var/lib/rackwright/scratch.making"
"""Drives that are being made into the array, by serial number: an interruption may leave some of them half way."""
TOLERANCE = 0.1
"""A drive may be this much larger or smaller than its nominal size."""
SAMPLE, SAMPLES = 1 << 20, 16
"""Bytes that are read at the beginning, the end and between: a blank drive reads as zeros (NVM Express, deallocated blocks)."""

NOTHING = bytes(SAMPLE)


class RefusedError(Exception):
    """The drives are not as expected; nothing was changed."""


class Machine:
    """Looks at the drives of this host and runs programs."""

    def disks(self):
        """Every whole disk as lsblk shows it, children included."""
        columns = "NAME,PATH,TYPE,SIZE,TRAN,RO,RM,SERIAL,MOUNTPOINTS"
        return json.loads(self.run(["lsblk", "--json", "--bytes", "--output", columns]))["blockdevices"]

    def signatures(self, *paths):
        """Path -> what is written on the device, asked of the devices themselves and not of a cache."""
        out = self.run(["wipefs", "--no-act", "--json", *paths]) if paths else ""
        signatures = json.loads(out)["signatures"] if out.strip() else []
        return {path: [sign for sign in signatures if Path(sign["device"]).name == Path(path).name] for path in paths}

    def transport(self, name):
        """How an NVMe drive is attached (``pcie``, ``rdma``, ``tcp``); empty if the kernel does not report it."""
        base = Path("/sys/block", name, "device")
        transports = {file.read_text().strip() for file in [*base.glob("transport"), *base.glob("nvme*/transport")]}
        return transports.pop() if len(transports) == 1 else ""

    def zeros(self, path, size):
        """Whether a sample of the device is all zeros; False also if it is in use."""
        try:
            device = os.open(path, os.O_RDONLY | os.O_EXCL)
        except OSError:
            return False
        try:
            starts = [index * (size - SAMPLE) // (SAMPLES - 1) for index in range(SAMPLES)]
            return all(os.pread(device, SAMPLE, start) == NOTHING for start in starts)
        finally:
            os.close(device)

    def mounted(self, folder):
        """Source of the file system mounted on a folder; empty without one."""
        argv = ["findmnt", "--noheadings", "--output", "SOURCE", "--mountpoint", folder]
        done = subprocess.run(argv, stdout=subprocess.PIPE, check=False)
        return done.stdout.decode().strip()

    def run(self, argv):
        """Output of a program that must succeed."""
        try:
            done = subprocess.run(argv, capture_output=True, text=True, check=False)
        except OSError as error:
            raise RefusedError(f"`{argv[0]}` cannot be run: {error.strerror}") from None
        if done.returncode:
            raise RefusedError(
                f"`{' '.join(argv)}` ended with {done.returncode}: {' '.join(done.stderr.split()) or 'it printed nothing'}"
            )
        return done.stdout


def look(machine, terabytes):
    """Drives of the expected size: path, serial, state (``ours``, ``blank``, or why not), array (device above it), uuid."""
    capacity = terabytes * 1e12
    drives = [
        disk
        for disk in machine.disks()
        if disk["type"] == "disk"
        and (disk["tran"] or "") in ("nvme", "pcie")
        and abs(int(disk["size"]) - capacity) <= TOLERANCE * capacity
    ]
    signs = machine.signatures(*(disk["path"] for disk in drives))
    return sorted((_drive(machine, disk, signs[disk["path"]]) for disk in drives), key=lambda drive: drive["path"])


def _drive(machine, disk, signs):
    children = disk.get("children") or []
    array = next((child["path"] for child in children if child["type"] == "raid0"), "")
    ours = len(signs) == 1 and _is_ours(signs[0]) and all(child["type"] == "raid0" for child in children)
    drive = {"path": disk["path"], "serial": disk["serial"] or disk["path"], "array": array, "uuid": ""}
    if ours:
        return {**drive, "state": "ours", "uuid": signs[0]["uuid"], "kind": signs[0]["type"]}
    return {**drive, "state": _obstacle(machine, disk, children, signs) or "blank"}


def _is_ours(sign):
    label = (sign.get("label") or "").split(":")[-1]
    return (sign["type"], label) in (("linux_raid_member", NAME), ("xfs", LABEL))


def _obstacle(machine, disk, children, signs):
    if machine.transport(disk["name"]) not in ("", "pcie"):
        return f"is attached over {machine.transport(disk['name'])}, not in this host"
    if disk["ro"] or disk["rm"]:
        return "is read-only or removable"
    if any(disk.get("mountpoints") or []):
        return f"is mounted on {' '.join(filter(None, disk['mountpoints']))}"
    if signs:
        return f"holds {', '.join(sorted({sign['type'] for sign in signs}))}"
    if children:
        return f"is in use by {' '.join(child['path'] for child in children)}"
    return (
        "" if machine.zeros(disk["path"], int(disk["size"])) else "holds data without a known signature, or is in use"
    )


def judge(drives, expected, *, making=(), recreate=False):
    """(act, drives to use). RefusedError names every drive that is in the way.

    Acts: ``use``, ``make``, or ``again`` (make anew over drives of an earlier array of rackwright). `making`: serial numbers of an interrupted
    attempt; `recreate`: the operator gave up the data of an array made by rackwright.
    """
    kind = "xfs" if expected == 1 else "linux_raid_member"
    ours = [drive for drive in drives if drive["state"] == "ours" and drive["kind"] == kind]
    free = ours + [drive for drive in drives if drive["state"] == "blank"]
    if len(ours) == expected and len({drive["uuid"] for drive in ours}) == 1:
        return "use", ours
    if not ours and len(free) == expected:
        return "make", free
    if ours and len(free) == expected and (recreate or {drive["serial"] for drive in free} == set(making)):
        return "again", free
    descriptions = [f"{drive['path']} {_describe(drive)}" for drive in drives]
    text = (
        f"{len(free)} drives can be used, expected {expected}"
        if len(free) != expected
        else "an array made by rackwright is incomplete"
    )
    raise RefusedError(f"{text}: {'; '.join(descriptions) or 'there is no drive of that size'}")


def _describe(drive):
    return {"ours": "is part of an array made by rackwright", "blank": "is blank"}.get(drive["state"], drive["state"])


def steps(act, drives):
    """(programs, path): the programs that combine the drives to one device, and its path. They overwrite only blank drives and our own."""
    paths, device = [drive["path"] for drive in drives], f"/dev/md/{NAME}"
    if len(drives) == 1:
        return [], paths[0]
    if act == "use":
        array = drives[0]["array"]
        return ([], array) if array else ([["mdadm", "--assemble", device, *paths]], device)
    shape = ["--metadata=1.2", f"--name={NAME}", "--homehost=any", "--level=0", f"--raid-devices={len(paths)}", "--run"]
    stop = [["mdadm", "--stop", array] for array in sorted({drive["array"] for drive in drives if drive["array"]})]
    clear = [
        ["mdadm", "--zero-superblock", drive["path"]] for drive in drives if act == "again" and drive["state"] == "ours"
    ]
    return [*stop, *clear, ["mdadm", "--create", device, *shape, *paths]], device


def apply(machine, options, act, drives):
    """Carry out the judged act; every step can be interrupted, and the next run continues."""
    programs, device = steps(act, drives)
    if act != "use":
        Path(MARK).parent.mkdir(parents=True, exist_ok=True)
        Path(MARK).write_text(json.dumps([drive["serial"] for drive in drives]))
    for argv in programs:
        machine.run(argv)
    signs = machine.signatures(device)[device]
    if not signs:
        machine.run(["mkfs.xfs", "-q", "-L", LABEL, device])  # without -f: mkfs.xfs itself refuses to overwrite
    elif [(sign["type"], sign.get("label")) for sign in signs] != [("xfs", LABEL)]:
        raise RefusedError(f"{device} holds {', '.join(sign['type'] for sign in signs)} that is not ours")
    Path(options.mount).mkdir(parents=True, exist_ok=True)
    machine.run(["mount", "-t", "xfs", "-o", options.options, device, options.mount])
    Path(options.mount).chmod(0o1777)
    Path(MARK).unlink(missing_ok=True)


def wipe(machine, options):
    """Make our file system anew, and return the sentence to print. mkfs.xfs discards the blocks of the old one (mkfs.xfs(8), -K)."""
    source = machine.mounted(options.mount)
    if not source:
        act, chosen = judge(look(machine, options.terabytes), options.drives)
        apply(machine, options, act, chosen)
        source = machine.mounted(options.mount)
    _in_place(machine, options, source)
    machine.run(["umount", options.mount])
    machine.run(["mkfs.xfs", "-q", "-f", "-L", LABEL, source])
    machine.run(["mount", "-t", "xfs", "-o", options.options, source, options.mount])
    Path(options.mount).chmod(0o1777)
    return f"{source} on {options.mount} is empty"


def carry_out(machine, options):
    """Carry out the verb, and return the sentence to print. RefusedError if the drives are not as expected."""
    if options.verb == "wipe":
        return wipe(machine, options)
    source = machine.mounted(options.mount)
    if source:
        return _in_place(machine, options, source)
    if options.verb == "check":
        raise RefusedError(f"nothing is mounted on {options.mount}; `systemctl restart rackwright-scratch` says why")
    end = time.monotonic() + options.wait
    drives = look(machine, options.terabytes)
    while len(drives) < options.drives and time.monotonic() < end:
        time.sleep(1)
        drives = look(machine, options.terabytes)
    making = json.loads(Path(MARK).read_text()) if Path(MARK).exists() else []
    act, chosen = judge(drives, options.drives, making=making, recreate=options.recreate)
    if options.verb == "plan":
        return f"would {'mount' if act == 'use' else 'make and mount'} {' '.join(drive['path'] for drive in chosen)}"
    apply(machine, options, act, chosen)
    return f"mounted {len(chosen)} drives on {options.mount}"


def _in_place(machine, options, source):
    """A sentence if the mounted file system is ours and on the expected number of drives; else RefusedError."""
    holding = [disk["path"] for disk in machine.disks() if source in (disk["path"], *_above(disk))]
    if not any(_is_ours(sign) for sign in machine.signatures(source)[source]):
        raise RefusedError(f"{source} is mounted on {options.mount}, where the scratch file system belongs")
    if len(holding) != options.drives:
        raise RefusedError(
            f"{source} on {options.mount} has {len(holding)} drives, expected {options.drives}: {' '.join(holding)}"
        )
    return f"{source} is mounted on {options.mount}"


def _above(disk):
    return [child["path"] for child in disk.get("children") or []]


def main(argv):
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["plan", "check", "apply", "wipe"])
    parser.add_argument("--drives", type=int, required=True)
    parser.add_argument("--terabytes", type=float, required=True)
    parser.add_argument("--mount", required=True)
    parser.add_argument("--options", default="noatime")
    parser.add_argument("--wait", type=float, default=0, help="seconds that drives may need to appear")
    parser.add_argument("--recreate", action="store_true", help="give up the data of an array made by rackwright")
    try:
        print(carry_out(Machine(), parser.parse_args(argv)))
    except RefusedError as error:
        print(f"scratch: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
