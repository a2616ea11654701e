"""Every cable between two switches of the subnets matches the cable plan."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import network, subnets
from rackwright.compare.subnets import End, Trunk
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import Subnets
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Subnets) -> Finding:
    """Compare both ends of every planned cable with the subnets; a swapped pair is named once."""
    wrong: dict[str, None] = {}
    planned = []
    for subnet in record.subnets.values():
        switches = subnets.shown_ends(expectation, subnet)
        planned.append(subnets.planned_ends(expectation, switches))
        misplaced, far_ends = subnets.misplaced_ends(expectation, switches)
        wrong |= dict.fromkeys([*swapped(misplaced, far_ends), *single(misplaced, far_ends)])
    unread = [f"{port}: {why}" for port, why in record.unread.items()]
    cables = subnets.count_cables(expectation, planned)
    return compare.finding(
        expectation,
        Outcome.FAIL if wrong else Outcome.INCONCLUSIVE if unread or not cables else Outcome.PASS,
        what="cables between switches:",
        observed="; ".join([*wrong, *unread]) or f"both ends of all {cables} are in their planned ports",
        expected="the cable plan",
        source="design, cables between switches",
    )


def swapped(misplaced: Mapping[End, Trunk], far_ends: Mapping[End, End]) -> list[str]:
    """Pairs of cables that end in each other's ports, in words; `single` omits them."""
    texts: dict[str, str] = {}
    for end, trunk in sorted(misplaced.items()):
        far_end = far_ends.get(end)
        twin = misplaced.get(far_end) if far_end is not None else None
        if far_end is None or twin is None or trunk.cable >= twin.cable or far_ends.get(trunk.far) != twin.far:
            continue
        texts.setdefault(
            trunk.cable,
            f"cables {trunk.cable} and {twin.cable} are swapped: {at(end)} is connected to {at(far_end)}, "
            f"{at(twin.far)} to {at(trunk.far)}",
        )
    return list(texts.values())


def single(misplaced: Mapping[End, Trunk], far_ends: Mapping[End, End]) -> list[str]:
    """Cables that are missing, or in a wrong port without a swapped pair, in words; each is named once."""
    texts = {}
    for end, trunk in sorted(misplaced.items()):
        far_end = far_ends.get(end)
        twin = misplaced.get(far_end) if far_end is not None else None
        if far_end is None and far_ends.get(trunk.far) is None:
            texts[trunk.cable] = f"cable {trunk.cable} is missing ({at(end)} to {at(trunk.far)})"
        elif far_end is not None and (twin is None or far_ends.get(trunk.far) != twin.far):
            texts.setdefault(
                trunk.cable, f"cable {trunk.cable}: {at(end)} is connected to {at(far_end)}, not {at(trunk.far)}"
            )
    return list(texts.values())


def at(end: End) -> str:
    """A switch port in words."""
    return f"{end[0]} port {end[1]}"


CHECK = Check(
    reads=Subnets,
    judge=judge,
    applies=network.manages_subnets,
)
