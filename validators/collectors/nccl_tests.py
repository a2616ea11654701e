"""Collectives of the GPUs of one node: four programs of nccl-tests, one after the other, with NCCL's debug lines between.

The driver calls each with ``-b 16M -e 8G -f 8`` on every GPU that it finds, so that a node with seven of eight shows seven ranks.
"""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import nccl
from rackwright.model.evidence.collective import NodeCollectives


def parse(output: str) -> NodeCollectives:
    """Every run."""
    return NodeCollectives(results=nccl.runs(output, "nccl"))


COLLECTOR = Collector(
    produces=NodeCollectives,
    parse=parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "nccl"),
    vendors=("nvidia",),
    load=True,
    place=6,
)
