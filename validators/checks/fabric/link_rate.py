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
    shown = [seen.links.get(link.port) for link in links]
    known = {one.speed: gbps(expectation, one.speed) for one in shown if one is not None}
    return compare.every(
        expectation,
        {link.port: rate(link, one and known[one.speed]) for link, one in zip(links, shown, strict=True)},
        lambda found: found.startswith("full"),
        what="link rate",
        expected="the planned rate",
        source=f"design; {compare.limit_source(lane)}",
    )


def gbps(expectation: Expectation, printed: str) -> float | None:
    """Gb/s of a printed speed; None when its rate is not known."""
    lanes, _, speed = printed.partition("x")
    row = compare.limit(expectation, "fabric.lane_gbps", speed=speed)
    return int(lanes) * compare.number(row) if row is not None and lanes.isdigit() else None


def rate(link: Link, found: float | None) -> str | None:
    """How the rate of one link compares; None when it is not known."""
    if found is None:
        return None
    return f"full ({found:g} Gb/s)" if found >= link.gbps else f"{found:g} of {link.gbps} Gb/s"


def applies(expectation: Expectation) -> bool:
    """Only planned InfiniBand cables appear in the subnet."""
    return bool(compare.subnet_links(expectation))


CHECK = Check(title="Fabric links run at the planned rate", reads=NodeFabric, judge=judge, applies=applies)
