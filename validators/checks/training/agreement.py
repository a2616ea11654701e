"""All accelerators of a node compute the same result from the same batch, and end a training with the same parameters."""

from rackwright import compare
from rackwright.compare import loads, smoke
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.smoke import Training
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Training) -> Finding:
    """Compare both digests of every accelerator with the most common ones."""
    digests = {
        f"{smoke.name(rank)} {when}": (rank.first_digest if when == "before" else rank.last_digest) or None
        for when in ("before", "after")
        for rank in record.ranks
    }
    finding = compare.every(
        expectation,
        smoke.agreement_states(digests),
        lambda state: state == "agrees",
        what="results of equal batches before the training, and parameters after it",
        expected="the same on every accelerator",
        source="equal parts, equal inputs, exchanged gradients",
    )
    short = loads.untested_finding(expectation, len(record.ranks), "fine-tune")
    return loads.combine_findings([finding, *([short] if short else [])])


CHECK = Check(
    reads=Training,
    judge=judge,
    applies=lambda expectation: smoke.runs_smoke_jobs(expectation) and expectation.node.accelerators > 1,
)
