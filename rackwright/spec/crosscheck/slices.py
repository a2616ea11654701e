"""Slices of TPUs: an instance that makes slices, in a shape and a zone in which its cloud has them."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.peripheral import Instance
from rackwright.model.site import Site
from rackwright.spec.crosscheck import names, parts
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every set of slices."""
    yield from names.duplicates("slices", "name", [entry.name for entry in site.slices])
    with_slices = {sku: instance for sku, instance in catalog.instances.items() if instance.topologies}
    pools = {pool.name for pool in site.pools}
    for i, entry in enumerate(site.slices):
        path = f"slices[{i}]"
        if entry.name in pools:
            step = "rename the slices"
            yield problem(f"{path}.name", "reserved_name", "a pool has this name", "another name", entry.name, step)
        if instance := with_slices.get(entry.instance):
            yield from _shape(path, entry.topology, instance)
            yield from _zone(path, entry.zone, instance)
        elif entry.instance in catalog.instances:
            message = f"{entry.instance} makes no slices: its instances stand alone"
            step = "create it with the Pulumi provider of its cloud; slices are of TPUs"
            yield problem(
                f"{path}.instance", "no_slices", message, parts.listed(sorted(with_slices)), entry.instance, step
            )
        else:
            yield from parts.unknown(f"{path}.instance", entry.instance, "instance", with_slices, catalog)


def _shape(path: str, topology: str, instance: Instance) -> Iterator[Problem]:
    if topology not in instance.topologies:
        shapes = ", ".join(f"{shape} of {instance.instances_of(shape)}" for shape in instance.topologies)
        message = f"{instance.sku} makes no slices of this shape"
        step = "name one of them; what they have is chips along each axis, and a number of instances"
        yield problem(f"{path}.topology", "no_shape", message, f"one of {shapes} instances", topology, step)


def _zone(path: str, zone: str, instance: Instance) -> Iterator[Problem]:
    if zone not in instance.zones:
        message = f"{instance.sku} is not offered in this zone, as far as its cloud publishes"
        step = f"name one of them, or declare {instance.sku} with the zone under catalog in this file"
        yield problem(f"{path}.zone", "no_zone", message, f"one of {', '.join(instance.zones)}", zone, step)
