"""Network adapters ask for memory in large pieces."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Pci) -> Finding:
    """Compare the size of read requests with the size for full rate (pass) and with the least that is bearable (degraded)."""
    full = compare.limit(expectation, "pcie.read_request_bytes", outcome="pass")
    least = compare.limit(expectation, "pcie.read_request_bytes", outcome="degraded")
    if full is None or least is None:
        return compare.no_limit(expectation, "pcie.read_request_bytes")
    readings: dict[str, int | None] = {}
    for name in kinds(expectation):
        row = compare.limit(expectation, "pcie.adapter_ids", adapter=name)
        if row is None:
            return compare.no_limit(expectation, f"pcie.adapter_ids adapter {name}")
        readings |= {f"{name} {one.address}": one.read_request_bytes for one in seen.adapters(compare.words(row))}
    known = [size for size in readings.values() if size is not None]
    return compare.every(
        expectation,
        readings,
        lambda size: size >= compare.number(full),
        what="read requests in bytes",
        expected=f"at least {full.value}",
        source=compare.limit_source(full),
        bad=Outcome.FAIL if known and min(known) < compare.number(least) else Outcome.DEGRADED,
    )


def kinds(expectation: Expectation) -> dict[str, int]:
    """How many ports of each kind of adapter the server SKU has, those on the accelerators themselves left out."""
    found: dict[str, int] = {}
    for port in expectation.node.server.ports:
        row = compare.limit(expectation, "pcie.adapter_ids", adapter=port.adapter)
        if port.role != "bmc" and (row is None or compare.words(row) != [ON_ACCELERATOR]):
            found[port.adapter] = found.get(port.adapter, 0) + port.count
    return found


def applies(expectation: Expectation) -> bool:
    """Nodes with adapters of their own on the bus."""
    return compare.has_accelerators(expectation) and bool(kinds(expectation))


ON_ACCELERATOR = "accelerator"
"""Stands for adapters that are part of the accelerator and have no function of their own on the bus."""


CHECK = Check(title="Large read requests of adapters", reads=Pci, judge=judge, applies=applies)
