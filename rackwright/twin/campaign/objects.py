"""Names of the parts of a machine, so that a fault can name the part that it breaks on any kind of server.

A number beyond the last part starts again at the first one, as in `faults.changes`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import overload

from rackwright.twin.bmc import dialects
from rackwright.twin.hardware import ids, pci
from rackwright.twin.hardware.state import TwinMachine


class Parts(list[str]):
    """Parts of one kind, in the order of the machine; `kind` is the name of one of them."""

    def __init__(self, kind: str, names: Collection[object]) -> None:
        super().__init__(map(str, names))
        self.kind = kind

    @overload  # type: ignore[override]
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        """The part at that place; LookupError, with a sentence, where the machine has none."""
        if isinstance(place, slice):
            return super().__getitem__(place)
        if not self:
            raise LookupError(f"the nodes have no {self.kind}")
        return super().__getitem__(place % len(self))


def parts(machine: TwinMachine) -> dict[str, Parts]:
    """All parts that `Fault.names` may name, by word."""
    gpus, system = machine.gpus, machine.system
    cores = system.sockets * system.cores_per_socket
    compute = [nic for nic in machine.nics if nic.role == "compute" and ids.of_adapter(nic.adapter)]
    slots = [pci.adapter_address(machine, nic) for nic in compute]
    ports = {
        role: Parts(f"{role} port", [nic.name for nic in machine.nics if nic.role == role])
        for role in ("compute", "storage", "inband")
    }
    spoken = dialects.part_names(machine)
    return {
        "inlet": Parts("inlet", spoken["inlet"]),
        "fan": Parts("fan", spoken["fan"]),
        "supply": Parts("power supply", spoken["supply"]),
        "listed": Parts("network port", range(len(machine.nics[: machine.bmc_ports]), 0, -1)),
        "gpu": Parts("accelerator", [gpu.index for gpu in gpus]),
        "bus": Parts("accelerator", [gpu.pci_bus_id[4:].lower().removesuffix(".0") for gpu in gpus]),
        "left": Parts("accelerator", [len(gpus) - lost for lost in range(len(gpus))]),
        "driver": Parts("accelerator", [ids.other_driver(gpu.vendor) for gpu in gpus[:1]]),
        "slot": Parts("adapter for accelerators", slots),
        "rest": Parts("adapter", [sum(nic.adapter == compute[0].adapter for nic in machine.nics) - 1] if compute else []),
        "adapter": Parts("adapter", [compute[0].adapter] if compute else []),
        "drive": Parts("data drive", [f"nvme{drive.index}" for drive in system.drives]),
        "drives": Parts("data drive", [len(system.drives) - lost for lost in range(len(system.drives))]),
        "memory": Parts("memory", [machine.memory_gib, machine.memory_gib * 15 // 16]),
        "dimm": Parts("memory module", [dimm.slot for dimm in system.dimms]),
        "cores": Parts("core", [cores, cores, cores // 2]),
        **ports,
    }  # fmt: skip


def named(words: Collection[str], machine: TwinMachine) -> frozenset[str]:
    """`words` with the names of the parts of `machine`; LookupError where it has no such part."""
    parts_by_word = parts(machine)
    return frozenset(word.format_map(parts_by_word) for word in words)
