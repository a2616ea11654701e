"""Collectives over several nodes: ``all_reduce_perf`` and its sisters under ``srun``, one task per node with all its GPUs.

The words in braces are filled in by whoever starts it: ``{accelerators}`` per node, ``{collective}`` (``all_reduce``, ``alltoall`` ...).
Every node of the group gets the results that it took part in. The counters of every RDMA port of each node stand before and after.
"""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import nccl, node_ports
from rackwright.model.evidence.collective import Collectives

SETTINGS = ("NCCL_DEBUG=INFO", "NCCL_DEBUG_SUBSYS=INIT,GRAPH,NET,P2P,NVLS,TUNING")
SIZES = ("-b", "1G", "-e", "8G", "-f", "8")


def parse(output: str) -> Collectives:
    """Every run."""
    return Collectives(results=nccl.runs(output, "nccl"))


COLLECTOR = Collector(
    produces=Collectives,
    parse=parse,
    seconds=600,
    roles=("accelerator",),
    command=("sh", "-c", node_ports.COUNTED, "env", *SETTINGS, "{collective}_perf", *SIZES, "-g", "{accelerators}"),
    scope="group",
    vendors=("nvidia",),
    load=True,
)
