"""A machine as a Pulumi resource; the plugin ``pulumi-resource-rackwright`` carries it out."""

from __future__ import annotations

from typing import Any

import pulumi

from rackwright.model.resource import Machine
from rackwright.redfish import wire


class MachineResource(pulumi.CustomResource):
    """One bare-metal machine, keyed by its BMC."""

    def __init__(
        self,
        machine: Machine,
        opts: pulumi.ResourceOptions | None = None,
        *,
        held: pulumi.Output[list[str]] | None = None,
    ) -> None:
        """`held`: why it may not be powered on, known when what feeds and cools it was read."""
        inputs: dict[str, Any] = {**wire.to_wire(machine), **({} if held is None else {"held": held})}
        super().__init__(wire.TOKEN, machine.name, {**inputs, **dict.fromkeys(wire.OUTPUTS)}, opts)

    @property
    def mismatches(self) -> pulumi.Output[list[str]]:
        """Where the machine is not what the design says, one sentence each."""
        return self._output("mismatches")

    @property
    def power_state(self) -> pulumi.Output[str]:
        """Redfish PowerState after the run."""
        return self._output("powerState")

    @property
    def serial_number(self) -> pulumi.Output[str]:
        """What the BMC says."""
        return self._output("serialNumber")

    def _output(self, name: str) -> pulumi.Output[Any]:
        value: pulumi.Output[Any] = pulumi.get(self, name)
        return value
