"""Adoption: from what running nodes say to the pools, the parts and the software bill of a site file; pure.

   hostlist.py      Slurm host lists -> host names
   reading.py       what was read of one node
   hardware.py      its readings as the hardware of a SKU: accelerators, processors, adapters
   matching.py      hardware -> server and accelerator of the catalog
   new_parts.py     the draft of a server or an accelerator that the catalog lacks
   pools.py         equal nodes -> pools, and what differs
   bill.py          installed versions -> software bill
   subnets.py       addresses of nodes -> in-band subnet
   neighbours.py    switch ports that LLDP or the subnet names

What sizing assumes for the rest, and the text of the file, are put together by `rackwright.flow.adoption`.
"""

from rackwright.adopt.bill import PoolBill, pool_bill
from rackwright.adopt.hardware import Hardware, PciTables
from rackwright.adopt.majority import NodeDifference
from rackwright.adopt.neighbours import SwitchPort, lldp_neighbours, subnet_neighbours
from rackwright.adopt.pools import DraftPool, Grouping, Knowledge, group_nodes
from rackwright.adopt.reading import NodeReading
from rackwright.adopt.subnets import fitting_subnet

__all__ = [
    "DraftPool",
    "Grouping",
    "Hardware",
    "Knowledge",
    "NodeDifference",
    "NodeReading",
    "PciTables",
    "PoolBill",
    "SwitchPort",
    "fitting_subnet",
    "group_nodes",
    "lldp_neighbours",
    "pool_bill",
    "subnet_neighbours",
]
