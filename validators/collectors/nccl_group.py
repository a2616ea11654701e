"""Collectives over several nodes: ``all_reduce_perf`` and its sisters under ``srun``, one task per node with all its GPUs.

The words in braces are filled in by whoever starts it: ``{accelerators}`` per node, ``{collective}`` (``all_reduce``, ``alltoall`` ...).
Every node of the group gets the results that it took part in. The counters of every RDMA port of each node stand before and after.
"""

from rackwright.collect.loadlogs import nccl

COLLECTOR = nccl.across_nodes("nccl", "nvidia")
