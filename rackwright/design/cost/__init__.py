"""What the site costs: purchases, energy, operation, repair, total over its years and per accelerator-hour.

Arithmetic (`terms`), PUE, single figures and the study
are one file each.
"""

from rackwright.design.cost.study import add

__all__ = ["add"]
