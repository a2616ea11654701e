"""The BMC counts as much memory as the server was bought with."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Compare the sum with the server SKU; a BMC that says nothing shows zero."""
    row = compare.limit(expectation, "bmc.memory_share")
    if row is None:
        return compare.no_limit(expectation, "bmc.memory_share")
    server = expectation.node.server
    least = compare.number(row) * server.memory_gib
    return compare.every(
        expectation,
        {"sum": f"{seen.memory_gib:g} GiB" if seen.memory_gib else None},
        lambda _: seen.memory_gib >= least,
        what="memory in the BMC's inventory:",
        expected=f"at least {least:g} of {server.memory_gib} GiB",
        source=f"{compare.sku_source(server, 'memory_gib')}; {compare.limit_source(row)}",
    )


CHECK = Check(reads=Bmc, judge=judge)
