"""The clocks of no accelerator are lowered, neither the highest nor the application clock."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the highest usable clock with the limit, or else with the highest clock of most accelerators of the node."""
    row = expectation.limits.find("gpu.clock_sm_max", accelerator=compare.accelerator(expectation).sku)
    clocks = [device.clock_sm_max_mhz for device in record.devices if device.clock_sm_max_mhz is not None]
    most = max(sorted(set(clocks)), key=clocks.count) if clocks else 0
    required = compare.number(row) if row is not None else most

    def lowest(device: Device) -> int | None:
        """The highest clock for applications: the highest clock of the part, unless a lower one than its default was
        set.
        """
        requested, usual = device.clock_sm_application_mhz, device.clock_sm_default_mhz
        if device.clock_sm_max_mhz is None or requested is None or (usual is not None and requested >= usual):
            return device.clock_sm_max_mhz
        return min(device.clock_sm_max_mhz, requested)

    return compare.every(
        expectation,
        compare.by_device(record, lowest),
        lambda megahertz: megahertz >= required,
        what="highest clock for applications in MHz",
        expected=f"{required:g}",
        source=compare.limit_source(row) if row is not None else "the other accelerators of the node",
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("clocks"))
