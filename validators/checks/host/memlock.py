"""A login session may lock as much memory as RDMA and NCCL need."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, threshold
from rackwright.model.evidence.host import Host


def soft_limit(host: Host) -> Quantity:
    """The limit in bytes with its text; the value None means unlimited."""
    size = host.memlock_limit_bytes
    return Quantity(size, "unlimited" if size is None else f"{size / compare.GIB:.3f} GiB")


CHECK = threshold(
    reads=Host,
    metric="host.memlock_gib",
    values=lambda host: {"soft limit": soft_limit(host)},
    good=lambda size, gibibytes: size is None or size >= gibibytes * compare.GIB,
    what="locked memory",
    expected="at least {bound:g} GiB",
    applies=compare.has_accelerators,
)
