"""Every rail sends from accelerator memory: the memory that the tool registered proves GPUDirect RDMA."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.rail import RailBandwidth
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: RailBandwidth) -> Finding:
    """Every planned rail must have sent from registered accelerator memory; a rail without a test makes the verdict inconclusive."""
    tests = [rail for rail in record.rails if rail.node == expectation.node.name]

    def proof(adapter: str) -> str | None:
        memories = [rail.gpudirect or "host memory" for rail in tests if rail.adapter == adapter]
        return None if not memories else next((memory for memory in memories if memory == "host memory"), memories[0])

    return compare.every(
        expectation,
        {adapter: proof(adapter) for adapter in loads.planned_rails(expectation)},
        lambda memory: memory in ("peermem", "dmabuf"),
        what="memory that a rail sends from",
        expected="accelerator memory (peermem or dmabuf)",
        source="output of ib_write_bw --use_cuda or --use_rocm",
    )


CHECK = Check(
    reads=RailBandwidth,
    judge=judge,
    applies=lambda expectation: loads.runs_between(expectation) and bool(loads.planned_rails(expectation)),
)
