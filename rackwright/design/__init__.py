"""Everything that follows from a site: names, slots, ports, cables, lengths, addresses and circuits; pure.

`plan_site` computes it, `expand` puts it into the tables of a `Design`, `rules.run_rules` judges it. Sites that cannot be built raise
`ProblemsError` whose problems carry the field path of the site; the command adds the line.

`expand` and `rules` are imported on first use, because importing Polars takes longer than computing a plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rackwright.base.first_use import on_first_use
from rackwright.design.plan import DesignPlan, plan_site

if TYPE_CHECKING:
    from rackwright.design import rules
    from rackwright.design.assemble import expand, wire

__all__ = ["DesignPlan", "expand", "plan_site", "rules", "wire"]


__getattr__ = on_first_use(__name__, rules="", assemble="expand wire")
