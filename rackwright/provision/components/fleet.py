"""All machines of a site and what feeds and cools them, with the provider that says where their BMC account is found."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pulumi

from rackwright.model.control import Bmc
from rackwright.model.resource import Machine
from rackwright.provision.components.machine import MachineResource
from rackwright.provision.components.plant import PlantResource
from rackwright.provision.plant_plan import PlantPlan
from rackwright.redfish import plant_wire, wire


class FleetComponent(pulumi.ComponentResource):
    """The machines of one stack; a second machine is never held up by the first. All wait until what feeds and cools them was read.

    Each is protected: the engine neither forgets it nor takes another machine for it, unless its name is in `unprotected`.
    """

    def __init__(
        self,
        name: str,
        machines: Sequence[Machine],
        bmc: Bmc,
        plant: PlantPlan,
        *,
        identities_file: str = "",
        unprotected: Collection[str] = (),
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__(f"{wire.PACKAGE}:index:Fleet", name, {}, opts)
        account = {"userEnv": bmc.user_env, "passwordEnv": bmc.password_env, "caFile": bmc.ca_file or "",
                   "identitiesFile": identities_file}  # fmt: skip
        child = pulumi.ResourceOptions(parent=self)
        self.provider = pulumi.ProviderResource(wire.PACKAGE, f"{name}-bmcs", account, child)
        options = {
            protect: pulumi.ResourceOptions(parent=self, provider=self.provider, protect=protect)
            for protect in (True, False)
        }
        declared = ((plant_wire.RACK_POWER, plant.racks), (plant_wire.COOLING, plant.cdus))
        self.plant = {
            place: PlantResource(token, unit, options[False])
            for token, units in declared
            for place, unit in units.items()
        }
        self.machines = {
            machine.name: MachineResource(
                machine, options[machine.name not in unprotected], held=self._held(plant.around[machine.name])
            )
            for machine in machines
        }
        self.register_outputs({})

    def _held(self, places: Sequence[str]) -> pulumi.Output[list[str]] | None:
        if not places:
            return None
        problems = pulumi.Output.all(*(self.plant[place].problems for place in places))
        return problems.apply(lambda by_place: [text for texts in by_place for text in texts])

    @property
    def mismatches(self) -> pulumi.Output[dict[str, list[str]]]:
        """Machines that are not what the design says, with the sentences why; known once all are up."""
        mismatches = pulumi.Output.all(**{name: machine.mismatches for name, machine in self.machines.items()})
        return mismatches.apply(lambda by_name: {name: list(why) for name, why in by_name.items() if why})
