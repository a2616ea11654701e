"""Every InfiniBand link of the node runs at the planned rate."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: NodeFabric) -> Finding:
    """Convert the printed speed (``4xNDR``: lanes, speed name) to a rate and compare it with the planned one."""
    links = compare.subnet_links(expectation)
    lane = compare.limit(expectation, "fabric.lane_gbps", speed="NDR")
    if lane is None:
        return compare.no_limit(expectation, "fabric.lane_gbps")
    pairs = [(link.gbps, record.links.get(link.port)) for link in links]
    kinds = [(planned, "" if link_read is None else link_read.speed) for planned, link_read in pairs]
    rates = {kind: rate(expectation, *kind) for kind in set(kinds)}
    return compare.every(
        expectation,
        compare.NamedReadings([rates[kind] for kind in kinds], lambda: [link.port for link in links]),
        lambda text: text.startswith("full"),
        what="link rate",
        expected="the planned rate",
        source=lambda: f"design; {compare.limit_source(lane)}",
    )


def rate(expectation: Expectation, planned: int, printed: str) -> str | None:
    """A printed speed compared with the planned Gb/s; None without a printed speed or a limit for it."""
    lanes, _, speed = printed.partition("x")
    row = compare.limit(expectation, "fabric.lane_gbps", speed=speed)
    if row is None or not lanes.isdigit():
        return None
    gbps = int(lanes) * compare.number(row)
    return f"full ({gbps:g} Gb/s)" if gbps >= planned else f"{gbps:g} of {planned} Gb/s"


def applies(expectation: Expectation) -> bool:
    """Only planned InfiniBand cables appear in the subnet."""
    return bool(compare.subnet_links(expectation))


CHECK = Check(reads=NodeFabric, judge=judge, applies=applies)
