"""A small model that all accelerators of a node train together learns, and every loss is finite."""

from rackwright import compare
from rackwright.compare import loads, smoke
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.smoke import Training
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Training) -> Finding:
    """Divide the last loss by the first one; a loss that is not finite fails, with the accelerator that computed it."""
    first = record.blocks[0].first_loss if record.blocks else None
    last = record.blocks[-1].last_loss if record.blocks else None
    fell = compare.at_most(
        expectation,
        {"all accelerators": last / first if first and last is not None else None},
        "training.loss_share",
        what="share of the loss that was left",
    )
    lost = next((block.step for block in record.blocks if block.first_loss is None or block.last_loss is None), None)
    kinds = {smoke.name(rank): "numbers" if rank.finite else "no numbers" for rank in record.ranks}
    kinds |= {f"mean of all ranks by step {lost}": "no number"} if lost is not None else {}
    numbers = compare.every(
        expectation,
        kinds,
        lambda state: state == "numbers",
        what="losses",
        expected="numbers on every accelerator",
        source="the task is learnt by any machine that computes",
    )
    short = loads.untested_finding(expectation, len(record.ranks), "fine-tune")
    return loads.combine_findings([fell, numbers, *([short] if short else [])])


CHECK = Check(reads=Training, judge=judge, applies=smoke.runs_smoke_jobs)
