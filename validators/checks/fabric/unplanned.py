"""The subnets have no device and no cable that is not planned."""

from rackwright import compare
from rackwright.compare import network, subnets
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import Subnet, Subnets
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Subnets) -> Finding:
    """Every end at a switch must be a planned port with the planned machine or switch behind it."""
    strange = sorted({text for subnet in record.subnets.values() for text in strangers(expectation, subnet)})
    unread = [f"{port}: {why}" for port, why in record.unread.items()]
    count = sum(len(subnet.links) for subnet in record.subnets.values())
    return compare.finding(
        expectation,
        Outcome.FAIL if strange else Outcome.INCONCLUSIVE if unread or not count else Outcome.PASS,
        what="subnets:",
        observed="; ".join(strange + unread) or f"all {count} ends of links belong to the plan",
        expected="the devices and cables of the plan",
        source="design, cables of the InfiniBand fabrics",
    )


def strangers(expectation: Expectation, subnet: Subnet) -> list[str]:
    """A sentence for each unplanned switch and for each cable in a port that is planned to be free."""
    unknown, occupied = subnets.unplanned_switches(expectation, subnet)
    return [
        *(f"switch {name!r} ({guid}) is not of the plan" for name, guid in unknown),
        *(f"{far!r} is in {switch} port {port}, which is planned to be free" for far, switch, port in occupied),
    ]


CHECK = Check(reads=Subnets, judge=judge, applies=network.manages_subnets)
