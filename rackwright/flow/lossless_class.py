"""The class of RoCE of a site: what its adapters are judged by is what its switches are configured for."""

from __future__ import annotations

from rackwright import judge
from rackwright.model.design import Design


def of_site(design: Design) -> tuple[int, int] | None:
    """Code point (DSCP) and priority, as the limits have them; None where these name none, or more than one priority."""
    limits = judge.load_limits(roots=design.roots)
    dscp, priorities = limits.find("nic.roce_dscp"), limits.find("nic.lossless_priorities")
    if dscp is None or priorities is None or not isinstance(priorities.value, list) or len(priorities.value) != 1:
        return None
    return int(str(dscp.value)), int(str(priorities.value[0]))
