"""What follows from a site: every name, slot, port, cable, length, address and circuit; pure.

`expand` makes the `Design`; `rules.run` judges it. Infeasible sites raise `ProblemsError` whose problems carry the field
path of the site; the command adds the line.
"""

from rackwright.design import rules
from rackwright.design.expand import expand

__all__ = ["expand", "rules"]
