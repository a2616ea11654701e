"""Every InfiniBand link of the node runs at the planned rate."""

from rackwright import compare
from rackwright.compare.threshold import threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.fabric import NodeFabric


def rates(expectation: Expectation, fabric: NodeFabric, _: float) -> compare.NamedReadings[str | None]:
    """The rate of every planned link, from its printed speed (``4xNDR``: lanes, speed name)."""
    links = compare.subnet_links(expectation)
    pairs = [(link.gbps, fabric.links.get(link.port)) for link in links]
    kinds = [(planned, "" if link_read is None else link_read.speed) for planned, link_read in pairs]
    by_kind = {kind: rate(expectation, *kind) for kind in set(kinds)}
    return compare.NamedReadings([by_kind[kind] for kind in kinds], lambda: [link.port for link in links])


def rate(expectation: Expectation, planned: int, printed: str) -> str | None:
    """A printed speed compared with the planned Gb/s; None without a printed speed or a limit for it."""
    lanes, _, speed = printed.partition("x")
    row = compare.limit(expectation, "fabric.lane_gbps", speed=speed)
    if row is None or not lanes.isdigit():
        return None
    gbps = int(lanes) * compare.number(row)
    return f"full ({gbps:g} Gb/s)" if gbps >= planned else f"{gbps:g} of {planned} Gb/s"


def applies(expectation: Expectation) -> bool:
    """Nodes with planned InfiniBand cables."""
    return bool(compare.subnet_links(expectation))


CHECK = threshold(
    reads=NodeFabric,
    metric="fabric.lane_gbps",
    speed="NDR",
    readings=rates,
    good=lambda text, _: text.startswith("full"),
    what="link rate",
    expected="the planned rate",
    source="design",
    applies=applies,
)
