"""Packages that must move together are held and fully installed."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare.threshold import threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.host import Package, Packages


def states(expectation: Expectation, record: Packages, held: list[str]) -> dict[str, str | None]:
    """State of every component of `held` that the site declares."""
    managed = expectation.node.server.fabric_manager
    declared = [component for component in held if getattr(expectation.software, component)]
    components = [component for component in declared if component != "fabric_manager" or managed]
    packages = {component: compare.installed_packages(expectation, record, component) for component in components}
    return {component: None if installed is None else state(installed) for component, installed in packages.items()}


def state(packages: Mapping[str, Package]) -> str:
    """State in words. One hold is enough: the packages of a component depend on each other's exact version."""
    broken = [f"{name} {package.status}" for name, package in packages.items() if package.status != "installed"]
    if broken or not packages:
        return ", ".join(broken) or "not installed"
    return "installed and held" if any(package.held for package in packages.values()) else "installed but not held"


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators' maker has known coupled packages."""
    return compare.has_accelerators(expectation) and compare.limit(expectation, "software.held") is not None


CHECK = threshold(
    reads=Packages,
    metric="software.held",
    readings=states,
    good=lambda text, _: text == "installed and held",
    what="package state",
    expected="installed and held",
    applies=applies,
)
