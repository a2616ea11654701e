"""Every InfiniBand link of the node runs at the planned rate."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: NodeFabric) -> Finding:
    """Turn the printed speed (``4xNDR``: lanes, speed name) into a rate and compare it with the planned one."""
    links = compare.subnet_links(expectation)
    lane = compare.limit(expectation, "fabric.lane_gbps", speed="NDR")
    if lane is None:
        return compare.no_limit(expectation, "fabric.lane_gbps")
    return compare.every(
        expectation,
        {link.port: rate(expectation, link, seen) for link in links},
        lambda found: found.startswith("full"),
        what="link rate",
        expected="the planned rate",
        source=f"design; {compare.limit_source(lane)}",
    )


def rate(expectation: Expectation, link: Link, seen: NodeFabric) -> str | None:
    """How the rate of one link compares; None when the subnet does not show it or the speed has no known rate."""
    found = seen.links.get(link.port)
    lanes, _, speed = found.speed.partition("x") if found else ("", "", "")
    row = compare.limit(expectation, "fabric.lane_gbps", speed=speed)
    if row is None or not lanes.isdigit():
        return None
    gbps = int(lanes) * compare.number(row)
    return f"full ({gbps:g} Gb/s)" if gbps >= link.gbps else f"{gbps:g} of {link.gbps} Gb/s"


def applies(expectation: Expectation) -> bool:
    """Only planned InfiniBand cables appear in the subnet."""
    return bool(compare.subnet_links(expectation))


CHECK = Check(title="Fabric links run at the planned rate", reads=NodeFabric, judge=judge, applies=applies)
