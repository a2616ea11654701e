"""What must be done to a machine so that it is as wanted, and where it differs from what was bought.

Split into two answers because they are acted on differently: changes are carried out, mismatches are reported and
judged later, so that one wrong server does not stop a fleet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.resource import Machine
from rackwright.redfish.resources.system import System

RESETS = {"On": ("On", "ForceOn"), "Off": ("GracefulShutdown", "ForceOff")}
"""Resets that bring a machine to a power state, the gentle one first."""


@dataclass(frozen=True)
class Change:
    """One request to the BMC."""

    method: str
    """``PATCH`` or ``POST``."""
    path: str
    body: dict[str, Any]
    says: str
    """What it does, for the log."""


def changes(system: System, wanted: Machine, *, boot_is_new: bool = True) -> list[Change]:
    """The requests that bring `system` to `wanted`, in order: how it boots before it is powered on.

    A one-time override is set only together with a power-on that is ours, and only when it `boot_is_new` (not carried
    out before): a running machine, or one that was installed and then switched off, must not boot from the network
    unasked.
    """
    power = _power(system, wanted)
    once_is_due = boot_is_new and bool(power) and wanted.power == "On"
    return [*_boot(system, wanted, once_is_due=once_is_due), *power]


def mismatches(seen: BmcEvidence, system: System, wanted: Machine) -> list[str]:
    """Where the machine is not what the design says, one sentence each, in the order of the fields."""
    return [*_identity(seen, wanted), *_parts(seen, wanted), *_abilities(system, wanted)]


def boot_drifted(override: str, wanted: Machine) -> bool:
    """True when a lasting override is no longer in force. A one-time override is used up by design."""
    return not wanted.boot_once and override != wanted.boot_target


def power_drifted(power_state: str, wanted: Machine) -> bool:
    """True when the machine is not powered as wanted; never for an unmanaged one."""
    return wanted.power != "Unmanaged" and power_state != wanted.power


def boot_can_be_set(system: System, wanted: Machine) -> bool:
    """True when this BMC can be told to boot as wanted."""
    return bool(system.boot_enabled) and _offers(system, wanted)


def _boot(system: System, wanted: Machine, *, once_is_due: bool) -> Iterator[Change]:
    if not boot_can_be_set(system, wanted):
        return
    enabled = "Disabled" if wanted.boot_target == "None" else "Once" if wanted.boot_once else "Continuous"
    if enabled == "Once" and not once_is_due:
        return
    if (system.boot_enabled, system.boot_override) == (enabled, wanted.boot_target):
        return
    # Target, enabled and nothing else: several BMCs need both in one PATCH (OpenStack Ironic, redfish management).
    boot = {"BootSourceOverrideEnabled": enabled, "BootSourceOverrideTarget": wanted.boot_target}
    how = {"Disabled": "in its own order", "Once": "once", "Continuous": "always"}[enabled]
    target = "" if enabled == "Disabled" else f" from {wanted.boot_target}"
    yield Change("PATCH", system.path, {"Boot": boot}, f"boots{target} {how}")


def _power(system: System, wanted: Machine) -> list[Change]:
    if (
        not system.reset_path
        or not power_drifted(system.power_state, wanted)
        or system.power_state.startswith("Powering")
    ):
        return []
    kinds = [kind for kind in RESETS[wanted.power] if kind in system.reset_types] or [RESETS[wanted.power][0]]
    says = f"is powered {wanted.power.lower()} ({kinds[0]})"
    return [Change("POST", system.reset_path, {"ResetType": kinds[0]}, says)]


def _identity(seen: BmcEvidence, wanted: Machine) -> Iterator[str]:
    if not _contains(seen.manufacturer, wanted.manufacturer):
        yield f"manufacturer is {_shown(seen.manufacturer)}, the design says {wanted.manufacturer}"
    if not _same(seen.model, wanted.model, wanted.manufacturer):
        yield f"model is {_shown(seen.model)}, the design says {wanted.model}"


def _parts(seen: BmcEvidence, wanted: Machine) -> Iterator[str]:
    pairs = [
        ("CPUs", seen.cpu_count, wanted.cpu_count),
        ("GiB of memory", round(seen.memory_gib), wanted.memory_gib),
        ("GPUs", len(seen.gpu_models), wanted.gpu_count),
        ("network ports", len(seen.nic_ports), wanted.nic_count),
    ]
    for name, found, expected in pairs:
        if found != expected:
            yield f"has {found} {name}, the design says {expected}"
    for model, count in sorted(Counter(seen.gpu_models).items()):
        maker = wanted.gpu_model.split(" ")[0]
        if wanted.gpu_count and not _same(model, wanted.gpu_model, maker):
            yield f"{count} of its GPUs are {_shown(model)}, the design says {wanted.gpu_model}"


def _abilities(system: System, wanted: Machine) -> Iterator[str]:
    if not _offers(system, wanted):
        yield f"cannot be told to boot from {wanted.boot_target} (its BMC offers {', '.join(system.boot_targets)})"


def _offers(system: System, wanted: Machine) -> bool:
    return wanted.boot_target == "None" or not system.boot_targets or wanted.boot_target in system.boot_targets


def _same(seen: str, wanted: str, maker: str) -> bool:
    """Equal but for case, spaces, punctuation and the maker's name, which some BMCs put in front and some do not."""
    return bool(seen) and _bare(seen, maker) == _bare(wanted, maker)


def _bare(text: str, maker: str) -> str:
    words = _words(text)
    return "".join(words[len(_words(maker)) :] if maker and words[: len(_words(maker))] == _words(maker) else words)


def _contains(seen: str, wanted: str) -> bool:
    """``NVIDIA`` and ``NVIDIA Corporation`` are one manufacturer."""
    return bool(seen) and (set(_words(wanted)) <= set(_words(seen)) or set(_words(seen)) <= set(_words(wanted)))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _shown(text: str) -> str:
    return text or "not told by the BMC"
