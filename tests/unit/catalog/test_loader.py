from __future__ import annotations

import time

import pytest
import yaml
from pydantic import ValidationError

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.catalog import loader


def test_every_file_is_a_part_of_its_folder():
    parts = catalog.load()
    tables = [parts.of_kind(kind) for kind in loader._FOLDERS]
    assert sum(map(len, tables)) == len(list(loader.FOLDER.glob("*/*.yaml")))
    assert parts.kind_of("qm9700") == "switch"
    assert parts.kind_of("qm97000") is None


def test_the_whole_catalog_is_read_in_a_quarter_of_a_second_of_processor_time():
    loader._built_in.cache_clear()
    begin = time.process_time()
    catalog.load()
    assert time.process_time() - begin < 0.25


def test_dgx_h100_is_the_published_machine():
    server = catalog.load().servers["dgx-h100"]
    assert (server.rack_units, server.weight_kg, server.peak_watts, server.airflow_cfm) == (8, 130.45, 10200, 1105)
    assert (server.psus.count, server.psus.watts_each, server.psus.needed) == (6, 3300, 4)
    assert server.psus.needed * server.psus.watts_each >= server.peak_watts > 3 * server.psus.watts_each


@pytest.mark.parametrize("sku", sorted(catalog.load().servers))
def test_ports_have_as_many_names_as_they_count(sku):
    parts = catalog.load()
    server = parts.servers[sku]
    names = [name for group in server.ports for name in group.names]
    assert [len(group.names) for group in server.ports] == [group.count for group in server.ports]
    assert len(set(names)) == len(names)
    assert server.accelerator is None or server.accelerator in parts.accelerators


@pytest.mark.parametrize("sku", sorted(catalog.load().cables))
def test_no_standard_length_is_beyond_the_reach(sku):
    cable = catalog.load().cables[sku]
    assert max(cable.lengths_meters) <= cable.max_meters


def test_a_site_adds_and_replaces_parts():
    part = yaml_text.load((loader.FOLDER / "switches" / "qm9700.yaml").read_text())
    parts = catalog.load([part | {"sku": "qm9790"}, part | {"peak_watts": 9}])
    assert parts.switches["qm9790"].peak_watts == 1720
    assert parts.switches["qm9700"].peak_watts == 9
    assert catalog.load().switches["qm9700"].peak_watts == 1720


def test_a_broken_part_is_named(monkeypatch, tmp_path):
    folder = tmp_path / "switches"
    folder.mkdir()
    (folder / "x1.yaml").write_text("{kind: switch, sku: x1}")
    part = yaml_text.load((loader.FOLDER / "switches" / "qm9700.yaml").read_text())
    (folder / "x2.yaml").write_text(yaml.safe_dump(part))
    monkeypatch.setattr(loader, "FOLDER", tmp_path)
    loader._built_in.cache_clear()
    with pytest.raises(ProblemsError) as raised:
        loader._built_in()
    loader._built_in.cache_clear()
    assert [problem.code for problem in raised.value.problems] == ["catalog.broken_part", "catalog.misnamed_part"]


def test_an_unknown_field_of_a_part_is_refused():
    with pytest.raises(ValidationError):
        catalog.validate_part({"kind": "rack", "sku": "r", "color": "red"})
