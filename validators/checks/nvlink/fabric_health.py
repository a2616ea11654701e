"""The NVLink fabric reports no lost bandwidth, route or configuration for any accelerator."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """The health mask of every accelerator in words; a driver without a mask makes the verdict inconclusive."""
    return compare.every(
        expectation,
        compare.by_device(
            record, lambda device: None if device.fabric_problems is None else tuple(device.fabric_problems)
        ),
        lambda problems: not problems,
        what="problems of the NVLink fabric:",
        expected="none",
        source="NVML API reference, nvmlGpuFabricInfoV, healthMask",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes with parts from Hopper on whose NVLinks end at managed NVSwitches."""
    part = expectation.node.accelerator
    return part is not None and part.nvlink_links > 0 and part.architecture != "ampere"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
