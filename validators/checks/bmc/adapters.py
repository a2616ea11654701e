"""The host and its BMC report the same serial number and the same GUIDs of an adapter, if both report them."""

from collections.abc import Iterator

from rackwright import compare
from rackwright.compare import network, witnesses
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.adapter_witnesses import AdapterWitnesses, BmcCard, HostCard
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: AdapterWitnesses) -> Finding:
    """Compare every adapter that can be matched; `bmc.nics` and `nic.count` judge adapters that only one side lists."""
    pairs = witnesses.matches(record)
    wrong = [words for pair in pairs for words in contradictions(pair)]
    compared = [
        pair for pair in pairs if (pair.host.number and pair.bmc.number) or (guids(pair.host) and pair.bmc.guids)
    ]
    outcome = Outcome.PASS if record.host else Outcome.INCONCLUSIVE
    return compare.finding(
        expectation,
        Outcome.FAIL if wrong else outcome,
        what="adapters by host and BMC:",
        observed="; ".join(wrong)
        or f"no contradiction on the {len(compared)} of {len(record.host)} adapters that both identify",
        expected="the same of both",
        source="one adapter has one serial number and one set of GUIDs",
    )


def contradictions(pair: witnesses.AdapterMatch) -> Iterator[str]:
    """A sentence for each value that both report differently, with both places."""
    host, bmc = pair.host, pair.bmc
    if host.number and bmc.number and host.number != bmc.number:
        yield f"{host_place(host)} has serial number {host.number}, the BMC says {bmc.number} of {bmc_place(bmc)} (matched by {pair.by})"
    ours, theirs = guids(host), set(bmc.guids)
    if ours and theirs and not (ours <= theirs or theirs <= ours):
        mine, its = ", ".join(sorted(ours - theirs)), ", ".join(sorted(theirs - ours))
        yield f"{host_place(host)} has GUID {mine}, the BMC says {its} of {bmc_place(bmc)} (matched by {pair.by})"


def guids(card: HostCard) -> set[str]:
    """GUIDs of the InfiniBand ports of a card."""
    return {guid for guid in card.ports.values() if guid}


def host_place(card: HostCard) -> str:
    """The adapter as the operating system names it."""
    slot = f", slot {card.slot}" if card.slot else ""
    return f"{' and '.join(card.ports)} at {card.address}{slot}"


def bmc_place(card: BmcCard) -> str:
    """The adapter as the BMC names it."""
    return f"adapter {' and '.join(card.names)}" + (f" in {card.slot}" if card.slot else "")


CHECK = Check(reads=AdapterWitnesses, judge=judge, applies=network.carries_rdma)
