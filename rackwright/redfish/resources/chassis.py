"""A chassis: the way to network adapters and power supplies.

Schema: https://redfish.dmtf.org/schemas/v1/Chassis.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import link, links
from rackwright.redfish.resources.text_members import word


class Chassis(NamedTuple):
    """Where the parts of a chassis are; empty paths for parts it does not have."""

    path: str
    network_adapters: str
    power_subsystem: str
    power: str
    """The older resource, before PowerSubsystem."""
    sensors: str = ""
    thermal_subsystem: str = ""
    thermal: str = ""
    """The older resource, before Sensors and ThermalSubsystem."""
    environment: str = ""
    """EnvironmentMetrics: draw and limit."""
    pcie_devices: str = ""
    log_services: str = ""
    manufacturer: str = ""
    model: str = ""
    serial: str = ""
    kind: str = ""
    """ChassisType: ``RackMount``, ``Shelf``, ``Component`` ..."""
    systems: tuple[str, ...] = ()
    """The systems that it holds, by its own links."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Chassis:
        """The record of a Chassis `document`."""
        return cls(
            path=str(document.get("@odata.id") or ""),
            network_adapters=link(document, "NetworkAdapters"),
            power_subsystem=link(document, "PowerSubsystem"),
            power=link(document, "Power"),
            sensors=link(document, "Sensors"),
            thermal_subsystem=link(document, "ThermalSubsystem"),
            thermal=link(document, "Thermal"),
            environment=link(document, "EnvironmentMetrics"),
            pcie_devices=link(document, "PCIeDevices"),
            log_services=link(document, "LogServices"),
            manufacturer=word(document, "Manufacturer"),
            model=word(document, "Model"),
            serial=word(document, "SerialNumber"),
            kind=word(document, "ChassisType"),
            systems=tuple(links(document, "Links", "ComputerSystems")),
        )
