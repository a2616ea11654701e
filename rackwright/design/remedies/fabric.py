"""Remedies for the rules of fabrics: uplinks, spines, rates, switches, and what a fabric promises."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.catalog import Catalog, remedy_ranges
from rackwright.design.remedies.knob import ChangeTerms, FieldChange, Knob, values
from rackwright.design.topology import radix
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site


def more_uplinks(site: Site, _: Catalog) -> Iterator[Knob]:
    """More uplinks of each leaf that declares them, or fewer hosts below it."""
    for field, fabric in _fabrics(site):
        if fabric.leaf_up:
            yield values(
                f"{field}.leaf_up", range(fabric.leaf_up + 1, fabric.leaf_up * remedy_ranges.load().most_times)
            )
        if fabric.leaf_down:
            yield values(f"{field}.leaf_down", range(fabric.leaf_down - 1, 0, -1))


def more_spines(site: Site, _: Catalog) -> Iterator[Knob]:
    """More spines than the links need."""
    for field, fabric in _fabrics(site):
        least = fabric.least_spines
        yield values(f"{field}.spines", range(least + 1, least + 1 + remedy_ranges.load().more_spines))


def meant_ratio(site: Site, _: Catalog) -> Iterator[Knob]:
    """A declared oversubscription that matches the uplinks."""
    for field, fabric in _fabrics(site):
        options = [ratio for ratio in remedy_ranges.load().oversubscriptions if ratio > fabric.oversubscription]
        yield values(f"{field}.oversubscription", options, ChangeTerms.PROMISE)


def full_ratio(site: Site, _: Catalog) -> Iterator[Knob]:
    """Less oversubscription, where there is any."""
    for field, fabric in _fabrics(site):
        options = [
            ratio
            for ratio in reversed(remedy_ranges.load().oversubscriptions)
            if radix.ratio(ratio) < radix.ratio(fabric.oversubscription)
        ]
        yield values(f"{field}.oversubscription", options)


def split_links(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """Each rate that the switches of a fabric have ports of, for its links between switches."""
    for field, fabric in _fabrics(site):
        skus = [
            sku for sku in (fabric.switch, fabric.spine_switch, fabric.core_switch) if sku and sku in catalog.switches
        ]
        rates = {catalog.switches[sku].ports.gbps for sku in skus}
        for rate in sorted(rates - {fabric.link_gbps}, reverse=True):
            yield values(f"{field}.link_gbps", [rate])


def peer_switches(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """Each switch of the same protocol in the place of a fabric's."""
    for field, fabric in _fabrics(site):
        declared = catalog.switches.get(fabric.switch)
        for sku, part in catalog.switches.items() if declared else ():
            if declared and sku != fabric.switch and part.transport == declared.transport:
                yield values(f"{field}.switch", [sku])


def survive_less(site: Site, _: Catalog) -> Iterator[Knob]:
    """No promise about one kind of loss."""
    for field, fabric in _fabrics(site):
        for kind in type(fabric.survive).model_fields if fabric.survive else ():
            if getattr(fabric.survive, kind):
                yield values(f"{field}.survive.{kind}", [0], ChangeTerms.PROMISE)


def plain_planes(site: Site, _: Catalog) -> Iterator[Knob]:
    """One plane, where a fabric declares several."""
    for field, fabric in _fabrics(site):
        if fabric.planes > 1:
            yield values(f"{field}.planes", range(fabric.planes - 1, 0, -1))


def fewer_hosts(site: Site, _: Catalog) -> Iterator[Knob]:
    """Fewer hosts below a leaf, so that its ports are enough."""
    for field, fabric in _fabrics(site):
        if fabric.leaf_down:
            yield values(f"{field}.leaf_down", range(fabric.leaf_down - 1, 0, -1))


def fewer_reserved(site: Site, _: Catalog) -> Iterator[Knob]:
    """Fewer ports that are kept free."""
    for field, fabric in _fabrics(site):
        for name in type(fabric.reserved).model_fields:
            count = getattr(fabric.reserved, name)
            yield values(f"{field}.reserved.{name}", range(count - 1, -1, -1), ChangeTerms.PROMISE)


def ports_face(site: Site, _: Catalog) -> Iterator[Knob]:
    """Switches that are mounted the other way round."""
    for field, fabric in _fabrics(site):
        for side in ("front", "rear"):
            if side != fabric.ports_face:
                yield Knob(((FieldChange(f"{field}.ports_face", side),),))


def _fabrics(site: Site) -> Iterator[tuple[str, Fabric]]:
    for at, fabric in enumerate(site.fabrics):
        yield f"fabrics[{at}]", fabric


BY_RULE = {
    "uplink_balance": (more_uplinks, more_spines, meant_ratio),
    "failure_domain": (more_spines, survive_less),
    "control_spread": (survive_less,),
    "port_budget": (fewer_hosts, plain_planes, fewer_reserved),
    "breakout": (split_links,),
    "adapter_capability": (plain_planes,),
    "transceiver_power": (split_links, peer_switches),
    "plug_fit": (peer_switches,),
    "airflow_direction": (ports_face,),
    "storage_path": (full_ratio, more_spines),
}
