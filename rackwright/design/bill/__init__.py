"""The bill of materials: every part to buy, how many, what spares, and what it costs where a price is known.

Counting (equipment, links, plant), pricing and the table are one file each.
"""

from rackwright.design.bill.table import add, count

__all__ = ["add", "count"]
