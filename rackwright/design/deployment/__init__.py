"""How long the site takes to build, and how its capacity grows.

Counting the work, the calendar of
the crews and the study are one file each.
"""

from rackwright.design.deployment.study import add

__all__ = ["add"]
