"""The machine has a serial number, and no other machine has the same."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.equal_nodes import once
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding, Outcome


def judge(seen: Sequence[tuple[Expectation, str]]) -> Mapping[str, Finding]:
    """Count how often each number occurs."""
    counted: dict[str, list[str]] = {}
    for expectation, serial in seen:
        counted.setdefault(serial, []).append(expectation.node.name)
    keys = [(bool(serial) and len(counted[serial]) == 1) or one.node.name for one, serial in seen]
    return once(seen, keys, lambda one, serial: finding(one, serial, counted[serial]))


def number(seen: Bmc) -> str:
    """The serial number as the BMC shows it."""
    return seen.serial


def finding(expectation: Expectation, serial: str, nodes: list[str]) -> Finding:
    """What is to be said of one node whose number `nodes` have."""
    others = [name for name in nodes if name != expectation.node.name]
    if not serial:
        outcome, observed = Outcome.INCONCLUSIVE, "no reading"
    else:
        outcome = Outcome.FAIL if others else Outcome.PASS
        observed = f"{serial}, which {', '.join(others)} has as well" if others else serial
    return compare.finding(
        expectation,
        outcome,
        what="serial number",
        observed=observed,
        expected="one that no other node has",
        source="DMTF DSP2046, ComputerSystem.SerialNumber",
    )


CHECK = FleetCheck(reads=Bmc, takes=number, judge=judge)
