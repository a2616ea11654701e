"""Every lane of every fibre link of the node receives and sends enough optical power."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import LinkReading, Links, Range
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Links) -> Finding:
    """Compare received and sent power of each lane with the module's own alarm thresholds; copper is omitted."""
    return compare.every(
        expectation,
        network.by_link(expectation, record, light, network.fibre_links),
        lambda state: state == GOOD,
        what="optical power in port",
        expected="within the module's own alarm thresholds",
        source="the module's memory (CMIS 5.2, page 02h; SFF-8636, page 03h)",
    )


GOOD = "within thresholds"


def light(link: LinkReading) -> str | None:
    """The lanes outside their thresholds in words, or `GOOD`; None if the module reports no power."""
    if link.module is None:
        return None
    received, sent = outside("receives", link.module.receive_dbm), outside("sends", link.module.transmit_dbm)
    return None if received is None or sent is None else ", ".join(received + sent) or GOOD


def outside(verb: str, power: Range | None) -> list[str] | None:
    """A sentence for each lane outside the thresholds; None without powers or thresholds."""
    if power is None or not power.values or power.least is None or power.most is None:
        return None
    least, most = power.least, power.most
    return [
        f"lane {lane} {verb} {value:g} dBm ({least:g} to {most:g})"
        for lane, value in enumerate(power.values, start=1)
        if not least <= value <= most
    ]


CHECK = Check(reads=Links, judge=judge, applies=network.carries_light)
