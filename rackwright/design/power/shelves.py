"""How many power shelves a rack with a busbar needs."""

from __future__ import annotations

import math

from rackwright.model.plant import PowerShelf
from rackwright.model.sku import Rack


def shelf_watts(shelf: PowerShelf) -> int:
    """What one shelf can give: rectifiers times their rating."""
    return shelf.psus * shelf.watts_each


def shelf_count(rack: Rack, shelf: PowerShelf, load_watts: float, capped_watts: float) -> int:
    """Number of shelves: N carry the draw after a loss, and N is divided by the share that must run; at least enough to carry the peak.

    ``ceil(ceil(load / (rectifiers * rating)) / needed_share)``: 76 kW need three shelves of 33 kW, so four where three of four must run; 132 kW need
    four, so eight at a share of one half. 0 for a rack without shelves or without load.
    """
    if rack.power_shelf is None or load_watts <= 0:
        return 0
    running = math.ceil(capped_watts / shelf_watts(shelf))
    return max(math.ceil(load_watts / shelf_watts(shelf)), math.ceil(round(running / shelf.needed_share, 9)))
