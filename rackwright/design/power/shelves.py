"""How many power shelves a rack with a busbar needs.

In: rack, shelf and load. Out: a count. Cut out because placement needs it for rack units before anything is wired.
"""

from __future__ import annotations

import math

from rackwright.model.plant import PowerShelf
from rackwright.model.sku import Rack


def shelf_watts(shelf: PowerShelf) -> int:
    """What one shelf can give: rectifiers times their rating."""
    return shelf.psus * shelf.watts_each


def shelves(rack: Rack, shelf: PowerShelf, load_watts: float) -> int:
    """Shelves of a rack: the fewest of which the share that must run still carries the load.

    ``ceil(load / (rectifiers * rating * needed_share))``: 76 kW on shelves of 33 kW of which three of four must run are
    four shelves, 132 kW at a share of one half are eight. 0 for a rack without a busbar or without load.
    """
    if rack.power_shelf is None or load_watts <= 0:
        return 0
    exact = load_watts / (shelf_watts(shelf) * shelf.needed_share)
    return math.ceil(round(exact, 9))
