"""What `nvidia-container-cli info` prints on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.container import Container
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Failed

ANSWERED = True
NO_LIBRARY = "nvidia-container-cli: initialization error: nvml error: library not found"


def observe(state: State, design: Design, node: str) -> Container:
    """The accelerators that NVML shows; nothing where the library of the driver is empty."""
    machine = state.machines[node]
    bill = design.site.software.bill(design.node(node).pool)
    if "nvidia" not in machine.system.modules or any("libnvidia-ml" in one for one in machine.system.empty_libraries):
        raise Failed(1, NO_LIBRARY)
    uuids = [gpu.uuid for gpu in machine.gpus if gpu.present]
    return Container(driver_version=bill.driver, cuda_version=bill.cuda, uuids=uuids[: machine.system.container_sees])
