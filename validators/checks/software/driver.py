"""The loaded accelerator driver is the declared version."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the loaded version, which the library reports, with the software bill."""
    return compare.equal(
        expectation,
        record.driver_version or None,
        declared(expectation),
        what="loaded driver",
        source=f"site software.{field(expectation)}",
    )


def field(expectation: Expectation) -> str:
    """Field of the bill that names the driver of the accelerator's maker."""
    return BY_VENDOR.get(compare.accelerator(expectation).vendor, "vendor_driver")


def declared(expectation: Expectation) -> str:
    """The driver of the bill; empty without one."""
    return str(getattr(expectation.software, field(expectation)))


def applies(expectation: Expectation) -> bool:
    """Only where the bill names a driver, and the vendor's tool the loaded one."""
    return has_capability("driver_version")(expectation) and bool(declared(expectation))


BY_VENDOR = {"nvidia": "driver", "amd": "amdgpu", "huawei": "ascend_driver"}


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
