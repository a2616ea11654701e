"""What feeds a rack or cools a hall, as a Pulumi resource; the plugin ``pulumi-resource-rackwright`` reads it."""

from __future__ import annotations

from typing import Any

import pulumi

from rackwright.model.resource import DeclaredPlant
from rackwright.redfish import plant_wire


class PlantResource(pulumi.CustomResource):
    """The PDUs and power shelves of a rack (`plant_wire.RACK_POWER`), or a CDU (`plant_wire.COOLING`)."""

    def __init__(self, token: str, plant: DeclaredPlant, opts: pulumi.ResourceOptions | None = None) -> None:
        outputs: dict[str, Any] = dict.fromkeys(plant_wire.OUTPUTS)
        super().__init__(token, plant.place, {**plant.model_dump(), **outputs}, opts)

    @property
    def problems(self) -> pulumi.Output[list[str]]:
        """Where it is not as designed, one sentence each: machines behind it are not powered on."""
        value: pulumi.Output[list[str]] = pulumi.get(self, "problems")
        return value
