"""The node responds to Slurm and is in a usable state."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.scheduler import SchedulerNode


def usable(node: SchedulerNode, bad_states: list[str]) -> Quantity | None:
    """Whether the node is usable, with its states; drained is accepted, because a node is drained until its gate opens."""
    good = node.answers and not any(state in bad_states for state in node.states)
    states = ", ".join([*node.states, *([] if node.answers else ["does not answer"])])
    reason = f" ({node.reason})" if node.reason and not good else ""
    return Quantity(good, states + reason) if node.states else None


def applies(expectation: Expectation) -> bool:
    """Slurm nodes with accelerators."""
    return expectation.node.scheduler == "slurm" and compare.has_accelerators(expectation)


CHECK = threshold(
    reads=SchedulerNode,
    metric="scheduler.bad_states",
    readings=lambda _, node, bad_states: {"state": usable(node, bad_states)},
    good=lambda good, _: good,
    what="Slurm",
    expected="answering, and none of {words}",
    applies=applies,
)
