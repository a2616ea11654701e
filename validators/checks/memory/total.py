"""The operating system has all the memory that the server was bought with."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Host
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Host) -> Finding:
    """Compare the memory that the kernel manages with the server SKU, less what firmware and kernel keep."""
    row = compare.limit(expectation, "memory.total_share")
    if row is None:
        return compare.no_limit(expectation, "memory.total_share")
    server = expectation.node.server
    least = compare.number(row) * server.memory_gib
    found = seen.memory_bytes / compare.GIB
    return compare.every(
        expectation,
        {"kernel": f"{found:.0f} GiB"},
        lambda _: found >= least,
        what="memory:",
        expected=f"at least {least:.0f} of {server.memory_gib} GiB",
        source=f"{compare.sku_source(server, 'memory_gib')}; {compare.limit_source(row)}",
    )


CHECK = Check(title="Memory in use", reads=Host, judge=judge, applies=compare.is_onboarded)
