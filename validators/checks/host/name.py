"""The host has the name that the design gives to the machine in this place."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Host
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Host) -> Finding:
    """Compare the host name, without its domain, with the node."""
    return compare.equal(
        expectation,
        record.hostname.split(".")[0] or None,
        expectation.node.name,
        what="host name",
        source="design, node name",
    )


CHECK = Check(reads=Host, judge=judge, applies=compare.is_onboarded)
