"""The GPU system processor (GSP) of every accelerator runs the firmware of the driver."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the firmware with the driver, which brings it along under its own version."""
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: device.gsp_firmware),
        lambda version: version == record.driver_version,
        what="GSP firmware",
        expected=record.driver_version,
        source="driver that runs on the node; NVIDIA open kernel modules, README: firmware and module are of one release",
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("device_firmware"))
