"""Adoption on one page: queries running nodes, groups their readings, sizes the rest, and drafts a site file that passes `check`.

hosts -> survey -> readings -> pools and bill -> sized site -> draft -> read back
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rackwright import adopt, catalog
from rackwright.adopt import DraftPool, Grouping, Knowledge, NodeDifference, PoolBill, SwitchPort
from rackwright.catalog import fabric_presets
from rackwright.collect.survey import SurveyTarget
from rackwright.flow import adopted_nodes
from rackwright.flow.adopted_site import AdoptedSite, AdoptRequest, draft_site_file
from rackwright.model.hostlist import natural_key

OnHost = Callable[[str, str], None]
"""Called with each completed host, and the reason why it did not answer; empty if it did."""


@dataclass(frozen=True)
class Adoption:
    """The draft, and all remarks for its owner."""

    grouping: Grouping
    bills: Mapping[str, PoolBill]
    """Bill by pool."""
    site: AdoptedSite | None
    """None if no node belongs to a pool."""
    neighbours: tuple[SwitchPort, ...]

    @property
    def differences(self) -> list[NodeDifference]:
        """Differences of the nodes of all pools, by host."""
        listed = [
            entry for pool in self.grouping.pools for entry in (*pool.differences, *self.bills[pool.name].differences)
        ]
        return sorted(listed, key=lambda entry: (natural_key(entry.host), entry.what))

    @property
    def complete(self) -> bool:
        """Whether every host answered, is in a pool and equals its peers, and `check` accepts the draft."""
        apart = self.grouping.silent or self.grouping.left_out or self.differences
        return self.site is not None and not apart and not self.site.problems


def adopt_hosts(
    targets: Sequence[SurveyTarget],
    addresses: Mapping[str, str],
    request: AdoptRequest,
    on_host: OnHost = lambda _host, _why: None,
) -> Adoption:
    """Query `targets` and draft their site; `addresses` are those that their names resolve to.

    Raises OutsideError if our own key or known_hosts file cannot be used, ProblemsError if no site can be sized for the
    nodes.
    """
    readings = adopted_nodes.read_nodes(
        targets, addresses, lambda host, answers: on_host(host, adopted_nodes.node_reading(host, "", answers).silent)
    )
    parts = catalog.load()
    knowledge = Knowledge(parts, adopted_nodes.pci_tables(), _rates(), request.date)
    grouping = adopt.group_nodes(readings, knowledge)
    names = adopted_nodes.package_names()
    bills = {pool.name: adopt.pool_bill(pool.readings, names, parts.vendors) for pool in grouping.pools}
    if not grouping.pools:
        return Adoption(grouping, {}, None, ())
    near = adopted_nodes.neighbours(grouping, {target.name: target for target in targets})
    site = draft_site_file(grouping.pools, bills, request)
    return Adoption(_grouping_without(grouping, site.left_out), bills, site, tuple(near))


def _rates() -> dict[str, set[int]]:
    """Role -> rates in Gb/s of the known networks for it."""
    rates: dict[str, set[int]] = {}
    for network in fabric_presets.load().networks:
        rates.setdefault(network.role, set()).add(network.gbps)
    return rates


def _grouping_without(grouping: Grouping, left_out: Mapping[str, str]) -> Grouping:
    """`grouping` without the pools for which no site was found; their hosts are listed with the reason."""
    pools = tuple(pool for pool in grouping.pools if pool.name not in left_out)
    hosts = {host: left_out[pool.name] for pool in grouping.pools if pool.name in left_out for host in _hosts(pool)}
    return Grouping(pools, grouping.silent, {**grouping.left_out, **hosts})


def _hosts(pool: DraftPool) -> list[str]:
    return [reading.host for reading in pool.readings]
