"""The InfoROM of every accelerator is valid and has the same version."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """A wrong checksum decides first, then a version that differs from most accelerators of the node."""
    versions = [device.inforom for device in record.devices if device.inforom]
    most = max(sorted(set(versions)), key=versions.count) if versions else None

    def state(device: Device) -> str | None:
        """``corrupted`` or the version; None when the library reports neither."""
        if device.inforom_valid is False:
            return "corrupted"
        return None if device.inforom_valid is None else device.inforom or None

    return compare.every(
        expectation,
        compare.by_device(record, state),
        lambda text: text == most,
        what="InfoROM",
        expected=f"whole, {most or 'of one version'}",
        source="checksums of the InfoROM; the other accelerators of the node",
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("device_firmware"))
