"""What feeds a rack or cools a hall, as a Pulumi resource; the plugin ``pulumi-resource-rackwright`` reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    def problems_of(self, rack: str) -> pulumi.Output[list[str]]:
        """Those of `problems` that concern the machines of `rack`."""
        racks: pulumi.Output[dict[str, str] | None] = pulumi.get(self, "racks")
        both = pulumi.Output.all(self.problems, racks)
        return both.apply(lambda values: concerning(rack, *values))


def concerning(rack: str, problems: Sequence[str], racks: Mapping[str, str] | None) -> list[str]:
    """The `problems` of a unit that concern `rack`: all but those that `racks` gives to another one."""
    return [text for text in problems if (racks or {}).get(text, rack) == rack]
