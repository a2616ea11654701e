"""No module in an RDMA port of the node is hotter or colder than its own alarm thresholds."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Links) -> Finding:
    """Each reading beside the thresholds that the module holds; copper, which has no sensor, is left out."""
    return compare.every(
        expectation,
        network.by_link(expectation, seen, temperature, network.fibre),
        lambda found: found == GOOD,
        what="temperature of module in port",
        expected="within the module's own alarm thresholds",
        source="the module's memory (CMIS 5.2, page 02h; SFF-8636, page 03h)",
    )


GOOD = "within thresholds"


def temperature(one: LinkReading) -> str | None:
    """The reading with its thresholds; None where the module states none."""
    seen = one.module.temperature_celsius if one.module is not None else None
    if seen is None or seen.least is None or seen.most is None or not seen.values:
        return None
    least, most = seen.least, seen.most
    for value in seen.values:
        if not least <= value <= most:
            return f"{max(seen.values):g} °C of {least:g} to {most:g} °C"
    return GOOD


CHECK = Check(reads=Links, judge=judge, applies=network.carries_light)
