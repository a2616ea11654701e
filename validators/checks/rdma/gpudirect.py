"""Adapters reach the memory of the node's GPUs without a copy through host memory."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding, Outcome

PEER_MEMORY = "nvidia_peermem"
RETIRED = "nv_peer_mem"


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """Accept DMA-BUF (open kernel modules on a kernel that exports it) or nvidia-peermem, but not its retired predecessor."""
    row = compare.limit(expectation, "rdma.dma_buf_kernel")
    if row is None:
        return compare.no_limit(expectation, "rdma.dma_buf_kernel")
    new = compare.version_numbers(record.kernel) >= compare.version_numbers(str(row.value))
    if RETIRED in record.modules:
        outcome, observed = Outcome.FAIL, f"the retired module {RETIRED} is loaded"
    elif PEER_MEMORY in record.modules:
        outcome, observed = Outcome.PASS, f"{PEER_MEMORY} is loaded"
    elif record.open_driver is None:
        outcome, observed = Outcome.INCONCLUSIVE, "no NVIDIA driver is loaded"
    elif record.open_driver and new:
        outcome, observed = Outcome.PASS, f"DMA-BUF: open kernel modules on kernel {record.kernel}"
    else:
        flavour = "open" if record.open_driver else "closed"
        outcome, observed = Outcome.FAIL, f"{flavour} kernel modules on kernel {record.kernel}, without {PEER_MEMORY}"
    return compare.finding(
        expectation,
        outcome,
        what="GPUDirect RDMA:",
        observed=observed,
        expected=f"{PEER_MEMORY}, or open kernel modules on kernel {row.value} or later",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators need a kernel module for access by adapters; drivers of other makers have other
    mechanisms.
    """
    part = expectation.node.accelerator
    return network.carries_rdma(expectation) and part is not None and "peer_memory" in part.capabilities


CHECK = Check(reads=Rdma, judge=judge, applies=applies)
