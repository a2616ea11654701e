"""Environments: the differences are applied where they say, and what they break is reported at them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rackwright import spec
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.cli.main import main

TEXT = (Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml").read_text()


@pytest.fixture
def site(tmp_path):
    def write(*differences, name="stage"):
        entries = [{"field": field, "value": value, "because": "a reason"} for field, value in differences]
        file = tmp_path / "site.yaml"
        file.write_text(TEXT + yaml.safe_dump({"environments": [{"name": name, "differences": entries}]}))
        return file

    return write


def only_problem(file):
    with pytest.raises(ProblemsError) as error:
        spec.load(file)
    (problem,) = error.value.problems
    assert problem.expected
    assert problem.found
    assert problem.next_step
    return problem


NAME = ("site", "mixed-stage")


def test_the_file_of_an_environment(site, capsys, tmp_path):
    file = site(
        NAME,
        ("policies.rules[0].ceiling", 16),
        ("software.pools.serve.kubernetes", "1.33.2"),
        ("tenants[1].quota[0].accelerators", 0),
    )
    assert main(["environment", str(file), "stage"]) == 0
    printed = capsys.readouterr().out
    assert "# policies.rules[0].ceiling: a reason" in printed
    data = yaml_text.load(printed)
    before = yaml_text.load(TEXT)
    assert data["policies"]["rules"][0] == before["policies"]["rules"][0] | {"ceiling": 16}
    assert data["software"]["pools"]["serve"]["kubernetes"] == "1.33.2"
    assert {key for key in before if data[key] != before[key]} == {"site", "policies", "software", "tenants"}
    changed = tmp_path / "stage.yaml"
    changed.write_text(printed)
    assert spec.load(changed).site.site == "mixed-stage"


def test_an_environment_that_is_not_there(site, capsys):
    assert main(["environment", str(site(NAME)), "dev"]) == 2
    assert "it has stage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("differences", "path", "code"),
    [
        ([("pools.train.count", 8)], "environments[0]", "spec.same_site"),
        ([NAME, ("pools.trian.count", 8)], "environments[0].differences[1].field", "spec.no_field"),
        ([NAME, ("pools[7].count", 8)], "environments[0].differences[1].field", "spec.no_field"),
        ([NAME, ("region.x.y", 8)], "environments[0].differences[1].field", "spec.no_field"),
        ([NAME, ("catalog", [])], "environments[0].differences[1].field", "spec.fixed_field"),
        ([NAME, ("pools.train.cuont", 8)], "environments[0].differences[1]", "spec.unknown_key"),
        ([NAME, ("pools.train.count", "8")], "environments[0].differences[1]", "spec.wrong_type"),
        ([NAME, ("tenants.product.quota[0].accelerators", 9)], "environments[0].differences[1]", "spec.quota_above_capacity"),
        ([NAME, ("control.kubernetes.servers.count", 4)], "environments[0].differences[1]", "spec.even_members"),
    ],
)  # fmt: skip
def test_what_an_environment_breaks(site, differences, path, code):
    file = site(*differences)
    problem = only_problem(file)
    assert (problem.path, problem.code) == (path, code)
    line = int(problem.place.rpartition(":")[2])
    assert line > len(TEXT.splitlines())


def test_two_of_one_name(site):
    file = site(NAME)
    data = yaml_text.load(file.read_text())
    data["environments"] *= 2
    file.write_text(yaml.safe_dump(data))
    assert only_problem(file).path == "environments[1].name"
