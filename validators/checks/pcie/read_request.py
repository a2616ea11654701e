"""Network adapters use large read requests."""

from rackwright import compare
from rackwright.compare import bus
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Compare the size of read requests with the size for full rate (pass) and with the least acceptable size (degraded)."""
    full = compare.limit(expectation, "pcie.read_request_bytes", outcome="pass")
    least = compare.limit(expectation, "pcie.read_request_bytes", outcome="degraded")
    if full is None or least is None:
        return compare.no_limit(expectation, "pcie.read_request_bytes")
    readings: dict[str, int | None] = {}
    for name in bus.adapter_ports(expectation):
        row = compare.limit(expectation, "pcie.adapter_ids", adapter=name)
        if row is None:
            return compare.no_limit(expectation, f"pcie.adapter_ids adapter {name}")
        readings |= {
            f"{name} {function.address}": function.read_request_bytes
            for function in record.adapters(compare.words(row))
        }
    sizes = [size for size in readings.values() if size is not None]
    return compare.every(
        expectation,
        readings,
        lambda size: size >= compare.number(full),
        what="read requests in bytes",
        expected=f"at least {full.value}",
        source=compare.limit_source(full),
        bad=Outcome.FAIL if sizes and min(sizes) < compare.number(least) else Outcome.DEGRADED,
    )


CHECK = Check(reads=Pci, judge=judge, applies=bus.adapters_on_bus)
