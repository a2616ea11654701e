"""Containers get every accelerator of the node, through a library of the declared driver."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.container import Container
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Container) -> Finding:
    """Compare version and accelerators of the container library with bill and design."""
    planned, driver = expectation.node.accelerators, expectation.software.driver
    count = len(set(record.uuids))
    good = count == planned and record.driver_version == driver
    return compare.finding(
        expectation,
        Outcome.PASS if good else Outcome.FAIL,
        what="container library sees",
        observed=lambda: f"{count} accelerators, driver {record.driver_version or 'unknown'}",
        expected=lambda: f"{planned} accelerators, driver {driver}",
        source="design, accelerators of the node; site software.driver",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose bill has NVIDIA's container toolkit."""
    return compare.has_accelerators(expectation) and bool(expectation.software.container_toolkit)


CHECK = Check(reads=Container, judge=judge, applies=applies)
