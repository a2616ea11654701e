from __future__ import annotations

from typing import Any

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.model.site import Site
from rackwright.spec.crosscheck import rates


@pytest.fixture
def site(example_site) -> Site:
    return Site.model_validate(yaml_text.load(example_site.read_text()))


def check_codes(site: Site, **change: Any) -> list[str]:
    loaded = catalog.load()
    part = loaded.accelerators["h100-sxm"].model_copy(update=change)
    loaded.accelerators["h100-sxm"] = part
    return [entry.code for entry in rates.check(site, loaded)]


def sparse(tflops: float) -> list[Any]:
    part = catalog.load().accelerators["h100-sxm"].throughput[0]
    return [part.model_copy(update={"precision": "bf16", "sparsity": "sparse", "tflops": tflops})]


def test_the_catalog_states_dense_rates(site):
    loaded = catalog.load()
    for server in (each_server for each_server in loaded.servers.values() if each_server.accelerators):
        pool = site.pools[0].model_copy(update={"server": server.sku})
        assert list(rates.check(site.model_copy(update={"pools": [pool]}), loaded)) == []


def test_sparse_alone_is_a_problem(site):
    assert check_codes(site, bf16_dense_tflops=None, throughput=sparse(1979.0)) == ["spec.sparse_only"]
    assert check_codes(site, bf16_dense_tflops=989.0, throughput=sparse(1979.0)) == []
    assert check_codes(site, bf16_dense_tflops=None, throughput=[]) == []


def test_a_sparse_rate_as_the_dense_one_is_a_problem(site):
    assert check_codes(site, bf16_dense_tflops=1979.0, throughput=sparse(1979.0)) == ["spec.sparse_as_dense"]
    assert check_codes(site, bf16_dense_tflops=2000.0, throughput=sparse(1979.0)) == ["spec.sparse_as_dense"]


def test_a_part_is_told_once(site):
    both = site.model_copy(update={"pools": [site.pools[0], site.pools[0]]})
    assert check_codes(both, bf16_dense_tflops=None, throughput=sparse(1979.0)) == ["spec.sparse_only"]
