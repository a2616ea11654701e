"""Whether the machine that phones home is the declared one; pure."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.boot.install_records import MachineReport
from rackwright.install.system_install import SystemInstall

Row = tuple[str, str | tuple[str, ...], str, str]
"""What is compared, what is expected (any of several, or nothing), what the machine says, the next step."""


def serial_findings(serial: str, install: SystemInstall) -> list[str]:
    """Why a board with `serial` is not the declared one, as `findings` has it; none: it is."""
    return list(_compare([_serial(serial, install)]))


def findings(report: MachineReport, install: SystemInstall, key: str = "") -> Iterator[str]:
    """Every way in which the machine is not the declared one, as a sentence that a technician can act on; none: it is.

    `key`: the one by which pull mode knows the system that was installed last, if it does.
    """
    declared = install.machine
    rows: list[Row] = [
        _serial(report.serial, install),
        ("UUID", declared.uuid, report.uuid, "its board is another one than in the list: correct the list after a repair"),
        ("MAC of the in-band port", _macs(install), report.mac, "it is cabled by another port: check the cable plan"),
        ("TPM endorsement key", declared.tpm_ek_sha256, report.tpm_ek_sha256, "its TPM is another one, or cannot be read: install tpm2-tools, or ask who changed the board"),
        ("address of its BMC", install.bmc_address if report.bmc_address else "", report.bmc_address, "its BMC is not the one of this node: check the BMC's cable and address"),
        ("digest of its root image", install.root_sha256 if install.image.diskless else "", report.root_sha256, "it runs another image than it was given: ask who else answers on the in-band network"),
        ("host name", install.hostname, report.hostname, "the system of another node is on this machine: install it again"),
    ]  # fmt: skip
    yield from _compare(rows)
    if key and report.pull_key not in ("", key):
        yield (
            f"key of pull mode: expected {key}, the machine says {report.pull_key}; the first one stays: find out what else has the address of this "
            "machine, or install it again (--again)"
        )


def _serial(serial: str, install: SystemInstall) -> Row:
    step = "the machine in this place is another one: read its label, swap it or correct the list"
    return "serial number", install.machine.serial, serial, step


def _compare(rows: list[Row]) -> Iterator[str]:
    for what, expected, actual, step in rows:
        accepted = expected if isinstance(expected, tuple) else (expected,)
        if any(accepted) and actual not in accepted:
            yield f"{what}: expected {' or '.join(accepted)}, the machine says {actual or 'nothing'}; {step}"


def _macs(install: SystemInstall) -> tuple[str, ...]:
    """A bond has the MAC of the port that joined first."""
    named = {interface.name: interface.mac for interface in install.named}
    ports = [named[name] for name in (install.interface, *install.bond_ports) if name in named]
    return tuple(dict.fromkeys([install.machine.mac, *ports]))
