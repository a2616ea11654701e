"""Every InfiniBand port of the node is a member of the partitions that the site declares for it."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """The P_Key table of each port must hold the default partition, and the declared ones with full membership."""
    default, full = compare.limit(expectation, "fabric.default_key"), compare.limit(expectation, "fabric.full_key")
    if default is None or full is None:
        return compare.no_limit(expectation, "fabric.default_key and fabric.full_key")
    common, bit = int(compare.number(default)), int(compare.number(full))
    readings = {}
    for link in compare.subnet_links(expectation):
        device = network.rdma_device(record, link.port)
        readings[network.port_place(link)] = (
            None if device is None else missing(device.partition_keys, declared(expectation, link), common, bit)
        )
    return compare.every(
        expectation,
        readings,
        lambda state: state == GOOD,
        what="partitions of port",
        expected="the default partition and those of the site",
        source=f"site, partition_key; {compare.limit_source(default)}",
    )


GOOD = "member of all"


def declared(expectation: Expectation, link: Link) -> list[int]:
    """P_Keys of the node's pool on the fabric of `link`."""
    keys = expectation.wiring.partitions
    return [keys[link.fabric, pool] for pool in (expectation.node.pool, "") if (link.fabric, pool) in keys]


def missing(table: list[int], required: list[int], common: int, bit: int) -> str:
    """The partitions that are not in `table`, or `GOOD`. Membership of the default partition may be limited."""
    lacks = [] if {common, common | bit} & set(table) else [f"{common:#06x}"]
    lacks += [f"{key | bit:#06x}" for key in required if key | bit not in table]
    return f"not in {', '.join(lacks)}" if lacks else GOOD


def applies(expectation: Expectation) -> bool:
    """Accelerator nodes with planned InfiniBand cables: only InfiniBand has partitions."""
    return expectation.node.role == "accelerator" and bool(compare.subnet_links(expectation))


CHECK = Check(reads=Rdma, judge=judge, applies=applies)
