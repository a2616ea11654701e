"""How long the site takes to build, and how its capacity grows.

In: the finished tables and the phases of the site. Out: ``studies["deployment"]``. Counting the work, the calendar of
the crews and the study are one file each.
"""

from rackwright.design.deployment.study import add

__all__ = ["add"]
