"""A login session may open as many files as large jobs need."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, threshold
from rackwright.model.evidence.host import UserLimits


def soft_limit(limits: UserLimits) -> Quantity:
    """The limit with its text; the value None means unlimited."""
    return Quantity(limits.open_files, "unlimited" if limits.open_files is None else str(limits.open_files))


CHECK = threshold(
    reads=UserLimits,
    metric="host.open_files",
    values=lambda limits: {"soft limit": soft_limit(limits)},
    good=lambda files, least: files is None or files >= least,
    what="open files",
    expected="at least {bound:g}",
    applies=compare.has_accelerators,
)
