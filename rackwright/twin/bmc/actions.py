"""Effects of write requests to a simulated BMC on its machine.

A refused request raises `RequestRefused` with the status and message of a real BMC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from rackwright.twin.bmc.documents import BOOT_TARGETS, RESET_TYPES
from rackwright.twin.hardware.firmware import activated
from rackwright.twin.hardware.state import TwinMachine

ENABLED = ("Disabled", "Once", "Continuous")


class RequestRefused(Exception):  # noqa: N818 - named for what the BMC does
    """The BMC refuses the request."""

    def __init__(self, status: HTTPStatus, message: str, code: str = "GeneralError") -> None:
        """`code`: name of the message in the Base registry."""
        super().__init__(message)
        self.status, self.code = status, code


def set_boot(machine: TwinMachine, body: Mapping[str, Any]) -> TwinMachine:
    """The machine after a PATCH of its system document; only the boot override can be written."""
    boot = body.get("Boot")
    if set(body) != {"Boot"} or not isinstance(boot, Mapping):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "Only the property Boot can be changed.")
    target = boot.get("BootSourceOverrideTarget", machine.boot_target)
    enabled = boot.get("BootSourceOverrideEnabled", machine.boot_enabled)
    unknown = set(boot) - {"BootSourceOverrideTarget", "BootSourceOverrideEnabled", "BootSourceOverrideMode"}
    if unknown:
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"The property {min(unknown)} cannot be written.")
    if target not in BOOT_TARGETS or enabled not in ENABLED:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, f"The value {target}/{enabled} is not in the list of acceptable values."
        )
    if enabled == "Disabled":
        target = "None"
    return replace(machine, boot_target=target, boot_enabled=enabled)


def reset(machine: TwinMachine, body: Mapping[str, Any]) -> list[TwinMachine]:
    """The machine step by step after ComputerSystem.Reset: a restart is off, then on. Empty when nothing changes."""
    kind = body.get("ResetType")
    if kind not in RESET_TYPES:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, f"The value {kind} for ResetType is not in the list of acceptable values."
        )
    on = machine.power_state == "On"
    off = replace(machine, power_state="Off")
    if kind in {"ForceOff", "GracefulShutdown"}:
        return [off] if on else []
    if kind == "On":
        return [] if on else [_booted(machine)]
    if not on:
        raise RequestRefused(HTTPStatus.CONFLICT, f"{kind} cannot be done while the system is off.")
    return [off, _booted(machine)]


def _booted(machine: TwinMachine) -> TwinMachine:
    """The machine after a boot: a one-time boot override is used up, pending BIOS settings and staged host firmware are in force."""
    if machine.boot_enabled == "Once":
        machine = replace(machine, boot_enabled="Disabled", boot_target="None")
    booted = replace(
        machine,
        power_state="On",
        bios=machine.bios.booted(),
        secure_boot=machine.bios.secure_boot_after(machine.secure_boot),
    )
    return activated(booted, {"host"})


def powered(after: TwinMachine, machine: TwinMachine) -> TwinMachine:
    """`machine` with the power, boot, BIOS settings and firmware of `after`; other changes made by faults meanwhile are kept."""
    return replace(
        machine,
        power_state=after.power_state,
        boot_target=after.boot_target,
        boot_enabled=after.boot_enabled,
        bios=after.bios,
        secure_boot=after.secure_boot,
        bios_version=after.bios_version,
        firmware=after.firmware,
    )
