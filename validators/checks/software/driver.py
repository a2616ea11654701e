"""The loaded accelerator driver is the declared version."""

from rackwright import compare, compat
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the loaded version, which the library reports, with the software bill.

    AMD and Hygon number releases and kernel modules apart: the module of the declared release is expected, and a release whose module is not known
    is inconclusive.
    """
    release, source = declared(expectation), f"site software.{field(expectation)}"
    vendor = compare.accelerator(expectation).vendor
    if not compat.numbered_apart(vendor):
        return compare.equal(expectation, record.driver_version or None, release, what="loaded driver", source=source)
    module = compat.kernel_module(vendor, release)
    if module is None:
        return compare.finding(
            expectation,
            Outcome.INCONCLUSIVE,
            what="loaded driver",
            observed=record.driver_version or "no reading",
            expected=f"the kernel module of release {release}, which rackwright/compat/data/modules.yaml lacks",
            source=source,
        )
    source = f"{source} {release}; {module.source} ({module.date})"
    return compare.equal(expectation, record.driver_version or None, module.module, what="loaded driver", source=source)


def field(expectation: Expectation) -> str:
    """Field of the bill that names the driver of the accelerator's maker."""
    return compat.reported_fields(compare.accelerator(expectation).vendor).driver


def declared(expectation: Expectation) -> str:
    """The driver of the bill; empty without one."""
    return str(getattr(expectation.software, field(expectation)))


def applies(expectation: Expectation) -> bool:
    """Nodes whose bill names a driver, and whose vendor's tool reports the loaded one."""
    return has_capability("driver_version")(expectation) and bool(declared(expectation))


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
