"""Collectives over several AMD nodes: ``all_reduce_perf`` of rccl-tests and its sisters under ``srun``, one task per node with all its accelerators.

The words in braces are filled in by whoever starts it: ``{accelerators}`` per node, ``{collective}`` (``all_reduce``, ``alltoall`` ...).
Every node of the group gets the results that it took part in. The counters of every RDMA port of each node stand before and after.
"""

from rackwright.collect.loadlogs import nccl

COLLECTOR = nccl.across_nodes("rccl", "amd")
