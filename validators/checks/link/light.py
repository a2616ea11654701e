"""Every lane of every fibre link of the node gets and sends as much light as its module needs."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import LinkReading, Links, Range
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Links) -> Finding:
    """Received and sent power of each lane beside the alarm thresholds that the module holds; copper is left out."""
    return compare.every(
        expectation,
        network.by_link(expectation, record, light, network.fibre),
        lambda state: state == GOOD,
        what="optical power in port",
        expected="within the module's own alarm thresholds",
        source="the module's memory (CMIS 5.2, page 02h; SFF-8636, page 03h)",
    )


GOOD = "within thresholds"


def light(link: LinkReading) -> str | None:
    """The lanes outside their thresholds, or `GOOD`; None where the module states no power."""
    if link.module is None:
        return None
    received, sent = outside("receives", link.module.receive_dbm), outside("sends", link.module.transmit_dbm)
    return None if received is None or sent is None else ", ".join(received + sent) or GOOD


def outside(verb: str, power: Range | None) -> list[str] | None:
    """One sentence for each lane whose power is outside the thresholds; None where powers or thresholds are not told."""
    if power is None or not power.values or power.least is None or power.most is None:
        return None
    least, most = power.least, power.most
    return [
        f"lane {lane} {verb} {value:g} dBm ({least:g} to {most:g})"
        for lane, value in enumerate(power.values, start=1)
        if not least <= value <= most
    ]


CHECK = Check(reads=Links, judge=judge, applies=network.carries_light)
