"""What is asked of each node class of a site: its bill, as far as its platform can use it, and its hardware."""

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
        """Server and accelerator, for people."""
        server = self.server.sku if self.server else "unknown server"
        return f"{server}, {self.accelerator.sku}" if self.accelerator else f"{server}, no accelerator"


def node_classes(
    site: Site, accelerators: Mapping[str, Accelerator], servers: Mapping[str, Server]
) -> Iterator[NodeClass]:
    """Every pool of `site`, in its order; a part that the catalog lacks is None."""
    for pool in site.pools:
        server = servers.get(pool.server)
        accelerator = accelerators.get(server.accelerator) if server and server.accelerator else None
        own = site.software.pools.get(pool.name, Bill()).model_fields_set
        yield NodeClass(pool.name, _asked(site.software.bill(pool.name), own, accelerator, server), accelerator, server)


def _asked(bill: Bill, own: set[str], accelerator: Accelerator | None, server: Server | None) -> Bill:
    """`bill` without the versions said for the whole site that these nodes cannot use, and with its system."""
    drop = (foreign(accelerator) | _refused(bill, accelerator, server)) - own
    return bill.model_copy(update=dict.fromkeys(drop, "") | {"os": bill.system})


def foreign(accelerator: Accelerator | None) -> set[str]:
    """Fields of a bill that are of use to accelerators of other vendors alone."""
    vendor = accelerator.vendor if accelerator else ""
    return {field for one in facts.known().fields if vendor not in one.vendors for field in one.fields}


def _refused(bill: Bill, accelerator: Accelerator | None, server: Server | None) -> set[str]:
    """Fields that the platform must not have."""
    known = facts.of(bill, accelerator, server)
    rules = (one for table in rule.tables().values() for one in table.rules if one.test == "absent")
    return {one.subject for one in rules if any(facts.holds({**one.when, **row.when}, known) for row in one.rows)}
