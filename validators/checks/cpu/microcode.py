"""All CPUs of the node, and all nodes of its kind, run the same microcode."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.alike import compare_words
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, str | None]]) -> Mapping[str, Finding]:
    """Compare the microcode of every node with that of most nodes of the same server."""
    return compare_words(peers, metric="fleet.alike_nodes", what="microcode")


def version(record: Tuning) -> str | None:
    """The version that all CPUs have, or each version with its CPUs; None where the kernel reports none."""
    if len(record.microcode) == 1:
        return record.microcode[0].value
    return ", ".join(f"{group.value} on {group.cpus} CPUs from {group.first}" for group in record.microcode) or None


CHECK = FleetCheck(reads=Tuning, takes=version, judge=judge, applies=compare.has_accelerators)
