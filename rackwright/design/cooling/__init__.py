"""Cooling: heat of every rack, coolant and air that carry it, the plant that moves them, and the effect of its losses.

`media`, `of_part` and `heat` are plain arithmetic on parts and need no table. `design_step.add_cooling` adds the plant to a finished `Design`,
`loss.simulate_loss` simulates the loss of one of its machines; both need Polars and are imported from their modules, so that a plan never
waits for it.
"""

from rackwright.design.cooling.flow import Media, cubic_feet_per_minute, liters_per_minute, media
from rackwright.design.cooling.split import Heat, heat, of_part

__all__ = ["Heat", "Media", "cubic_feet_per_minute", "heat", "liters_per_minute", "media", "of_part"]
