"""Every RoCE port of the node notifies of and reacts to congestion on the lossless priority of the fabric."""

from rackwright import compare
from rackwright.compare import roce
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.roce import Roce, RocePort
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Roce) -> Finding:
    """Compare the priorities with both ends of congestion notification with the lossless ones."""
    row = compare.limit(expectation, "nic.lossless_priorities")
    if row is None:
        return compare.no_limit(expectation, "nic.lossless_priorities")
    required = set(compare.words(row))
    return compare.every(
        expectation,
        roce.by_port(expectation, record, both),
        lambda both_ends: all(required <= set(point.split()) for point in both_ends),
        what="priorities with notification, and with reaction, of port",
        expected=f"{', '.join(sorted(required))} in both",
        source=compare.limit_source(row),
    )


def both(port: RocePort) -> tuple[str, str] | None:
    """Priorities with notification and priorities with reaction; None where the driver does not report both."""
    if port.notifies is None or port.reacts is None:
        return None
    return " ".join(map(str, port.notifies)), " ".join(map(str, port.reacts))


CHECK = Check(reads=Roce, judge=judge, applies=roce.carries)
