"""A computer system.

Schema: https://redfish.dmtf.org/schemas/v1/ComputerSystem.json
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import link, links
from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word

RESET = "#ComputerSystem.Reset"


class System(NamedTuple):
    """What we read of a system."""

    path: str
    system_type: str
    manufacturer: str
    model: str
    serial: str
    bios_version: str
    power_state: str
    status: Status
    cpu_count: int
    memory_gib: float
    boot_enabled: str
    """``Disabled``, ``Once``, ``Continuous``; empty when the system has no boot override."""
    boot_target: str
    boot_targets: tuple[str, ...]
    """Targets that the BMC allows; empty when it lists none."""
    reset_path: str
    reset_types: tuple[str, ...]
    """Resets the BMC allows; empty when it does not say."""
    processors: str
    managers: tuple[str, ...]
    log_services: str = ""
    sku: str = ""
    chassis: tuple[str, ...] = ()
    uuid: str = ""
    """In small letters."""
    bios: str = ""
    secure_boot: str = ""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> System:
        """The record of a ComputerSystem `document`."""
        boot = document.get("Boot") or {}
        action = (document.get("Actions") or {}).get(RESET)
        reset = action if isinstance(action, Mapping) else {}
        return cls(
            path=str(document.get("@odata.id") or ""),
            system_type=word(document, "SystemType"),
            manufacturer=word(document, "Manufacturer"),
            model=word(document, "Model"),
            serial=word(document, "SerialNumber"),
            bios_version=word(document, "BiosVersion"),
            power_state=word(document, "PowerState"),
            status=Status.of(document),
            cpu_count=int(maybe((document.get("ProcessorSummary") or {}).get("Count")) or 0),
            memory_gib=maybe((document.get("MemorySummary") or {}).get("TotalSystemMemoryGiB")) or 0.0,
            boot_enabled=word(boot, "BootSourceOverrideEnabled"),
            boot_target=word(boot, "BootSourceOverrideTarget") or "None",
            boot_targets=_texts(boot.get("BootSourceOverrideTarget@Redfish.AllowableValues")),
            reset_path=str(reset.get("target") or ""),
            reset_types=_texts(reset.get("ResetType@Redfish.AllowableValues")),
            processors=link(document, "Processors"),
            managers=tuple(links(document, "Links", "ManagedBy")),
            log_services=link(document, "LogServices"),
            sku=word(document, "SKU"),
            chassis=tuple(links(document, "Links", "Chassis")),
            uuid=word(document, "UUID").lower(),
            bios=link(document, "Bios"),
            secure_boot=link(document, "SecureBoot"),
        )

    @property
    def boot_override(self) -> str:
        """The override in force: a target, or ``None``."""
        return self.boot_target if self.boot_enabled in {"Once", "Continuous"} else "None"


def hosts(systems: Sequence[System]) -> list[System]:
    """The systems an operating system runs on; one, unless the service is broken or manages several machines.

    A baseboard of accelerators is a second system (``HGX_Baseboard_0``), often listed first: it has no boot settings
    and no BIOS. DPUs and composed systems have a type of their own.
    """
    physical = [system for system in systems if system.system_type in {"", "Physical"}]
    best = max((_likeness(candidate) for candidate in physical), default=(False, False))
    return [candidate for candidate in physical if _likeness(candidate) == best]


def _likeness(system: System) -> tuple[bool, bool]:
    return bool(system.boot_enabled), bool(system.bios_version)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()
