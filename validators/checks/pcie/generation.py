"""Every accelerator's host link runs, or is proven able to run, at the generation of the part."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Judge the running generation; one that is low on an idle accelerator proves nothing.

    A link may drop its generation while the accelerator is idle, so a low reading is a fault only when slot and
    accelerator together cannot do better, or when the accelerator is at full speed (P0) and the link still is slow.
    """
    part = compare.accelerator(expectation)

    def generation(device: Device) -> int | None:
        """The proven generation: the running one, or the maximum if that is too low; otherwise None."""
        if device.pcie_generation is None or device.pcie_generation >= part.pcie_generation:
            return device.pcie_generation
        ceiling = device.pcie_generation_max
        if ceiling is not None and ceiling < part.pcie_generation:
            return ceiling
        return device.pcie_generation if device.performance_state == 0 else None

    return compare.every(
        expectation,
        compare.by_device(record, generation),
        lambda reading: reading >= part.pcie_generation,
        what="PCIe generation",
        expected=str(part.pcie_generation),
        source=compare.sku_source(part, "pcie_generation"),
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("pcie_link"))
