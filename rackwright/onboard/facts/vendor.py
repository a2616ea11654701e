"""Facts of accelerators that every vendor's role asks for: what the product is called, its links, the users of jobs."""

from __future__ import annotations

from rackwright.model.design import Node
from rackwright.onboard.facts.base import JOB_USER
from rackwright.onboard.facts.context import Context


def _product(context: Context, node: Node) -> str:  # noqa: ARG001 - the form of a fact
    """Name of the accelerator as the vendor's own tool shows it."""
    return node.accelerator.product_name if node.accelerator else ""


def _links(context: Context, node: Node) -> int:  # noqa: ARG001 - the form of a fact
    """Scale-up links of each accelerator; 0 where there are none."""
    return node.accelerator.scale_up_links if node.accelerator else 0


def _job_users(context: Context) -> list[str]:  # noqa: ARG001 - the form of a fact
    """Local accounts that jobs run under."""
    return [JOB_USER]


SITE_FACTS = {"job_users": _job_users}
FACTS = {"accelerator_product": _product, "scale_up_links": _links}
