"""Power: from the feeds of the site to every power supply, and what is left of it when something fails.

Wiring (`circuits`) is decided per different rack and has no Polars in it; tables, losses and what-if (`frames`, `step`,
`lose`) read the finished design. Parts of this package that placement needs come from here too: `shelves`.
"""

from rackwright.design.power.capacity import kilovolt_amperes, usable_watts
from rackwright.design.power.hookup import Hookup, circuits, pdus
from rackwright.design.power.lost import losses
from rackwright.design.power.shelves import shelves

__all__ = ["Hookup", "circuits", "kilovolt_amperes", "losses", "pdus", "shelves", "usable_watts"]
