"""Values of charts: those of a site's Kueue, in the release that they are written for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright.model.site import Site
from rackwright.platform import chart_values

SITE = Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml"


def of(kueue: dict[str, Any]) -> dict[str, Any]:
    data = yaml.safe_load(SITE.read_text())
    data["control"]["kubernetes"]["addons"] = {"kueue": kueue}
    return chart_values.of_site(Site.model_validate(data))


def test_kueue_counts_accelerators_alone():
    text = of({"version": "0.14.0"})["kueue"]["managerConfig"]["controllerManagerConfigYaml"]
    configuration = yaml.safe_load(text)
    assert {"cpu", "memory"} <= set(configuration["resources"]["excludeResourcePrefixes"])
    assert "batch/job" in configuration["integrations"]["frameworks"]


@pytest.mark.parametrize("kueue", [{"version": "0.15.0"}, {"version": "0.14.0", "enabled": False}])
def test_a_release_with_another_configuration_and_one_that_is_off_have_none(kueue):
    assert of(kueue) == {}
