"""What every published case is made of: a site file with the given inputs, read and expanded like any other."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright import design, spec
from rackwright.base import yaml_text
from rackwright.model.design import Design

FOLDER = Path(__file__).parent


def rows(name: str) -> list[Any]:
    """One parameter per row of a file, with what its document has in common."""
    result = []
    for document in yaml_text.load((FOLDER / f"{name}.yaml").read_text()):
        for row in document.pop("rows"):
            inputs = document | row
            result.append(pytest.param(inputs, id="-".join(str(value) for value in row.values())[:60]))
    return result


@pytest.fixture
def data(example_site: Path) -> dict[str, Any]:
    """The example without subnet managers and storage servers, in halls and on feeds that limit nothing."""
    built_design = copy.deepcopy(yaml_text.load(example_site.read_text()))
    built_design["facility"]["halls"][0].update(rows=400, racks_per_row=40)
    built_design["facility"]["power"]["feed_kw"] = 4_000_000
    for key in ("air", "liquid"):
        built_design["facility"].pop(key, None)
    built_design["control"].pop("ufm", None)
    for key in ("workloads", "economics", "operations", "deployment"):
        built_design.pop(key, None)
    built_design["fabrics"][2]["subnet"], built_design["fabrics"][3]["subnet"] = "10.64.0.0/12", "10.96.0.0/12"
    return built_design


@pytest.fixture
def expand(tmp_path: Path) -> Callable[[dict[str, Any]], Design]:
    """Writes the site file, reads it as `rackwright design` does, and expands it."""

    def write_and_expand(data: dict[str, Any]) -> Design:
        file = tmp_path / "site.yaml"
        file.write_text(yaml.safe_dump(data, sort_keys=False))
        loaded = spec.load(file)
        return design.expand(loaded.site, loaded.catalog)

    return write_and_expand
