"""The node responds to Slurm and is in a usable state."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.scheduler import SchedulerNode
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: SchedulerNode) -> Finding:
    """Look for bad states; drained is accepted, because a node waits for its gate in that state."""
    row = compare.limit(expectation, "scheduler.bad_states")
    if row is None:
        return compare.no_limit(expectation, "scheduler.bad_states")
    bad = [state for state in record.states if state in compare.words(row)]
    silent = [] if record.answers else ["does not answer"]
    reason = f" ({record.reason})" if record.reason and (bad or silent) else ""
    return compare.every(
        expectation,
        {"state": ", ".join([*record.states, *silent]) + reason if record.states else None},
        lambda _: not bad and not silent,
        what="Slurm",
        expected=f"answering, and none of {', '.join(compare.words(row))}",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes of Slurm with accelerators."""
    return expectation.node.scheduler == "slurm" and compare.has_accelerators(expectation)


CHECK = Check(reads=SchedulerNode, judge=judge, applies=applies)
