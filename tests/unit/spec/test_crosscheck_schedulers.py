"""Makers of accelerators that no scheduler could give away."""

from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import catalog, design, spec
from rackwright.flow import unanswerable
from rackwright.flow.schedulers import kubernetes_resource
from rackwright.spec.crosscheck import schedulers

ROOT = Path(__file__).resolve().parents[3]
KNOWN = catalog.load()


def made_by(vendor, parts=KNOWN):
    claimed = parts.accelerators["h100-sxm"].model_copy(update={"vendor": vendor})
    return replace(parts, accelerators={**parts.accelerators, "h100-sxm": claimed})


def test_an_unknown_maker_is_refused(example_site):
    [problem] = schedulers.check(spec.load(example_site).site, made_by("nobody"))
    assert (problem.path, problem.code, problem.found) == ("pools[0].server", "spec.unknown_vendor", "nobody")
    assert "catalog/vendors/nobody.yaml" in problem.next_step


def test_slurm_needs_a_device_file(example_site):
    silent = KNOWN.vendors["nvidia"].model_copy(update={"sku": "silent", "device_file": ""})
    parts = made_by("silent", replace(KNOWN, vendors={**KNOWN.vendors, "silent": silent}))
    [problem] = schedulers.check(spec.load(example_site).site, parts)
    assert (problem.path, problem.code) == ("pools[0].scheduler", "spec.no_gres")


def test_kubernetes_needs_a_device_plugin():
    loaded = spec.load(ROOT / "inventories" / "mi300x-pod" / "site.yaml")
    claimed = loaded.catalog.accelerators["mi300x"].model_copy(update={"vendor": "silent"})
    parts = replace(loaded.catalog, accelerators={**loaded.catalog.accelerators, "mi300x": claimed})
    problems = unanswerable.problems(design.expand(loaded.site, parts))
    assert [problem.path for problem in problems if problem.code == "gate.no_device_plugin"] == ["pools[0].scheduler"]


@pytest.mark.parametrize("vendor", sorted(KNOWN.vendors))
def test_every_shipped_maker_has_both(vendor, example_site):
    loaded = spec.load(example_site)
    assert KNOWN.vendors[vendor].device_file
    assert kubernetes_resource(design.expand(loaded.site, loaded.catalog), vendor)
