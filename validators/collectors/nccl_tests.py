"""Collectives of the GPUs of one node: four programs of nccl-tests, one after the other, with NCCL's debug lines between.

The driver calls each with ``-b 16M -e 8G -f 8`` on every GPU that it finds, so that a node with seven of eight shows seven ranks.
"""

from rackwright.collect.loadlogs import nccl

COLLECTOR = nccl.in_node("nccl", "nvidia")
