"""The highest clock of every accelerator is that of the others, and applications get it."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """A lowered clock for applications, or a highest clock that the limits row or most accelerators of the node do not have."""
    row = expectation.limits.find("gpu.clock_sm_max", accelerator=compare.accelerator(expectation).sku)
    clocks = [device.clock_sm_max_mhz for device in record.devices if device.clock_sm_max_mhz is not None]
    most = max(sorted(set(clocks)), key=clocks.count) if clocks else 0
    required = compare.number(row) if row is not None else most

    def lowest(device: Device) -> int | None:
        """What an application gets at most; drivers that no longer know a clock for applications give the highest one."""
        if device.clock_sm_max_mhz is None:
            return None
        return min(device.clock_sm_max_mhz, device.clock_sm_application_mhz or device.clock_sm_max_mhz)

    return compare.every(
        expectation,
        compare.by_device(record, lowest),
        lambda megahertz: megahertz >= required,
        what="highest clock for applications in MHz",
        expected=f"{required:g}",
        source=compare.limit_source(row) if row is not None else "the other accelerators of the node",
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's library tells."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
