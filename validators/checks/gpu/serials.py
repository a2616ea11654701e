"""Every accelerator reports a serial number that no other accelerator of the node reports; devices of one part report that of the part."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """A serial number that occurs twice is wrong on both; an empty one is a missing reading."""
    serials, devices = [device.serial for device in record.devices], compare.accelerator(expectation).devices
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: device.serial or None),
        lambda serial: serials.count(serial) <= devices,
        what="serial number",
        expected="one of its own for every accelerator" + (f" of {devices} devices" if devices > 1 else ""),
        source="history of repairs is kept by serial number",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators have a tool that reports serial numbers."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).serial_reading


CHECK = Check(
    reads=Accelerators,
    judge=judge,
    applies=applies,
)
