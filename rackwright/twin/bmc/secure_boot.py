"""UEFI Secure Boot as a simulated BMC shows it, and changes of it. The shape is that of the trees in NVIDIA/libredfish c094c9e (tests/mockups)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.documents import Document
from rackwright.twin.hardware.state import TwinMachine

SECURE_BOOT = "/SecureBoot"


def write_secure_boot(documents: dict[str, Document], host: str, machine: TwinMachine, mode: str) -> None:
    """Add Secure Boot of `machine`, whose system is at `host` and whose keys are in `mode`."""
    path = f"{host}{SECURE_BOOT}"
    documents[host]["SecureBoot"] = {"@odata.id": path}
    documents[path] = {
        "@odata.id": path, "@odata.type": "#SecureBoot.v1_1_0.SecureBoot", "Id": "SecureBoot", "Name": "UEFI Secure Boot",
        "SecureBootCurrentBoot": "Enabled" if machine.secure_boot else "Disabled",
        "SecureBootEnable": _following(machine), "SecureBootMode": mode,
    }  # fmt: skip


def set_secure_boot(machine: TwinMachine, body: Mapping[str, Any], mode: str) -> TwinMachine:
    """The machine after a PATCH of its SecureBoot. Without a platform key it cannot be switched on (schema SecureBoot, SecureBootMode)."""
    enabled = body.get("SecureBootEnable")
    if set(body) != {"SecureBootEnable"} or not isinstance(enabled, bool):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "Only the property SecureBootEnable can be changed.")
    if enabled and mode == "SetupMode":
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "Secure Boot cannot be enabled while no platform key is enrolled.")
    return replace(machine, bios=replace(machine.bios, secure_boot=enabled))


def _following(machine: TwinMachine) -> bool:
    following = machine.bios.secure_boot
    return machine.secure_boot if following is None else following
