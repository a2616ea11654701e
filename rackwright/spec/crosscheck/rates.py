"""Arithmetic rates of accelerators: dense where dense is required, and not mistaken for sparse.

Sparse rates are about twice the dense ones and never replace them; a part that states only sparse rates cannot be compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.model.sku import Accelerator
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every accelerator of the pools, once."""
    declared = {str(part.get("sku")): f"catalog[{at}]" for at, part in enumerate(site.catalog)}
    checked = set()
    for at, pool in enumerate(site.pools):
        server = catalog.servers.get(pool.server)
        part = catalog.accelerators.get(server.accelerator) if server and server.accelerator else None
        if part and part.sku not in checked:
            checked.add(part.sku)
            yield from _rates(part, declared.get(part.sku, f"pools[{at}].server"))


def _rates(part: Accelerator, path: str) -> Iterator[Problem]:
    dense = {entry.precision: entry.tflops for entry in part.throughput if entry.sparsity == "dense"}
    sparse = {entry.precision: entry.tflops for entry in part.throughput if entry.sparsity == "sparse"}
    if part.bf16_dense_tflops is not None:
        dense["bf16"] = part.bf16_dense_tflops
    wrong = [entry for entry in sparse if dense.get(entry, 0.0) >= sparse[entry]]
    if wrong:
        word = wrong[0]
        message = f"the dense {word.upper()} rate of {part.sku} is its sparse one"
        actual = f"{dense[word]:g} TFLOPS dense, {sparse[word]:g} sparse"
        step = f"give the dense {word.upper()} rate, about half of the sparse one"
        yield problem(path, "sparse_as_dense", message, "dense below sparse", actual, step)
    elif sparse and not dense:
        listed = ", ".join(f"{rate:g} TFLOPS {word.upper()}" for word, rate in sparse.items())
        message = f"{part.sku} states sparse rates alone, where dense ones are needed"
        step = "add bf16_dense_tflops, or a throughput with sparsity: dense, from the maker's data sheet"
        yield problem(path, "sparse_only", message, "a dense rate", f"sparse alone: {listed}", step)
