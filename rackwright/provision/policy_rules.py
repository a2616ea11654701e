"""What must never be planned, whatever program declares it; pure, on inputs as the engine has them.

What an engine refuses by itself is not here: it neither deletes nor replaces a protected machine, which is why each must be protected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rackwright.base.name_list import listed_names
from rackwright.model.equipment import RackPdu
from rackwright.plugin import switch_wire, system_wire
from rackwright.redfish import plant_wire, wire

SECRET_NAME = re.compile(r"passw|secret|token$|private_?key|credential", re.IGNORECASE)
NAMES_A_VARIABLE = re.compile(r"(env|file|id)$", re.IGNORECASE)
"""Ends of names of inputs that say where a secret is, and hold none."""
ACCOUNT_IN_URL = re.compile(r"\w+://[^/\s:@]+:[^/\s@]+@")


@dataclass(frozen=True)
class PlannedResource:
    """A resource that is to be created, updated, or left as it is."""

    type: str
    name: str
    inputs: Mapping[str, Any]
    """Secret values are `SECRET`."""
    protect: bool


SECRET = object()
"""Stands for a value that the engine keeps encrypted."""
Judge = Callable[[PlannedResource, Mapping[str, str]], Iterator[str]]


@dataclass(frozen=True)
class PolicyRule:
    """One rule."""

    name: str
    description: str
    judge: Judge
    """The resource and the settings of the stack in our namespace -> a sentence for each violation."""


def violations(planned: PlannedResource, settings: Mapping[str, str]) -> Iterator[tuple[PolicyRule, str]]:
    """Every rule that `planned` breaks, with the sentence why."""
    for rule in RULES:
        for sentence in rule.judge(planned, settings):
            yield rule, sentence


def _named(settings: Mapping[str, str], key: str) -> set[str]:
    return {*listed_names(settings.get(key))}


def _unprotected(planned: PlannedResource, settings: Mapping[str, str]) -> Iterator[str]:
    if planned.type == wire.TOKEN and not planned.protect and planned.name not in _named(settings, "unprotected"):
        yield (
            f"{planned.name} is not protected: the engine could forget it, or take another machine for it. Set `protect`; for one that was "
            f"exchanged or leaves the site, name it: `pulumi config set rackwright:unprotected {planned.name}`"
        )


def _unprotected_switch(planned: PlannedResource, settings: Mapping[str, str]) -> Iterator[str]:
    if (
        planned.type == switch_wire.TOKEN
        and not planned.protect
        and planned.name not in _named(settings, "unprotected")
    ):
        yield (
            f"{planned.name} is not protected: the engine could forget it. Set `protect`; for one that left the site, name it: "
            f"`pulumi config set rackwright:unprotected {planned.name}`"
        )


def _power_off(planned: PlannedResource, settings: Mapping[str, str]) -> Iterator[str]:
    if (
        planned.type == wire.TOKEN
        and planned.inputs.get("power") == "Off"
        and planned.name not in _named(settings, "powered_off")
    ):
        yield (
            f"{planned.name} would be powered off, with whatever runs on it. Declare `power: Unmanaged` to leave its power alone; to switch "
            f"it off, drain it and name it: `pulumi config set rackwright:powered_off {planned.name}`"
        )


def _over_budget(planned: PlannedResource, settings: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG001 - as every rule
    units = planned.inputs.get("units") if planned.type == plant_wire.RACK_POWER else ()
    for wired in units if isinstance(units, list | tuple) else ():
        if not isinstance(wired, Mapping) or plant_wire.failures(
            planned.type, {"place": planned.name, "units": [wired]}
        ):
            continue  # the provider names what is wrong with it
        unit = plant_wire.unit_from_wire(wired)
        if isinstance(unit, RackPdu) and unit.worst_watts > unit.circuit.usable_watts + WATTS_OF_ROUNDING:
            yield (
                f"{unit.name} of rack {unit.place} would carry {unit.worst_watts / 1000:.1f} kW after the worst loss, its circuit "
                f"{unit.circuit.usable_watts / 1000:.1f} kW: take fewer servers_per_rack, or a larger facility.power.circuit"
            )


def _image_without_digest(planned: PlannedResource, settings: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG001
    digests = planned.inputs.get("digests") if planned.type == system_wire.TOKEN else {"": "none"}
    image = planned.inputs.get("image")
    if not digests or (isinstance(digests, Mapping) and not all(digests.values())):
        yield f"{planned.name} would be installed from image {image}, of which a file has no digest: give its SHA-256 in install.digests"


def _secrets_in_clear(planned: PlannedResource, settings: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG001
    if planned.type.startswith((f"{wire.PACKAGE}:", f"pulumi:providers:{wire.PACKAGE}")):
        for path, value in _texts(planned.inputs, ""):
            secret_name = SECRET_NAME.search(path) and not NAMES_A_VARIABLE.search(path)
            if value and (secret_name or ACCOUNT_IN_URL.search(value)):
                yield (
                    f"{path} of {planned.name} is a secret in clear, and would stand in every state file: take it out; accounts come from the "
                    f"environment (userEnv, passwordEnv)"
                )


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every text inside, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, element in value.items():
            yield from _texts(element, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple):
        for element in value:
            yield from _texts(element, path)


WATTS_OF_ROUNDING = 0.1
"""Figures of the design are rounded to a tenth."""
RULES = (
    PolicyRule("machine-protected", "Machines are protected", _unprotected),
    PolicyRule("switch-protected", "Switches are protected", _unprotected_switch),
    PolicyRule("machine-stays-on", "No machine is powered off unless it is named", _power_off),
    PolicyRule("rack-within-budget", "No circuit of a rack is overloaded after the worst loss", _over_budget),
    PolicyRule("image-has-digests", "Every file of an image has a digest", _image_without_digest),
    PolicyRule("no-secret-in-clear", "Secrets are encrypted or come from the environment", _secrets_in_clear),
)
