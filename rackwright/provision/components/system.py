"""The system of a machine as a Pulumi resource; the plugin ``pulumi-resource-rackwright`` reads it from the boot server."""

from __future__ import annotations

from typing import Any

import pulumi

from rackwright.model.resource import DeclaredSystem
from rackwright.plugin import system_wire


class SystemResource(pulumi.CustomResource):
    """What the boot server installs on a machine. Deleting it wipes nothing."""

    def __init__(self, system: DeclaredSystem, opts: pulumi.ResourceOptions | None = None) -> None:
        outputs: dict[str, Any] = dict.fromkeys(system_wire.OUTPUTS)
        super().__init__(
            system_wire.TOKEN, f"{system.node}{system_wire.SUFFIX}", {**system.model_dump(), **outputs}, opts
        )
