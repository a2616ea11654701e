"""Collectives of the AMD accelerators of one node: four programs of rccl-tests, with RCCL's debug lines between.

The driver calls each with ``-b 16M -e 8G -f 8`` on every accelerator that it finds, so that a node with seven of eight shows seven ranks.
"""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import nccl
from rackwright.model.evidence.collective import NodeCollectives


def parse(output: str) -> NodeCollectives:
    """Every run."""
    return NodeCollectives(results=nccl.runs(output, "rccl"))


COLLECTOR = Collector(
    produces=NodeCollectives,
    parse=parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "rccl"),
    vendors=("amd",),
    load=True,
    place=6,
)
