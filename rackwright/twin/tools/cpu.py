"""What `lscpu` counts on a node of the twin."""

from __future__ import annotations

import json
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


def render(record: Cpu) -> bytes:
    """The JSON that the collector parses to `record`."""
    fields = {
        "Architecture:": "x86_64",
        "CPU(s):": str(record.cpus),
        "On-line CPU(s) list:": record.online,
        "Off-line CPU(s) list:": record.offline,
        "Model name:": record.model,
        "Thread(s) per core:": str(record.threads_per_core),
        "Core(s) per socket:": str(record.cores_per_socket),
        "Socket(s):": str(record.sockets),
        "CPU max MHz:": "" if record.max_mhz is None else f"{record.max_mhz:.4f}",
        "NUMA node(s):": "" if record.numa_nodes is None else str(record.numa_nodes),
    }
    rows = [{"field": name, "data": data} for name, data in fields.items() if data]
    return json.dumps({"lscpu": rows}, indent=3).encode()
