"""Every accelerator reports a serial number that no other accelerator of the node reports."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """A serial number that occurs twice is wrong on both; an empty one is a missing reading."""
    serials = [device.serial for device in record.devices]
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: device.serial or None),
        lambda serial: serials.count(serial) == 1,
        what="serial number",
        expected="one of its own for every accelerator",
        source="history of repairs is kept by serial number",
    )


def applies(expectation: Expectation) -> bool:
    """The public output of the tools of Moore Threads, Biren and Cambricon has no serial number."""
    silent = ("moore-threads", "biren", "cambricon")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor not in silent


CHECK = Check(
    reads=Accelerators,
    judge=judge,
    applies=applies,
)
