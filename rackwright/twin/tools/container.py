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
    if "nvidia" not in machine.system.modules or any(
        "libnvidia-ml" in library for library in machine.system.empty_libraries
    ):
        raise Failed(1, NO_LIBRARY)
    uuids = [gpu.uuid for gpu in machine.gpus if gpu.present]
    return Container(driver_version=bill.driver, cuda_version=bill.cuda, uuids=uuids[: machine.system.container_sees])


def render(record: Container) -> bytes:
    """The report that the collector parses to `record`."""
    head = f"NVRM version:   {record.driver_version}\nCUDA version:   {record.cuda_version}\n"
    return (head + "".join(_device(number, uuid) for number, uuid in enumerate(record.uuids))).encode()


def _device(number: int, uuid: str) -> str:
    return (
        f"\nDevice Index:   {number}\nDevice Minor:   {number}\nModel:          NVIDIA H100 80GB HBM3\n"
        f"Brand:          Nvidia\nGPU UUID:       {uuid}\nBus Location:   00000000:{0x1B + number:02x}:00.0\n"
        "Architecture:   9.0\n"
    )
