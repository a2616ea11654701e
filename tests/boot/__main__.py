"""``make boot``: an empty virtual machine gets Debian 12 from ``rackwright boot-server`` and phones home; one without a disk boots it twice.

Everything happens in a network namespace of its own, which reaches nothing else, and ends within --minutes. The log, the console and the evidence stay in
build/boot.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from rackwright.base import yaml_text
from tests.boot.machine import DISK_BYTES, Machine, network, running
from tests.build import EXAMPLE

NODE = "train-001"
TOOLS = {"debian-12-image": "tools/system_image", "debian-12-diskless": "tools/diskless_image"}
"""What builds each image."""
DISKLESS = "debian-12-diskless"
BOOTS = {DISKLESS: 2}
SERVER = "http://10.64.0.2:8090"
SERVER_NETWORK = "10.64.0.2/22"
PORTS = {"enp41s0f1np1": "02:00:5e:10:00:01", "enp170s0f1np1": "02:00:5e:10:00:02"}
ARRIVED = ("installed", "running")
LOOK_SECONDS = 5


def main() -> int:
    """0 when the machine phoned home as the declared one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image", choices=sorted(TOOLS), default="debian-12-image")
    parser.add_argument("--images", type=Path, default=Path.home() / ".cache/rackwright/images")
    parser.add_argument("--folder", type=Path, default=Path("build/boot"))
    parser.add_argument("--minutes", type=float, default=60)
    args = parser.parse_args()
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    folder = args.folder.resolve()
    if not (args.images / args.image / "kernel").is_file():
        subprocess.run([TOOLS[args.image], args.images], check=True)
    disk = None if args.image == DISKLESS else folder / "disk.raw"
    machine = Machine("RW-BOOT-0001", list(PORTS.values()), disk)
    if disk:
        with disk.open("wb") as stream:
            stream.truncate(DISK_BYTES)
    write_site(folder, machine, args.images, args.image)
    started = time.monotonic()
    with network(f"rackwright-boot-{os.getpid()}", SERVER_NETWORK, ["tap0", "tap1"]) as enter:
        good = boot(folder, machine, args.images, enter, BOOTS.get(args.image, 1), started + args.minutes * 60)
    if disk:
        disk.unlink()
    print(f"{(time.monotonic() - started) / 60:.1f} minutes; events, console and evidence are in {folder}")
    return 0 if good else 1


def boot(folder: Path, machine: Machine, images: Path, enter: list[str], boots: int, deadline: float) -> bool:
    """Serve, and switch the machine on until it has phoned home, so often; False when it is held, or the time is over."""
    server = [sys.executable, "-m", "rackwright", "boot-server", str(folder), "--images", str(images)]
    server += ["--interface", "tap0", "--format", "json", "--work", str(folder / "work")]
    with running([*enter, *server], folder / "server.log") as serving:
        for number in range(1, boots + 1):
            with running([*enter, *machine.command(folder, ["tap0", "tap1"])], folder / "qemu.log") as virtual:
                while not ended(record(folder), number) and time.monotonic() < deadline:
                    if serving.poll() is not None or virtual.poll() is not None:
                        break
                    time.sleep(LOOK_SECONDS)
            print(json.dumps(record(folder), indent=1))
            if record(folder).get("state") not in ARRIVED or record(folder)["attempt"] != number:
                print(
                    f"boot {number} did not end well: {(folder / 'server.log').read_text(encoding='utf-8').splitlines()[-1:]}"
                )
                return False
    return True


def record(folder: Path) -> dict[str, Any]:
    """What the server knows of the machine; empty before its first request."""
    path = folder / "work/install" / f"{NODE}.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def ended(entry: Mapping[str, Any], number: int) -> bool:
    """Whether boot `number` came to an end: it phoned home, or is held."""
    return entry.get("state") == "held" or (entry.get("state") in ARRIVED and entry["attempt"] == number)


def write_site(folder: Path, machine: Machine, images: Path, image: str) -> None:
    """The example site, with a list of this one machine."""
    paths = sorted((images / image).iterdir())
    words = subprocess.run(["sha256sum", *paths], check=True, capture_output=True, text=True).stdout.split()
    digests = {f"{image}/{path.name}": digest for path, digest in zip(paths, words[::2], strict=True)}
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUbJqqxZ8nRjYpzC7LbrOYhsJrYhQm7zUa3e9dNn3Vq ops@example"
    section = {
        "machines": "machines.csv",
        "server": SERVER,
        "digests": digests,
        "users": [{"name": "ops", "keys": [key]}],
    }
    if machine.disk:
        section |= {
            "image": image,
            "disks": {"devices": ["/dev/vda"]},
            "repositories": {"debian-12": "http://10.64.0.2/debian"},
        }
    else:
        section |= {"pools": {"train": {"image": image}}}
    site = yaml_text.load(EXAMPLE.read_text(encoding="utf-8")) | {"install": section}
    (folder / "site.yaml").write_text(yaml.safe_dump(site, sort_keys=False), encoding="utf-8")
    head = ",".join(["node", "serial", "mac", "uuid", *PORTS])
    row = ",".join([NODE, machine.serial, machine.macs[0], machine.uuid, *PORTS.values()])
    (folder / "machines.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
