"""A login session may use as large a stack as compiled codes need."""

from rackwright import compare
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.host import UserLimits


def soft_limit(limits: UserLimits) -> str:
    """The limit as the row of the limits writes it."""
    return "unlimited" if limits.stack_bytes is None else f"{limits.stack_bytes} bytes"


CHECK = threshold(
    reads=UserLimits,
    metric="host.stack",
    values=lambda limits: {"soft limit": soft_limit(limits)},
    good=one_of,
    what="stack",
    applies=compare.has_accelerators,
)
