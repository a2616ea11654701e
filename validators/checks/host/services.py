"""Every service that the node's parts and scheduler need is enabled and running."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Services
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Services) -> Finding:
    """Collect the units that the limits require for each part, and compare their state."""
    parts = [
        f"system {expectation.software.system}",
        f"scheduler {expectation.node.scheduler}",
        f"role {expectation.node.role}",
    ]
    parts += ["accelerator"] if compare.has_accelerators(expectation) else []
    parts += ["fabric_manager"] if expectation.node.server.fabric_manager else []
    rows = [row for part in parts if (row := compare.limit(expectation, "host.services", part=part))]
    if not rows:
        return compare.no_limit(expectation, "host.services")
    readings = {unit: state(record, unit) for row in rows for unit in compare.words(row)}
    return compare.every(
        expectation,
        readings,
        lambda text: text == "active and enabled",
        what="services:",
        expected="active and enabled",
        source="; ".join(compare.limit_source(row) for row in rows),
    )


def state(record: Services, unit: str) -> str | None:
    """State of a unit in words; None if it was not read."""
    active, enabled = (states.get(unit, states.get(f"{unit}.service")) for states in (record.active, record.enabled))
    return None if active is None or enabled is None else f"{active} and {enabled}"


CHECK = Check(reads=Services, judge=judge, applies=compare.is_onboarded)
