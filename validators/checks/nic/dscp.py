"""RoCE packets of the node carry the code point of the lossless class, and its ports map it to the right priority."""

from rackwright import compare
from rackwright.compare import roce
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.roce import Roce, RocePort
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Roce) -> Finding:
    """Check the mapping of the code point on every port, and the traffic class that the driver writes, if any."""
    row, lossless = (compare.limit(expectation, name) for name in ("nic.roce_dscp", "nic.lossless_priorities"))
    if row is None or lossless is None:
        return compare.no_limit(expectation, "nic.roce_dscp or nic.lossless_priorities")
    code, priorities = int(compare.number(row)), compare.words(lossless)
    return compare.every(
        expectation,
        roce.by_port(expectation, record, lambda port: state_of(port, code)),
        lambda state: state in {f"DSCP {code} on priority {priority}" for priority in priorities},
        what="RoCE packets of port",
        expected=f"DSCP {code} on priority {', '.join(priorities)}, with ECN",
        source=f"{compare.limit_source(row)}; {compare.limit_source(lossless)}",
    )


def state_of(port: RocePort, code: int) -> str | None:
    """The priority of the packets; None without a mapping. If the driver sets no traffic class, programs choose it."""
    if port.priorities is None:
        return None
    written = port.traffic_class
    if written is not None and (roce.code_point(written) != code or not roce.can_be_marked(written)):
        return f"traffic class {written}"
    return f"DSCP {code} on priority {port.priorities[code]}" if code in port.priorities else f"DSCP {code} not mapped"


CHECK = Check(reads=Roce, judge=judge, applies=roce.carries)
