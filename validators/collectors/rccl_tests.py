"""Collectives of the AMD accelerators of one node: four programs of rccl-tests, with RCCL's debug lines between.

The driver calls each with ``-b 16M -e 8G -f 8`` on every accelerator that it finds, so that a node with seven of eight shows seven ranks.
"""

from rackwright.collect.loadlogs import nccl

COLLECTOR = nccl.in_node("rccl", "amd")
