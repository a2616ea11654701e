"""Fabric manager is installed in exactly the driver's version."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Packages
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Packages) -> Finding:
    """Compare the package with the installed driver package and with the bill; it refuses to start on a mismatch."""
    managers = compare.installed_packages(expectation, record, "fabric_manager")
    drivers = compare.installed_packages(expectation, record, "driver")
    if managers is None or drivers is None:
        return compare.no_limit(expectation, "software.package")
    driver_versions = {compare.upstream_version(package.version) for package in drivers.values()} | {
        expectation.software.driver
    }
    observed = {name: compare.upstream_version(package.version) for name, package in managers.items()}
    if not observed:
        outcome = Outcome.FAIL
    elif not drivers:
        outcome = Outcome.INCONCLUSIVE
    else:
        declared = {expectation.software.fabric_manager}
        outcome = Outcome.PASS if set(observed.values()) == driver_versions == declared else Outcome.FAIL
    installed = ", ".join(f"{name} {version}" for name, version in observed.items()) or "not installed"
    return compare.finding(
        expectation,
        outcome,
        what="fabric manager:",
        observed=f"{installed}; driver {', '.join(sorted(driver_versions)) if drivers else 'not among the packages read'}",
        expected=f"{expectation.software.fabric_manager}, equal to the driver",
        source="site software.fabric_manager and software.driver",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes that manage their NVSwitches themselves."""
    return expectation.node.server.fabric_manager


CHECK = Check(reads=Packages, judge=judge, applies=applies)
