"""Every lane of every fibre link of the node gets and sends as much light as its module needs."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import LinkReading, Links, Range
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Links) -> Finding:
    """Received and sent power of each lane beside the alarm thresholds that the module holds; copper is left out."""
    fibre = {network.place(link) for link in network.fibre(expectation)}
    readings = network.by_link(expectation, seen, light)
    return compare.every(
        expectation,
        {place: value for place, value in readings.items() if place in fibre},
        lambda found: found == GOOD,
        what="optical power in port",
        expected="within the module's own alarm thresholds",
        source="the module's memory (CMIS 5.2, page 02h; SFF-8636, page 03h)",
    )


GOOD = "within thresholds"


def light(one: LinkReading) -> str | None:
    """The lanes outside their thresholds, or `GOOD`; None where the module states no power."""
    if one.module is None or one.module.receive_dbm is None or one.module.transmit_dbm is None:
        return None
    both = {"receives": one.module.receive_dbm, "sends": one.module.transmit_dbm}
    if any(not seen.values or seen.least is None or seen.most is None for seen in both.values()):
        return None
    return ", ".join(said for verb, seen in both.items() for said in outside(verb, seen)) or GOOD


def outside(verb: str, seen: Range) -> list[str]:
    """One sentence for each lane whose power is outside the thresholds."""
    least, most = seen.least or 0, seen.most or 0
    return [
        f"lane {lane} {verb} {value:g} dBm ({least:g} to {most:g})"
        for lane, value in enumerate(seen.values, start=1)
        if not least <= value <= most
    ]


CHECK = Check(title="Links have enough light", reads=Links, judge=judge, applies=network.carries_light)
