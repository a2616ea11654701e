"""SKUs: known, of the right kind, and suitable for their use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog, plugs, unpublished
from rackwright.model.peripheral import Instance
from rackwright.model.site import Site
from rackwright.model.sku import Server
from rackwright.spec.crosscheck.problem import problem, with_article
from rackwright.spec.fields import nearest_word

MOST_NAMED = 12
"""SKUs that a message names before it points to the catalog."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every SKU that the site names."""
    for i, hall in enumerate(site.facility.halls):
        yield from unknown(f"facility.halls[{i}].rack", hall.rack, "rack", catalog.racks, catalog)
    for i, pool in enumerate(site.pools):
        yield from unknown(f"pools[{i}].server", pool.server, "server", catalog.servers, catalog)
        if pool.rack:
            yield from unknown(f"pools[{i}].rack", pool.rack, "rack", catalog.racks, catalog)
    for i, fabric in enumerate(site.fabrics):
        yield from unknown(f"fabrics[{i}].switch", fabric.switch, "switch", catalog.switches, catalog)
    for path, sku in control_servers(site):
        yield from unknown(path, sku, "server", catalog.servers, catalog)
    yield from _accelerators(site, catalog)
    yield from _forms(site, catalog)
    yield from _repeated_names(site)


def control_servers(site: Site) -> Iterator[tuple[str, str]]:
    """Field path and SKU of every set of control servers."""
    if site.control.slurm:
        yield "control.slurm.controllers.server", site.control.slurm.controllers.server
    if site.control.kubernetes and site.control.kubernetes.servers:
        yield "control.kubernetes.servers.server", site.control.kubernetes.servers.server
    if site.control.ufm:
        yield "control.ufm.servers.server", site.control.ufm.servers.server


def listed(names: Sequence[str]) -> str:
    """All of `names`, or of very many the first, and how many more there are."""
    more = len(names) - MOST_NAMED
    return (
        ", ".join(names) if more <= 0 else f"{', '.join(names[:MOST_NAMED])} or {more} more (`rackwright catalog list`)"
    )


def unknown(path: str, sku: str, kind: str, allowed: Iterable[str], catalog: Catalog) -> Iterator[Problem]:
    """A problem when `sku` is not one of the `allowed` parts of its kind."""
    if sku in allowed:
        return
    names = listed(sorted(allowed))
    guess = nearest_word(sku, allowed)
    actual_kind = catalog.kind_of(sku)
    step = f"did you mean {guess}?" if guess else "name one of them, or declare the part under catalog in this file"
    if actual_kind == "instance":
        yield _rented(path, catalog.instances[sku], kind, names)
    elif thing := None if actual_kind else unpublished.unpublished_thing(sku):
        yield problem(
            path, "unpublished", f"{sku} cannot be planned: {thing.why}", f"one of {names}", sku, thing.next_step
        )
    elif actual_kind:
        carriers = [
            part.sku
            for parts in (catalog.servers, catalog.instances)
            for part in parts.values()
            if part.accelerator == sku
        ]
        step = f"name what has it: {listed(carriers)}" if kind == "server" and carriers else step
        message = f"{sku} is not {with_article(kind)}"
        yield problem(path, "wrong_kind", message, f"one of {names}", with_article(actual_kind), step)
    else:
        yield problem(path, "unknown_sku", f"the catalog has no {kind} {sku}", f"one of {names}", sku, step)


def _rented(path: str, instance: Instance, kind: str, names: str) -> Problem:
    """Problem of a cloud instance where hardware is required."""
    if instance.topologies:
        return _rented_slices(path, instance, kind, names)
    message = (
        f"{instance.sku} is an instance of a cloud and no {kind}: it stands in no rack of the site, and has no BMC, cable or serial number that could be "
        "designed, brought up or judged"
    )
    step = (
        "create rented capacity with the Pulumi provider of its cloud, and name hardware of the site here; `rackwright catalog show` prints its "
        "accelerators and its network"
    )
    return problem(path, "rented", message, f"one of {names}", "an instance", step)


def _rented_slices(path: str, instance: Instance, kind: str, names: str) -> Problem:
    """Problem of an instance that makes slices where hardware is required: slices are declared separately."""
    shapes = ", ".join(f"{shape} of {instance.instances_of(shape)}" for shape in instance.topologies)
    message = f"{instance.sku} is an instance of a cloud and no {kind}, and no node of it could be accepted: {instance.not_judged}"
    step = (
        f"declare it under slices ({{name: tpu, instance: {instance.sku}, topology: {instance.topologies[0]}, count: 1, zone: "
        f"{instance.zones[0] if instance.zones else '...'}}}), to have it designed and exported; its slices are {shapes} instances"
    )
    return problem(path, "rented", message, f"one of {names}", "an instance", step)


def _forms(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Forms of cages and plugs in the site's own parts that no other part has: they would fit nothing."""
    if not site.catalog:
        return
    brought = [str(part.get("sku")) for part in site.catalog]
    kinds = (catalog.servers, catalog.switches, catalog.cables, catalog.optics, catalog.nics)
    by_sku = {part.sku: part for parts in kinds for part in parts.values()}
    allowed = plugs.forms(part for part in by_sku.values() if part.sku not in brought)
    for i, sku in enumerate(brought):
        for path, form in plugs.part_forms(by_sku[sku]) if sku in by_sku else ():
            if form and form not in allowed:
                guess = nearest_word(form, allowed)
                step = f"did you mean {guess}?" if guess else "name the cage or plug that this one is made for"
                message = f"no cage or plug has the form {form}"
                expected = f"one of {listed(sorted(allowed))}"
                yield problem(f"catalog[{i}].{path}", "unknown_form", message, expected, form, step)


def _accelerators(site: Site, catalog: Catalog) -> Iterator[Problem]:
    for i, pool in enumerate(site.pools):
        server = catalog.servers.get(pool.server)
        if server and server.accelerators and server.accelerator not in catalog.accelerators:
            names = listed(sorted(catalog.accelerators))
            message = f"the accelerator of {server.sku} is not in the catalog"
            step = "declare the accelerator under catalog in this file"
            yield problem(
                f"pools[{i}].server", "unknown_sku", message, f"one of {names}", str(server.accelerator), step
            )
        elif server and server.accelerators and catalog.accelerators[str(server.accelerator)].announced:
            yield _announced(f"pools[{i}].server", server)


def _announced(path: str, server: Server) -> Problem:
    """A server whose accelerator is announced: it can be designed, not accepted."""
    message = (
        f"{server.accelerator} is announced, and no driver for it is published: nodes of {server.sku} cannot be brought up, and nobody has published "
        "a limit to accept them by"
    )
    step = (
        "`rackwright design`, `draw`, `cables`, `export` and `compare` take the site as it is; to bring nodes up, name a server that can be bought. Once "
        f"a driver is published, its rows and those of its limits go into the site's folder, and acceptance.calibrations for {server.sku} (at least 4 "
        "nodes, 2 runs each) makes the limits that nobody publishes"
    )
    return problem(path, "announced", message, "a product with a driver", str(server.accelerator), step)


def _repeated_names(site: Site) -> Iterator[Problem]:
    first_index: dict[str, int] = {}
    for i, part in enumerate(site.catalog):
        sku = str(part.get("sku"))
        if sku in first_index:
            actual = f"catalog[{first_index[sku]}] declares it too"
            yield problem(
                f"catalog[{i}].sku", "duplicate_name", f"part {sku} stands twice", "every part once", actual, "keep one"
            )
        first_index.setdefault(sku, i)
