"""The machine has a serial number that no other machine has."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(peers: Sequence[tuple[Expectation, str]]) -> Mapping[str, Finding]:
    """Count how often each number occurs."""
    counted: dict[str, list[str]] = {}
    for expectation, serial in peers:
        counted.setdefault(serial, []).append(expectation.node.name)
    return {expectation.node.name: finding(expectation, serial, counted[serial]) for expectation, serial in peers}


def number(record: BmcEvidence) -> str:
    """The serial number as the BMC reports it."""
    return record.serial


def finding(expectation: Expectation, serial: str, nodes: list[str]) -> Finding:
    """The finding of one of the `nodes` that have this serial number."""
    twins = [name for name in nodes if name != expectation.node.name]
    if not serial:
        outcome, observed = Outcome.INCONCLUSIVE, "no reading"
    else:
        outcome = Outcome.FAIL if twins else Outcome.PASS
        observed = f"{serial}, which {', '.join(twins)} has as well" if twins else serial
    return compare.finding(
        expectation,
        outcome,
        what="serial number",
        observed=observed,
        expected="one that no other node has",
        source="DMTF DSP2046, ComputerSystem.SerialNumber",
    )


CHECK = FleetCheck(reads=BmcEvidence, takes=number, judge=judge)
