"""What `lscpu` counts on a node of the twin."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.design import Design
from rackwright.model.evidence.cpu import Cpu
from rackwright.twin.hardware.state import State

ANSWERED = True
KHZ_PER_MHZ = 1000
MODEL = "Intel(R) Xeon(R) Platinum 8480C"


def observe(state: State, design: Design, node: str) -> Cpu:
    """Sockets, cores and threads as fitted; CPUs that are off are known and do not run."""
    del design
    system = state.machines[node].system
    cpus = system.sockets * system.cores_per_socket * system.threads_per_core
    off = [number for number in system.offline_cpus if number < cpus]
    return Cpu(
        model=MODEL,
        sockets=system.sockets,
        cores_per_socket=system.cores_per_socket,
        threads_per_core=system.threads_per_core,
        cpus=cpus,
        online=ranges([number for number in range(cpus) if number not in off]),
        offline=ranges(off),
        numa_nodes=system.sockets,
        max_mhz=system.highest_khz / KHZ_PER_MHZ,
    )


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as the kernel lists them: ``0-3,8``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
