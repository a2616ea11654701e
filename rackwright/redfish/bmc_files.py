"""Files beside a site about single machines: certificates of BMCs that are pinned, accounts of their own, and which machine stands where."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path

from rackwright.base.errors import UsageError
from rackwright.model.access import BmcLogin, Secret
from rackwright.model.resource import MachineIdentity

PIN = re.compile(r"[0-9a-f]{64}")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_pins(path: Path) -> dict[str, str]:
    """BMC address -> SHA-256 of its certificate (64 hex digits), from lines ``ADDRESS DIGITS``. UsageError with the line of a bad one."""
    pins = {}
    for number, line in _lines(path):
        address, _, digits = line.partition(" ")
        digits = digits.replace(":", "").strip().lower()
        if not PIN.fullmatch(digits):
            raise UsageError(
                f"{path}:{number}: {digits or 'nothing'} after {address}, expected the 64 hex digits of a SHA-256"
            )
        pins[address] = digits
    return pins


def read_accounts(path: Path) -> dict[str, BmcLogin]:
    """BMC address -> its own account, from lines ``ADDRESS USER PASSWORD``; a password may hold spaces.

    UsageError for a bad line, without what stands in it, and for a file that others than its owner may read.
    """
    if path.exists() and path.stat().st_mode & OTHERS:
        raise UsageError(f"{path} holds passwords and others may read it: chmod 600 {path}")
    accounts = {}
    for number, line in _lines(path):
        words = line.split(" ", 2)
        if len(words) != len(("address", "user", "password")):
            raise UsageError(
                f"{path}:{number}: {len(words)} words, expected the address of a BMC, a user and a password"
            )
        accounts[words[0]] = BmcLogin(words[1], Secret(words[2]))
    return accounts


def read_identities(path: Path) -> dict[str, MachineIdentity]:
    """Node -> the machine that stands there, from lines ``NODE SERIAL`` or ``NODE SERIAL UUID``.

    UsageError with the line of a bad one, and for a node, a serial number or a UUID that has two lines.
    """
    identities: dict[str, MachineIdentity] = {}
    lines: dict[str, int] = {}
    for number, line in _lines(path):
        node, *words = line.split()
        if len(words) not in (1, 2):
            raise UsageError(
                f"{path}:{number}: {len(words) + 1} words, expected a node, a serial number and perhaps a UUID"
            )
        identity = MachineIdentity(words[0], words[1].lower() if len(words) > 1 else "")
        if identity.uuid and not UUID.fullmatch(identity.uuid):
            raise UsageError(
                f"{path}:{number}: {words[1]} after {node} {words[0]}, expected a UUID (8-4-4-4-12 hex digits)"
            )
        for noun, value in (("node", node), ("serial number", identity.serial), ("UUID", identity.uuid)):
            if value and (earlier := lines.setdefault(f"{noun} {value}", number)) != number:
                raise UsageError(
                    f"{path}:{number}: {noun} {value} stands in line {earlier} already: one machine is in one place; correct one of the lines"
                )
        identities[node] = identity
    return identities


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without comments and empty ones."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({error}): correct its name in control.bmc of the site") from error
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()
