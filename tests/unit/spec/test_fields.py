from __future__ import annotations

import pytest

from rackwright.model.control import ControlServers, Slurm
from rackwright.model.facility import Circuit, Hall
from rackwright.model.site import Site
from rackwright.spec.fields import field_at, model_at, nearest_word, parse_path, show_path


@pytest.mark.parametrize("path", [("pools", 0, "server"), ("site",), ("facility", "halls", 11, "rows"), ("feeds", 3)])
def test_paths_read_back(path):
    assert parse_path(show_path(path)) == path


def test_records_by_path():
    assert model_at(Site, ()) is Site
    assert model_at(Site, ("facility", "halls", 0)) is Hall
    assert model_at(Site, ("facility", "power", "circuit")) is Circuit
    assert model_at(Site, ("control", "slurm")) is Slurm
    assert model_at(Site, ("control", "slurm", "controllers")) is ControlServers
    assert model_at(Site, ("nothing", "here")) is None
    assert field_at(Site, ("pools", 0)) is None
    assert field_at(Site, ("pools", 0, "count")).is_required()


def test_nearest():
    assert nearest_word("dgx-h10", ["dgx-h100", "qm9700"]) == "dgx-h100"
    assert nearest_word("QM9700", ["dgx-h100", "qm9700"]) == "qm9700"
    assert nearest_word("something else", ["dgx-h100"]) is None
    assert nearest_word(31, ["31"]) == "31"
