"""Reads files of DHCP leases: of dnsmasq, ISC dhcpd and Kea, told apart by their content.

Forms: dnsmasq(8), ``--dhcp-leasefile``, and its src/lease.c (time, MAC, address, name, client id; IPv6 leases after a line ``duid``); dhcpd.leases(5)
(``lease ADDRESS { ... }``, the last entry of an address counts); Kea's memfile (CSV with a header; ``state`` 0 is a lease in force). Secondary: man pages and
files as they are published, 2026-11-26.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from ipaddress import ip_address
from pathlib import Path

from rackwright.base.errors import UsageError
from rackwright.redfish.resources.port import mac_address

ISC = re.compile(r"^\s*lease\s+(\S+)\s*\{(.*?)^\s*\}", re.MULTILINE | re.DOTALL)
HARDWARE = re.compile(r"^\s*hardware\s+ethernet\s+([0-9A-Fa-f:]+)\s*;", re.MULTILINE)
STATE = re.compile(r"^\s*binding\s+state\s+(\w+)\s*;", re.MULTILINE)
DNSMASQ_WORDS = 4
IN_FORCE = {"", "0"}
"""Kea, ``state``."""


@dataclass(frozen=True)
class Lease:
    """Who was given an address."""

    address: str
    mac: str


def read_leases(path: Path) -> list[Lease]:
    """The leases in force, the last of each address. UsageError for a file that cannot be read, or that is of no kind."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): give a file of DHCP leases") from error
    if not text.strip():
        return []
    first = next(line for line in text.splitlines() if line.strip())
    if ISC.search(text):
        leases = _isc(text)
    elif first.startswith("address,"):
        leases = _kea(text)
    else:
        leases = _dnsmasq(text, path)
    return list({lease.address: lease for lease in leases if lease}.values())


def _isc(text: str) -> Iterator[Lease]:
    entries: dict[str, str] = {}
    for match in ISC.finditer(text):
        entries[match[1]] = match[2]
    for address, body in entries.items():
        hardware, state = HARDWARE.search(body), STATE.search(body)
        if hardware and (state is None or state[1] == "active"):
            yield Lease(address, mac_address(hardware[1]) or "")


def _kea(text: str) -> Iterator[Lease]:
    entries = {row["address"]: row for row in csv.DictReader(StringIO(text, newline="")) if row.get("address")}
    for address, row in entries.items():
        if (row.get("state") or "") in IN_FORCE:
            yield Lease(address, mac_address(row.get("hwaddr")) or "")


def _dnsmasq(text: str, path: Path) -> Iterator[Lease]:
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words or words[0] == "duid":
            continue
        if len(words) < DNSMASQ_WORDS or not words[0].isdecimal() or not _is_address(words[2]):
            raise UsageError(
                f"{path}:{number}: not a lease: expected a file of dnsmasq (TIME MAC ADDRESS NAME ID), of ISC dhcpd (lease ADDRESS {{ ... }}) or of Kea "
                "(CSV that begins with address,hwaddr)"
            )
        yield Lease(words[2], mac_address(words[1]) or "")


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
