"""Every cable between two switches of the subnets is where the plan puts it."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import network, subnets
from rackwright.compare.subnets import End, Trunk
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import Subnets
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Subnets) -> Finding:
    """Both ends of every planned cable of the switches that a subnet shows; a swapped pair is named once."""
    wrong: dict[str, None] = {}
    planned = []
    for subnet in seen.subnets.values():
        shown = subnets.shown(expectation, subnet)
        planned.append(subnets.planned(expectation, shown))
        misplaced, found = subnets.misplaced(expectation, shown)
        wrong |= dict.fromkeys([*swapped(misplaced, found), *single(misplaced, found)])
    unread = [f"{port}: {why}" for port, why in seen.unread.items()]
    cables = subnets.cables(expectation, planned)
    return compare.finding(
        expectation,
        Outcome.FAIL if wrong else Outcome.INCONCLUSIVE if unread or not cables else Outcome.PASS,
        what="cables between switches:",
        observed="; ".join([*wrong, *unread]) or f"both ends of all {cables} are in their planned ports",
        expected="the cable plan",
        source="design, cables between switches",
    )


def swapped(misplaced: Mapping[End, Trunk], found: Mapping[End, End]) -> list[str]:
    """Pairs of cables that end in each other's ports; their ends are taken out of what is left for `single`."""
    said: dict[str, str] = {}
    for end, trunk in sorted(misplaced.items()):
        there = found.get(end)
        other = misplaced.get(there) if there is not None else None
        if there is None or other is None or trunk.cable >= other.cable or found.get(trunk.far) != other.far:
            continue
        said.setdefault(
            trunk.cable,
            f"cables {trunk.cable} and {other.cable} are swapped: {at(end)} is connected to {at(there)}, "
            f"{at(other.far)} to {at(trunk.far)}",
        )
    return list(said.values())


def single(misplaced: Mapping[End, Trunk], found: Mapping[End, End]) -> list[str]:
    """Cables that are missing, or in a port where no swapped pair explains them; each is said once."""
    said = {}
    for end, trunk in sorted(misplaced.items()):
        there = found.get(end)
        other = misplaced.get(there) if there is not None else None
        if there is None and found.get(trunk.far) is None:
            said[trunk.cable] = f"cable {trunk.cable} is missing ({at(end)} to {at(trunk.far)})"
        elif there is not None and (other is None or found.get(trunk.far) != other.far):
            said.setdefault(
                trunk.cable, f"cable {trunk.cable}: {at(end)} is connected to {at(there)}, not {at(trunk.far)}"
            )
    return list(said.values())


def at(end: End) -> str:
    """A switch port in words."""
    return f"{end[0]} port {end[1]}"


CHECK = Check(
    reads=Subnets,
    judge=judge,
    applies=network.manages_subnets,
)
