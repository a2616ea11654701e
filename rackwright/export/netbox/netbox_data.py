"""NetBox's own words: choice values, slugs, and the limits of its names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text
from rackwright.export.plain import Names

_NOT_SLUG = re.compile(r"[^a-z0-9_]+")


@cache
def words() -> Mapping[str, Any]:
    """The table."""
    return dict(yaml_text.load((Path(__file__).parent / "netbox.yaml").read_text(encoding="utf-8")))


def status(of: str) -> str:
    """The status of a planned object: ``planned``, or ``reserved`` if NetBox has no such status for it."""
    return str(words()["status"][of])


def slug(text: str) -> str:
    """`text` as NetBox allows it in addresses: small letters, digits, hyphens, underscores."""
    return _NOT_SLUG.sub("-", text.lower()).strip("-")


def names() -> Names:
    """Allowed device and interface names: anything but line breaks, no longer than the database column."""
    return Names("NetBox", r"[^\r\n]+", words()["longest_name"], "one line")


def interface_type(transport: str, gbps: int, port_gbps: int, form: str) -> str:
    """NetBox's type of a port of `gbps`, on a part whose whole ports have `port_gbps`, in a cage of `form` (may be empty)."""
    table = words()
    if transport == "infiniband":
        return str(table["infiniband"].get(port_gbps, table["interface_otherwise"]))
    type_ = table["ethernet"].get(gbps) if transport in ("ethernet", "roce") else None
    if not type_:
        return str(table["interface_otherwise"])
    return str(type_.get(form, table["interface_otherwise"] if form else next(iter(type_.values()))))
