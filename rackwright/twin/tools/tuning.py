"""What the files below /proc and /sys say on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.tuning import MemoryErrors, Shared, Tuning
from rackwright.twin.hardware.parts import kernel
from rackwright.twin.hardware.parts.system import GIB, SPARE_SHARE, System
from rackwright.twin.hardware.state import State

ANSWERED = True
POWERSAVE = "powersave"
POOLS = ("hugepages-2048kB", "hugepages-1048576kB")


def observe(state: State, design: Design, node: str) -> Tuning:
    """Settings of the node's kernel; CPUs in `slow_cpus` differ from the rest."""
    machine, bill = state.machines[node], design.site.software.bill(design.node(node).pool)
    system = machine.system
    extra = bill.options.get("boot_cmdline_extra", [])
    given = " ".join([system.command_line, *map(str, extra)])
    cpus = system.sockets * system.cores_per_socket * system.threads_per_core
    return Tuning(
        command_line=f"BOOT_IMAGE=/boot/vmlinuz-{kernel.running(machine, bill)} root=UUID=0d0ee4b2 ro {given}".strip(),
        transparent_hugepages=system.transparent_hugepages,
        hugepages=dict.fromkeys(POOLS, 0) | system.hugepages,
        governors=_split(cpus, system, system.governor, POWERSAVE, "policy"),
        ceilings=[Shared(value=str(system.ceiling_khz), cpus=cpus, first="policy0")],
        highest=[Shared(value=str(system.highest_khz), cpus=cpus, first="policy0")],
        microcode=[Shared(value=system.microcode, cpus=cpus, first="cpu0")],
        numa_memory=_numa(system),
        memory_errors=[
            MemoryErrors(label=one.slot, corrected=one.corrected, uncorrected=one.uncorrected)
            for one in system.dimms
            if one.gib
        ],
        crash_dumps=list(system.crash_dumps),
    )


def _split(cpus: int, system: System, usual: str, other: str, place: str) -> list[Shared]:
    slow = [number for number in system.slow_cpus if number < cpus]
    first = next(number for number in range(cpus) if number not in slow)
    found = [Shared(value=usual, cpus=cpus - len(slow), first=f"{place}{first}")]
    return found + ([Shared(value=other, cpus=len(slow), first=f"{place}{slow[0]}")] if slow else [])


def _numa(system: System) -> dict[str, int]:
    total = sum(one.gib for one in system.dimms) - system.memory_lost_gib
    each = int(total * SPARE_SHARE * GIB / system.sockets) // 1024 * 1024
    return {f"node{number}": 0 if number == system.empty_numa_node else each for number in range(system.sockets)}
