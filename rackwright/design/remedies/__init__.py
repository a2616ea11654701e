"""Changes of a site that may answer a failed design rule. They are proposals: what they do is known when the changed site was built and judged.

Pure. `knobs` lists them by rule; `expense` says what a design costs more than another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rackwright.catalog import Catalog
from rackwright.design.remedies import cabling, caps, fabric, floor, plant, power, storage
from rackwright.design.remedies.knob import ChangeTerms as ChangeTerms
from rackwright.design.remedies.knob import FieldChange as FieldChange
from rackwright.design.remedies.knob import Knob as Knob
from rackwright.model.site import Site

Makers = dict[str, tuple[Callable[[Site, Catalog], Iterator[Knob]], ...]]
BY_RULE: Makers = {
    **power.BY_RULE,
    **caps.BY_RULE,
    **plant.BY_RULE,
    **floor.BY_RULE,
    **cabling.BY_RULE,
    **fabric.BY_RULE,
    **storage.BY_RULE,
}
"""Rule name -> functions that list changes to answer it."""


def knobs(rule: str, site: Site, catalog: Catalog) -> list[Knob]:
    """Fields that may be changed in `site` to answer the rule `rule` (``feed_capacity``); empty if no change of figures helps."""
    return [knob for maker in BY_RULE.get(rule, ()) for knob in maker(site, catalog) if knob.steps]
