"""A virtual machine as it is racked: an empty disk or none, two network ports, a serial number, UEFI that boots from the network. Interpreted, so KVM is not needed."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

FIRMWARE = Path("/usr/share/OVMF")
MEMORY_MIB, DISKLESS_MEMORY_MIB = 1536, 4096
"""Without a disk the root image is in memory, twice while it is fetched."""
DISK_BYTES = 6 * 1024**3


@dataclass(frozen=True)
class Machine:
    """What its label says."""

    serial: str
    macs: Sequence[str]
    disk: Path | None

    @property
    def uuid(self) -> str:
        """Of its board; the same for the same serial number."""
        return str(uuid.uuid5(uuid.NAMESPACE_OID, self.serial))

    def command(self, folder: Path, taps: Sequence[str]) -> list[str]:
        """QEMU with this machine; its console goes into ``console.log``."""
        variables = folder / "efi-variables.fd"
        if not variables.exists():
            variables.write_bytes((FIRMWARE / "OVMF_VARS_4M.fd").read_bytes())
        words = ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-machine", "q35", "-cpu", "max", "-smp", "2"]
        words += [
            "-m",
            str(MEMORY_MIB if self.disk else DISKLESS_MEMORY_MIB),
            "-nodefaults",
            "-display",
            "none",
            "-serial",
            f"file:{folder / 'console.log'}",
        ]
        words += ["-drive", f"if=pflash,format=raw,readonly=on,file={FIRMWARE / 'OVMF_CODE_4M.fd'}"]
        words += ["-drive", f"if=pflash,format=raw,file={variables}"]
        words += ["-device", "virtio-rng-pci"]
        if self.disk:
            words += ["-drive", f"if=none,id=disk,format=raw,file={self.disk},cache=unsafe"]
            words += ["-device", "virtio-blk-pci,drive=disk,bootindex=2"]
        words += ["-smbios", f"type=1,serial={self.serial},uuid={self.uuid}"]
        for number, (tap, mac) in enumerate(zip(taps, self.macs, strict=True)):
            words += ["-netdev", f"tap,id=net{number},ifname={tap},script=no,downscript=no"]
            boot = ",bootindex=1" if number == 0 else ""
            words += ["-device", f"virtio-net-pci,netdev=net{number},mac={mac},romfile={boot}"]
        return words


@contextmanager
def network(name: str, address: str, taps: Sequence[str]) -> Iterator[list[str]]:
    """A network namespace of its own with a port per tap, the first with `address`; yields the words that enter it. It reaches nothing else."""
    subprocess.run(["ip", "netns", "add", name], check=True)
    enter = ["nsenter", f"--net=/run/netns/{name}"]
    try:
        for tap in taps:
            subprocess.run([*enter, "ip", "tuntap", "add", tap, "mode", "tap"], check=True)
            subprocess.run([*enter, "ip", "link", "set", tap, "up"], check=True)
        subprocess.run([*enter, "ip", "link", "set", "lo", "up"], check=True)
        subprocess.run([*enter, "ip", "address", "add", address, "dev", taps[0]], check=True)
        yield enter
    finally:
        subprocess.run(["ip", "netns", "del", name], check=True)


@contextmanager
def running(words: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the block; what it prints goes into `log`."""
    with log.open("ab") as stream, subprocess.Popen(words, stdout=stream, stderr=subprocess.STDOUT) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
