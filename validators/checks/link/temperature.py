"""No module in an RDMA port of the node is hotter or colder than its own alarm thresholds."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Links) -> Finding:
    """Each reading beside the thresholds that the module holds; copper, which has no sensor, is left out."""
    wanted = {network.place(link) for link in network.fibre(expectation)}
    readings = network.by_link(expectation, seen, temperature)
    return compare.every(
        expectation,
        {place: value for place, value in readings.items() if place in wanted},
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
    inside = all(seen.least <= value <= seen.most for value in seen.values)
    hottest = max(seen.values)
    return GOOD if inside else f"{hottest:g} °C of {seen.least:g} to {seen.most:g} °C"


CHECK = Check(title="Modules are within their temperature", reads=Links, judge=judge, applies=network.carries_light)
