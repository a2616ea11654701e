"""Power: from the feeds of the site to every power supply, and what still runs after something fails.

Wiring (`wire_racks`) is decided once per kind of rack, without Polars. Tables, losses and what-if (`frames`, `study`, `loss`)
read the finished design. Placement uses `shelf_count` from here.
"""

from rackwright.design.power.capacity import kilovolt_amperes, usable_watts
from rackwright.design.power.feed_losses import feed_loss_sets
from rackwright.design.power.hookup import Hookup, list_managed, wire_racks
from rackwright.design.power.shelves import shelf_count

__all__ = ["Hookup", "feed_loss_sets", "kilovolt_amperes", "list_managed", "shelf_count", "usable_watts", "wire_racks"]
