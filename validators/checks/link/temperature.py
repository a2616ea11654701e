"""No module in an RDMA port of the node is outside its own temperature thresholds."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Links) -> Finding:
    """Compare each reading with the module's own alarm thresholds; copper has no sensor and is omitted."""
    return compare.every(
        expectation,
        network.by_link(expectation, record, temperature, network.fibre_links),
        lambda state: state == GOOD,
        what="temperature of module in port",
        expected="within the module's own alarm thresholds",
        source="the module's memory (CMIS 5.2, page 02h; SFF-8636, page 03h)",
    )


GOOD = "within thresholds"


def temperature(link: LinkReading) -> str | None:
    """The reading with its thresholds; None if the module reports none."""
    celsius = link.module.temperature_celsius if link.module is not None else None
    if celsius is None or celsius.least is None or celsius.most is None or not celsius.values:
        return None
    least, most = celsius.least, celsius.most
    for value in celsius.values:
        if not least <= value <= most:
            return f"{max(celsius.values):g} °C of {least:g} to {most:g} °C"
    return GOOD


CHECK = Check(reads=Links, judge=judge, applies=network.carries_light)
