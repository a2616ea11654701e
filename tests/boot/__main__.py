"""``make boot``: an empty virtual machine gets Debian 12 from ``rackwright boot-server`` and phones home. Ends by itself within --minutes.

Everything happens in a network namespace of its own, which reaches nothing else. The log, the console and the evidence stay in build/boot.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import yaml

from rackwright.base import yaml_text
from tests.boot.machine import DISK_BYTES, Machine, network, running
from tests.build import EXAMPLE

NODE = "train-001"
IMAGE = "debian-12-image"
SERVER = "http://10.64.0.2:8090"
SERVER_NETWORK = "10.64.0.2/22"
PORTS = {"enp41s0f1np1": "02:00:5e:10:00:01", "enp170s0f1np1": "02:00:5e:10:00:02"}
LOOK_SECONDS = 5


def main() -> int:
    """0 when the machine phoned home as the declared one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=Path, default=Path.home() / ".cache/rackwright/images")
    parser.add_argument("--folder", type=Path, default=Path("build/boot"))
    parser.add_argument("--minutes", type=float, default=60)
    args = parser.parse_args()
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    folder = args.folder.resolve()
    if not (args.images / IMAGE).is_dir():
        subprocess.run(["tools/system_image", args.images], check=True)
    machine = Machine("RW-BOOT-0001", list(PORTS.values()), folder / "disk.raw")
    with machine.disk.open("wb") as disk:
        disk.truncate(DISK_BYTES)
    write_site(folder, machine, args.images)
    started = time.monotonic()
    with network(f"rackwright-boot-{os.getpid()}", SERVER_NETWORK, ["tap0", "tap1"]) as enter:
        status = install(folder, machine, args.images, enter, started + args.minutes * 60)
    machine.disk.unlink()
    print(f"{(time.monotonic() - started) / 60:.1f} minutes; events, console and evidence are in {folder}")
    return status


def install(folder: Path, machine: Machine, images: Path, enter: list[str], deadline: float) -> int:
    """Serve and boot until the machine is installed; the server's exit code, 1 when the time is over."""
    server = [
        sys.executable,
        "-m",
        "rackwright",
        "boot-server",
        str(folder),
        "--images",
        str(images),
        "--interface",
        "tap0",
    ]
    server += ["--until-done", "--format", "json", "--work", str(folder / "work")]
    with running([*enter, *server], folder / "server.log") as serving:
        with running([*enter, *machine.command(folder, ["tap0", "tap1"])], folder / "qemu.log") as virtual:
            while serving.poll() is None and virtual.poll() is None and time.monotonic() < deadline:
                time.sleep(LOOK_SECONDS)
        if serving.poll() is None:
            print(f"not installed: {(folder / 'server.log').read_text(encoding='utf-8').splitlines()[-1:]}")
            return 1
    record = json.loads((folder / "work/install" / f"{NODE}.json").read_text(encoding="utf-8"))
    print(json.dumps(record, indent=1))
    return int(serving.returncode)


def write_site(folder: Path, machine: Machine, images: Path) -> None:
    """The example site, with a list of this one machine."""
    paths = sorted((images / IMAGE).iterdir())
    words = subprocess.run(["sha256sum", *paths], check=True, capture_output=True, text=True).stdout.split()
    digests = {f"{IMAGE}/{path.name}": digest for path, digest in zip(paths, words[::2], strict=True)}
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUbJqqxZ8nRjYpzC7LbrOYhsJrYhQm7zUa3e9dNn3Vq ops@example"
    section = {
        "machines": "machines.csv", "server": SERVER, "image": IMAGE, "digests": digests, "disks": {"devices": ["/dev/vda"]},
        "repositories": {"debian-12": "http://10.64.0.2/debian"}, "users": [{"name": "ops", "keys": [key]}],
    }  # fmt: skip
    site = yaml_text.load(EXAMPLE.read_text(encoding="utf-8")) | {"install": section}
    (folder / "site.yaml").write_text(yaml.safe_dump(site, sort_keys=False), encoding="utf-8")
    head = ",".join(["node", "serial", "mac", "uuid", *PORTS])
    row = ",".join([NODE, machine.serial, machine.macs[0], machine.uuid, *PORTS.values()])
    (folder / "machines.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
