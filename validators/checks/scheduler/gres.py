"""Slurm can allocate as many accelerators as the node has."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.scheduler import SchedulerNode
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: SchedulerNode) -> Finding:
    """Add up the generic resources of kind gpu and compare the sum with the design."""
    planned = expectation.node.accelerators
    count_in_slurm = sum(count(entry) for entry in record.gres.split(","))
    return compare.finding(
        expectation,
        Outcome.PASS if count_in_slurm == planned else Outcome.FAIL,
        what="GRES in Slurm:",
        observed=f"{record.gres or 'none'} ({count_in_slurm} accelerators)",
        expected=f"{planned} accelerators",
        source="design, accelerators of the node",
    )


def count(entry: str) -> int:
    """Accelerators of one entry (``gpu:h100:8(S:0-1)``); a kind without a number is one."""
    kind, *words = entry.split("(")[0].split(":")
    if kind != "gpu":
        return 0
    return int(words[-1]) if words and words[-1].isdecimal() else 1


def applies(expectation: Expectation) -> bool:
    """Slurm nodes with accelerators."""
    return expectation.node.scheduler == "slurm" and compare.has_accelerators(expectation)


CHECK = Check(reads=SchedulerNode, judge=judge, applies=applies)
