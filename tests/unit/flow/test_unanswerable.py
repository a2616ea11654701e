from dataclasses import replace
from pathlib import Path

import yaml

from rackwright import design, spec
from rackwright.base import yaml_text
from rackwright.cli.main import main
from rackwright.flow import unanswerable

SITE = Path(__file__).resolve().parents[3] / "inventories" / "mi300x-pod" / "site.yaml"
UNKNOWN = {"firmware_version"}
"""A capability that no reading of the tool of AMD stands behind."""


def test_gates_ask_a_shipped_server_what_it_can_answer():
    loaded = spec.load(SITE)
    assert unanswerable.problems(design.expand(loaded.site, loaded.catalog)) == []


def test_a_pattern_without_a_check_that_applies_is_a_problem():
    loaded = spec.load(SITE)
    accelerator = loaded.catalog.accelerators["mi300x"]
    claimed = accelerator.model_copy(update={"capabilities": [*accelerator.capabilities, *UNKNOWN]})
    catalog = replace(loaded.catalog, accelerators={**loaded.catalog.accelerators, "mi300x": claimed})
    [problem] = unanswerable.problems(design.expand(loaded.site, catalog))
    assert (problem.path, problem.found) == ("acceptance.gates", "handover")
    assert "asks for software.firmware, and no check of it applies to any server of the site" in problem.message


def test_check_refuses_a_part_that_claims_what_nothing_judges(tmp_path, capsys):
    part = yaml_text.load((SITE.parents[2] / "rackwright/catalog/accelerators/mi300x.yaml").read_text(encoding="utf-8"))
    server = yaml_text.load((SITE.parents[2] / "rackwright/catalog/servers/mi300x-8u.yaml").read_text(encoding="utf-8"))
    part |= {"sku": "mi300x-own", "capabilities": [*part["capabilities"], *UNKNOWN]}
    server |= {"sku": "own-8u", "accelerator": "mi300x-own"}
    data = yaml_text.load(SITE.read_text(encoding="utf-8")) | {"catalog": [part, server]}
    data["pools"][0]["server"] = "own-8u"
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    assert main(["check", str(file)]) == 1
    printed = capsys.readouterr().err
    line = file.read_text(encoding="utf-8").splitlines().index("acceptance:") + 2
    assert f"{file}:{line}: acceptance.gates: gate handover asks for software.firmware" in printed
