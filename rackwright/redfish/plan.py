"""What must be done to a machine to bring it to its declared state, and where it differs from what was bought.

Changes are carried out; mismatches are reported and judged later, so that one wrong server does not stop a fleet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.resource import Machine
from rackwright.model.server import ANY_MAKER
from rackwright.redfish.resources.system import System

RESETS = {"On": ("On", "ForceOn"), "Off": ("GracefulShutdown", "ForceOff")}
"""Resets that bring a machine to a power state, the gentle one first."""
RESTARTS = ("GracefulRestart", "ForceRestart", "PowerCycle")
"""Resets that boot a running machine again, the gentle one first."""


@dataclass(frozen=True)
class MachineChange:
    """One request to the BMC."""

    method: str
    """``PATCH`` or ``POST``."""
    path: str
    body: dict[str, Any]
    says: str
    """What it does, for the log."""


def changes(system: System, declared: Machine, *, boot_is_new: bool = True) -> list[MachineChange]:
    """The requests that bring `system` to `declared`, in order: boot settings before power-on.

    A one-time override is set only together with a power-on by rackwright, and only when it `boot_is_new` (not carried out before): a running machine, or one that was installed and then switched off, must not boot from the network by surprise.
    """
    power = _power(system, declared)
    once_is_due = boot_is_new and bool(power) and declared.power == "On"
    return [*_boot(system, declared, once_is_due=once_is_due), *power]


def require_power_on(system: System, declared: Machine) -> None:
    """OutsideError where `declared` would be powered on, and what feeds or cools it is not as designed."""
    if declared.held and declared.power == "On" and power_drifted(system.power_state, declared):
        raise OutsideError(
            f"{declared.name} is {system.power_state} and is not powered on: {'; '.join(declared.held)}. Put that right, then run again"
        )


class Plate(NamedTuple):
    """Whose machine it is, and which."""

    manufacturer: str
    model: str


def restart(system: System) -> MachineChange:
    """Boots a running machine again; only on request."""
    kind = next((kind for kind in RESTARTS if kind in system.reset_types), RESTARTS[0])
    return MachineChange("POST", system.reset_path, {"ResetType": kind}, f"is restarted ({kind})")


def mismatches(evidence: BmcEvidence, system: System, declared: Machine) -> list[str]:
    """Where the machine differs from the design, one sentence each, in the order of the fields."""
    reported, expected = Plate(evidence.manufacturer, evidence.model), Plate(declared.manufacturer, declared.model)
    plate = plate_mismatches(reported, expected, declared.names)
    return [*plate, *_parts(evidence, declared), *_abilities(system, declared)]


def plate_mismatches(reported: Plate, declared: Plate, names: Sequence[str]) -> Iterator[str]:
    """Where the plate that a BMC reports differs, as the check `bmc.model` has it; `names`: what BMCs report beside the plate of the SKU.

    A SKU that stands for machines of several makers, and has no names, is not compared.
    """
    if any(_is_called(reported, name) for name in names):
        return
    if declared.manufacturer == ANY_MAKER and not names:
        return
    if not _same_manufacturer(reported.manufacturer, declared.manufacturer):
        yield f"manufacturer is {_printable(reported.manufacturer)}, the design says {declared.manufacturer}"
    if not _same_name(reported.model, declared.model, declared.manufacturer):
        yield f"model is {_printable(reported.model)}, the design says {declared.model}"


def boot_drifted(override: str, declared: Machine) -> bool:
    """True when a lasting override is no longer in force. A one-time override is used up by design."""
    return not declared.boot_once and override != declared.boot_target


def power_drifted(power_state: str, declared: Machine) -> bool:
    """True when the power state differs from the declared one; never for an unmanaged machine."""
    return declared.power != "Unmanaged" and power_state != declared.power


def boot_can_be_set(system: System, declared: Machine) -> bool:
    """True when this BMC supports the declared boot settings."""
    return bool(system.boot_enabled) and _offers_boot_target(system, declared)


def _boot(system: System, declared: Machine, *, once_is_due: bool) -> Iterator[MachineChange]:
    if not boot_can_be_set(system, declared):
        return
    enabled = "Disabled" if declared.boot_target == "None" else "Once" if declared.boot_once else "Continuous"
    if enabled == "Once" and not once_is_due:
        return
    if (system.boot_enabled, system.boot_override) == (enabled, declared.boot_target):
        return
    # Target, enabled and nothing else: several BMCs need both in one PATCH (OpenStack Ironic, redfish management).
    boot = {"BootSourceOverrideEnabled": enabled, "BootSourceOverrideTarget": declared.boot_target}
    how = {"Disabled": "in its own order", "Once": "once", "Continuous": "always"}[enabled]
    target = "" if enabled == "Disabled" else f" from {declared.boot_target}"
    yield MachineChange("PATCH", system.path, {"Boot": boot}, f"boots{target} {how}")


def _power(system: System, declared: Machine) -> list[MachineChange]:
    if (
        not system.reset_path
        or not power_drifted(system.power_state, declared)
        or system.power_state.startswith("Powering")
    ):
        return []
    kinds = [kind for kind in RESETS[declared.power] if kind in system.reset_types] or [RESETS[declared.power][0]]
    says = f"is powered {declared.power.lower()} ({kinds[0]})"
    return [MachineChange("POST", system.reset_path, {"ResetType": kinds[0]}, says)]


def _parts(evidence: BmcEvidence, declared: Machine) -> Iterator[str]:
    pairs = [
        ("CPUs", evidence.cpu_count, declared.cpu_count),
        ("GiB of memory", round(evidence.memory_gib), declared.memory_gib),
        ("GPUs", len(evidence.gpu_models), declared.gpu_count),
        # A card that nobody counted, that of storage for one, is no fault.
        ("network ports", min(len(evidence.nic_ports), declared.nic_count), declared.nic_count),
    ]
    for name, actual, expected in pairs:
        if actual != expected:
            yield f"has {actual} {name}, the design says {expected}"
    # As the check of a BMC's accelerators has it: some BMCs list them and not their model.
    for model, count in sorted(Counter(filter(None, evidence.gpu_models)).items()):
        maker = declared.gpu_model.split(" ")[0]
        if declared.gpu_count and not _same_name(model, declared.gpu_model, maker):
            yield f"{count} of its GPUs are {_printable(model)}, the design says {declared.gpu_model}"


def _abilities(system: System, declared: Machine) -> Iterator[str]:
    if not _offers_boot_target(system, declared):
        yield f"cannot be set to boot from {declared.boot_target} (its BMC offers {', '.join(system.boot_targets)})"


def _offers_boot_target(system: System, declared: Machine) -> bool:
    return declared.boot_target == "None" or not system.boot_targets or declared.boot_target in system.boot_targets


def _is_called(reported: Plate, name: str) -> bool:
    """Whether `name` is what the BMC reports: a manufacturer and a model."""
    model, words = _words(reported.model), _words(name)
    maker = " ".join(words[: len(words) - len(model)])
    return bool(model and maker) and words[-len(model) :] == model and _same_manufacturer(reported.manufacturer, maker)


def _same_name(reported: str, declared: str, maker: str) -> bool:
    """Equal but for case, spaces, punctuation and the maker's name, which some BMCs put in front and some do not."""
    return bool(reported) and _bare(reported, maker) == _bare(declared, maker)


def _bare(text: str, maker: str) -> str:
    words = _words(text)
    return "".join(words[len(_words(maker)) :] if maker and words[: len(_words(maker))] == _words(maker) else words)


def _same_manufacturer(reported: str, declared: str) -> bool:
    """``NVIDIA`` and ``NVIDIA Corporation`` are one manufacturer."""
    return bool(reported) and (
        set(_words(declared)) <= set(_words(reported)) or set(_words(reported)) <= set(_words(declared))
    )


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _printable(text: str) -> str:
    return text or "not reported by the BMC"
