"""The cable of the node's BMC is in the switch port that the cable plan gives it."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the LLDP neighbours of the BMC's own ports with the planned switch and port."""
    links = network.bmc_links(expectation)
    neighbours = [neighbour for neighbour in (record.own_ports or {}).values() if neighbour is not None]
    places = {expectation.wiring.announced_port(neighbour.system, neighbour.port) for neighbour in neighbours}
    wrong = [link for link in links if (link.remote_device.lower(), link.remote_port) not in places]
    if record.own_ports is None:
        outcome, observed = Outcome.NOT_RUN, "is not reported: this BMC does not list its own ports"
    elif not neighbours:
        outcome, observed = Outcome.INCONCLUSIVE, "is not known: the BMC hears nobody"
    elif wrong:
        outcome, observed = Outcome.FAIL, "; ".join(misplaced(expectation, place) for place in sorted(places))
    else:
        outcome, observed = Outcome.PASS, "is in its planned port"
    return compare.finding(
        expectation,
        outcome,
        what="cable of the BMC",
        observed=observed,
        expected=lambda: ", ".join(map(planned, links)),
        source=lambda: f"design, fabrics {', '.join(sorted({link.fabric for link in links}))}",
    )


def misplaced(expectation: Expectation, place: tuple[str, str]) -> str:
    """Where the cable is and whose place it took, in words."""
    owner, _ = expectation.wiring.plugs.get(place, ("no cable", ""))
    return f"is on {place[0]} port {place[1]}, where {owner} belongs"


def planned(link: Link) -> str:
    """The planned switch port in words."""
    return f"{link.remote_device} port {link.remote_port}"


def applies(expectation: Expectation) -> bool:
    """A node whose BMC has a planned cable."""
    return bool(network.bmc_links(expectation))


CHECK = Check(reads=BmcEvidence, judge=judge, applies=applies)
