"""What follows from a site: every name, slot, port, cable, length, address and circuit; pure.

`plan` works everything out, `expand` puts it into the tables of a `Design`, `rules.run` judges it. Infeasible sites raise
`ProblemsError` whose problems carry the field path of the site; the command adds the line.

`expand` and `rules` are imported on first use, because Polars takes longer to import than a plan takes to make.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rackwright.design.plan import DesignPlan, plan_site

if TYPE_CHECKING:
    from rackwright.design import rules
    from rackwright.design.assemble import expand

__all__ = ["DesignPlan", "expand", "plan_site", "rules"]


def __getattr__(name: str) -> Any:
    if name == "rules":
        return importlib.import_module("rackwright.design.rules")
    if name == "expand":
        return importlib.import_module("rackwright.design.assemble").expand
    raise AttributeError(name)
