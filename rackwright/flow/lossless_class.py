"""The lossless RoCE class of a site: its adapters are judged by it, and its switches are configured for it."""

from __future__ import annotations

from rackwright import judge
from rackwright.model.design import Design


def of_site(design: Design) -> tuple[int, int] | None:
    """Code point (DSCP) and priority, from the limits; None if these name none, or more than one priority."""
    limits = judge.load_limits(roots=design.roots)
    dscp, priorities = limits.find("nic.roce_dscp"), limits.find("nic.lossless_priorities")
    if dscp is None or priorities is None or not isinstance(priorities.value, list) or len(priorities.value) != 1:
        return None
    return int(str(dscp.value)), int(str(priorities.value[0]))
