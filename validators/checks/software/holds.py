"""Packages that must move together are held and fully installed."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Package, Packages
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Packages) -> Finding:
    """Compare hold and dpkg status of every component that the limits name."""
    row = compare.limit(expectation, "software.held")
    if row is None:
        return compare.no_limit(expectation, "software.held")
    managed = expectation.node.server.fabric_manager
    declared = [component for component in compare.words(row) if getattr(expectation.software, component)]
    components = [component for component in declared if component != "fabric_manager" or managed]
    packages = {component: compare.installed(expectation, record, component) for component in components}
    return compare.every(
        expectation,
        {component: None if packages_of is None else state(packages_of) for component, packages_of in packages.items()},
        lambda text: text == "installed and held",
        what="package state",
        expected="installed and held",
        source=compare.limit_source(row),
    )


def state(packages: Mapping[str, Package]) -> str:
    """State in words. One hold is enough: the packages of a component depend on each other's exact version."""
    broken = [f"{name} {package.status}" for name, package in packages.items() if package.status != "installed"]
    if broken or not packages:
        return ", ".join(broken) or "not installed"
    return "installed and held" if any(package.held for package in packages.values()) else "installed but not held"


def applies(expectation: Expectation) -> bool:
    """Only makers whose coupled packages are known."""
    return compare.has_accelerators(expectation) and compare.limit(expectation, "software.held") is not None


CHECK = Check(reads=Packages, judge=judge, applies=applies)
