from __future__ import annotations

from typing import Any

import pytest
import yaml

from rackwright import catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck import rates


@pytest.fixture
def site(example_site) -> Site:
    return Site.model_validate(yaml.safe_load(example_site.read_text()))


def found(site: Site, **change: Any) -> list[str]:
    known = catalog.load()
    part = known.accelerators["h100-sxm"].model_copy(update=change)
    known.accelerators["h100-sxm"] = part
    return [one.code for one in rates.check(site, known)]


def sparse(tflops: float) -> list[Any]:
    part = catalog.load().accelerators["h100-sxm"].throughput[0]
    return [part.model_copy(update={"precision": "bf16", "sparsity": "sparse", "tflops": tflops})]


def test_the_catalog_states_dense_rates(site):
    known = catalog.load()
    for server in (one for one in known.servers.values() if one.accelerators):
        pool = site.pools[0].model_copy(update={"server": server.sku})
        assert list(rates.check(site.model_copy(update={"pools": [pool]}), known)) == []


def test_sparse_alone_is_a_problem(site):
    assert found(site, bf16_dense_tflops=None, throughput=sparse(1979.0)) == ["spec.sparse_only"]
    assert found(site, bf16_dense_tflops=989.0, throughput=sparse(1979.0)) == []
    assert found(site, bf16_dense_tflops=None, throughput=[]) == []


def test_a_sparse_rate_as_the_dense_one_is_a_problem(site):
    assert found(site, bf16_dense_tflops=1979.0, throughput=sparse(1979.0)) == ["spec.sparse_as_dense"]
    assert found(site, bf16_dense_tflops=2000.0, throughput=sparse(1979.0)) == ["spec.sparse_as_dense"]


def test_a_part_is_told_once(site):
    both = site.model_copy(update={"pools": [site.pools[0], site.pools[0]]})
    assert found(both, bf16_dense_tflops=None, throughput=sparse(1979.0)) == ["spec.sparse_only"]
