"""The packages that must move together are held and wholly installed."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Package, Packages
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Packages) -> Finding:
    """Look at hold and dpkg status of every component that the limits name."""
    row = compare.limit(expectation, "software.held")
    if row is None:
        return compare.no_limit(expectation, "software.held")
    readings: dict[str, str | None] = {}
    for component in compare.words(row):
        if component == "fabric_manager" and not expectation.node.server.fabric_manager:
            continue
        packages = compare.installed(expectation, seen, component) or {}
        readings |= {f"{component} {name}": state(package) for name, package in packages.items()}
        if not packages:
            readings[component] = "not installed"
    return compare.every(
        expectation,
        readings,
        lambda found: found == "installed and held",
        what="package state",
        expected="installed and held",
        source=compare.limit_source(row),
    )


def state(package: Package) -> str:
    """Status and hold in words."""
    return f"{package.status} {'and' if package.held else 'but not'} held"


CHECK = Check(title="Coupled packages are held", reads=Packages, judge=judge, applies=compare.has_accelerators)
