"""Settings that a simulated BMC allows to change besides boot and power: accounts, BIOS attributes, Secure Boot, the power cap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any

from rackwright.catalog import setting_practice
from rackwright.twin.bmc import accounts, bios, dialects, secure_boot
from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.documents import CHASSIS, HOST, ROOT
from rackwright.twin.hardware.state import TwinMachine

Change = Callable[[TwinMachine, Mapping[str, Any]], TwinMachine]
METRICS = f"{CHASSIS}/EnvironmentMetrics"
OLDER = f"{CHASSIS}/Power"


def change_at(path: str, machine: TwinMachine) -> Change | None:
    """The change that a PATCH of `path` makes (accounts, pending BIOS attributes, Secure Boot or power cap); None if the BMC has no such resource."""
    dialect = dialects.load(machine.dialect) if machine.dialect else None
    if account := accounts.change_at(path, machine, dialect):
        return account
    if dialect and dialect.bios and path == f"{ROOT}{dialect.bios.settings}":
        return partial(bios.change, spoken=dialect.bios)
    mode = setting_practice.of_dialect(machine.dialect).secure_boot
    if mode and path == f"{dialects.renamed(HOST, machine.dialect)}{secure_boot.SECURE_BOOT}":
        return partial(secure_boot.set_secure_boot, mode=mode)
    limit = dialect.power.limit if dialect else "metrics"
    plain, change = {"metrics": (METRICS, set_power_limit), "control": (OLDER, set_older_power_limit)}.get(
        limit, ("", None)
    )
    return change if path == dialects.renamed(plain, machine.dialect) else None


def set_power_limit(machine: TwinMachine, body: Mapping[str, Any]) -> TwinMachine:
    """The machine after a PATCH of EnvironmentMetrics."""
    control = body.get("PowerLimitWatts")
    surplus = set(control) - {"SetPoint", "ControlMode"} if isinstance(control, Mapping) else {"PowerLimitWatts"}
    if set(body) != {"PowerLimitWatts"} or surplus or not isinstance(control, Mapping):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"The property {min(surplus, default='')} cannot be written.")
    lasting = machine.chassis.power_limit_watts is not None
    if not lasting and control.get("ControlMode") not in {"Automatic", "Manual"}:
        return machine  # the set point of a control that is switched off counts for nothing
    return _limited(machine, control.get("SetPoint"))


def set_older_power_limit(machine: TwinMachine, body: Mapping[str, Any]) -> TwinMachine:
    """The machine after a PATCH of the older Power."""
    try:
        (control,) = body["PowerControl"]
        return _limited(machine, control["PowerLimit"]["LimitInWatts"])
    except (KeyError, TypeError, ValueError):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "Only PowerLimit of PowerControl can be changed.") from None


def _limited(machine: TwinMachine, watts: Any) -> TwinMachine:
    if type(watts) is not int or watts <= 0:
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"The value {watts} is not in the list of acceptable values.")
    return replace(machine, chassis=replace(machine.chassis, power_limit_watts=float(watts)))
