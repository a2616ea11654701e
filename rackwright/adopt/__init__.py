"""Adoption: from readings of running nodes to the pools, the parts and the software bill of a site file; pure.

    reading.py       the readings of one node
    hardware.py      its readings as the hardware of a SKU: accelerators, processors, adapters
    matching.py      hardware -> server and accelerator of the catalog
    new_parts.py     the draft of a server or an accelerator that the catalog lacks
    pools.py         equal nodes -> pools, and their differences
    bill.py          installed versions -> software bill
    subnets.py       addresses of nodes -> in-band subnet
    neighbours.py    switch ports that LLDP or the subnet names

The assumptions of sizing for the rest, and the text of the file, are added by `rackwright.flow.adoption`.
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
