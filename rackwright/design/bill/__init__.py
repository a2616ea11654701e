"""The bill of materials: every part to buy, quantities, spares, and cost where a price is known.

Counting (equipment, links, plant), pricing and the table are one file each.
"""

from rackwright.design.bill.table import add, count

__all__ = ["add", "count"]
