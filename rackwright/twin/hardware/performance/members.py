"""A node as a member of a group: its machine, the keys of its limits, its rails and accelerators."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from rackwright.model.check import Expectation
from rackwright.model.design import Design
from rackwright.twin.hardware.performance import model
from rackwright.twin.hardware.state import Gpu, State, TwinMachine

Name = Literal["all_reduce", "all_gather", "reduce_scatter", "all_to_all"]
LIBRARIES = {"nvidia": "nccl", "amd": "rccl"}
RELEASES = {"nccl": "2.30.4", "rccl": "2.27.3"}
VERSIONS = {"nccl": "nccl-tests 2.17.8", "rccl": "rccl-tests 2.17.9"}


@dataclass(frozen=True)
class Member:
    """One node of a group."""

    machine: TwinMachine
    about: Expectation

    @cached_property
    def rails(self) -> list[str]:
        """Adapters that serve accelerators, in rail order."""
        return [name for group in self.about.node.server.ports if group.role == "compute" for name in group.names]

    @cached_property
    def used(self) -> list[str]:
        """The rails that the collective library uses."""
        return [name for name in self.rails if self.machine.performance.rail(name).used]

    def adapters(self, gpu: Gpu) -> list[str]:
        """The adapters that one accelerator sends over: its own, or the next that the library uses."""
        used = self.used
        if not used:
            return []
        per = max(1, len(self.rails) // max(1, len(self.machine.gpus)))
        adapters = self.rails[gpu.index * per : (gpu.index + 1) * per] or [self.rails[gpu.index % len(self.rails)]]
        return sorted({name if name in used else used[0] for name in adapters})


def member(state: State, design: Design, node: str) -> Member:
    """`node` with the keys of its limits."""
    return Member(state.machines[node], model.expectation(design, node))


def accelerator(host: Member, gpu: Gpu) -> dict[str, Any]:
    """One accelerator as a rank of a collective, with the adapters that it sends over."""
    adapters = host.adapters(gpu)
    direct = host.machine.performance.gpudirect and all(
        host.machine.performance.rail(name).gpudirect for name in adapters
    )
    place = gpu.pci_bus_id.removeprefix("0000").removesuffix(".0")
    facts = {"device": gpu.index, "pci_bus_id": place, "product_name": gpu.product_name}
    return {**facts, "adapters": adapters, "direct": direct}
