"""The requirements of each node class of a site: its bill, as far as its platform can use it, and its hardware."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rackwright.compat import facts, rule
from rackwright.model.site import Site
from rackwright.model.sku import Accelerator, Server
from rackwright.model.software import Bill


@dataclass(frozen=True)
class NodeClass:
    """The nodes of one pool."""

    pool: str
    bill: Bill
    accelerator: Accelerator | None
    server: Server | None

    @property
    def label(self) -> str:
        """Server and accelerator in words."""
        server = self.server.sku if self.server else "unknown server"
        return f"{server}, {self.accelerator.sku}" if self.accelerator else f"{server}, no accelerator"


def node_classes(
    site: Site, accelerators: Mapping[str, Accelerator], servers: Mapping[str, Server]
) -> Iterator[NodeClass]:
    """Every pool of `site`, in its order; a part that the catalog lacks is None."""
    for pool in site.pools:
        server = servers.get(pool.server)
        accelerator = accelerators.get(server.accelerator) if server and server.accelerator else None
        bill = usable_bill(site, pool.name, accelerator, server)
        yield NodeClass(pool.name, bill.model_copy(update={"os": bill.system}), accelerator, server)


def usable_bill(site: Site, pool: str, accelerator: Accelerator | None, server: Server | None) -> Bill:
    """The bill of `pool` without versions that its nodes cannot use: NVIDIA's driver of a site-wide bill is not
    required of an AMD node.
    """
    fields_of_pool = site.software.pools.get(pool, Bill()).model_fields_set
    return _requested_by(site.software.bill(pool), fields_of_pool, accelerator, server)


def _requested_by(bill: Bill, fields_of_pool: set[str], accelerator: Accelerator | None, server: Server | None) -> Bill:
    """`bill` without site-wide versions that these nodes cannot use."""
    drop = (foreign_fields(accelerator) | _refusals(bill, accelerator, server)) - fields_of_pool
    return bill.model_copy(update=dict.fromkeys(drop, ""))


def foreign_fields(accelerator: Accelerator | None) -> set[str]:
    """Fields of a bill that only accelerators of other vendors use."""
    vendor = accelerator.vendor if accelerator else ""
    return {field for field_ in facts.load_facts().fields if not field_.uses(vendor) for field in field_.fields}


def _refusals(bill: Bill, accelerator: Accelerator | None, server: Server | None) -> set[str]:
    """Fields that the platform must not have."""
    facts_of_bill = facts.derive_facts(bill, accelerator, server)
    rules = (row for table in rule.tables().values() for row in table.rules if row.test == "absent")
    return {
        table.subject
        for table in rules
        if any(facts.holds({**table.when, **row.when}, facts_of_bill) for row in table.rows)
    }
