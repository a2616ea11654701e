"""Roads that no node could walk to the end are refused by `check`, with file, line and the next step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.cli.main import main

ROOT = Path(__file__).resolve().parents[4]
SITE = yaml_text.load((ROOT / "inventories/mi300x-pod/site.yaml").read_text(encoding="utf-8"))


def part(path: str, **changes: object) -> dict[str, Any]:
    data: dict[str, Any] = yaml_text.load((ROOT / "rackwright/catalog" / path).read_text(encoding="utf-8"))
    return {**data, **changes}


def site_of_maker(vendor: str, *more: dict[str, Any]) -> dict[str, Any]:
    """The site with a server whose accelerators `vendor` makes."""
    accelerator = part("accelerators/mi300x.yaml", sku="own-x", vendor=vendor, capabilities=[])
    server = part("servers/mi300x-8u.yaml", sku="own-8u", accelerator="own-x")
    software = {**SITE["software"], "vendor_driver": "1.2.2"}
    return {**pool(server="own-8u"), "software": software, "catalog": [accelerator, server, *more]}


def pool(**changes: object) -> dict[str, Any]:
    return {**SITE, "pools": [{**SITE["pools"][0], **changes}]}


SILENT = part("vendors/biren.yaml", sku="silent", device_file="")
ROADS = {
    "a maker that nobody knows": (site_of_maker("nobody"), "pools[0].server", "catalog/vendors/nobody.yaml"),
    "no device file for Slurm": (
        {**site_of_maker("silent", SILENT), "pools": [{**site_of_maker("silent")["pools"][0], "scheduler": "slurm"}]},
        "pools[0].scheduler",
        "give device_file",
    ),
    "no device plugin": (site_of_maker("silent", SILENT), "pools[0].scheduler", "schedule the pool otherwise"),
    "a system of other vendors": (
        {**SITE, "software": {**SITE["software"], "os": "debian-12"}},
        "software.os",
        "ubuntu-24.04",
    ),
    "an instance of a cloud": (pool(server="ct6e-standard-4t"), "pools[0].server", "its slices are 2x2 of 1, 2x4 of 2"),
    "an accelerator without its server": (pool(server="mi325x"), "pools[0].server", "name what has it: mi325x-8u"),
    "what nobody publishes": (pool(server="x600g40-8u"), "pools[0].server", "from the papers of its maker"),
}


@pytest.mark.parametrize("name", ROADS)
def test_it_is_refused_with_file_line_and_next_step(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared, path, step = ROADS[name]
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(declared, sort_keys=False), encoding="utf-8")
    assert main(["check", str(file)]) == 1
    problems = capsys.readouterr().err.split(f"{file}:")
    [problem] = [text for text in problems if f": {path}: " in text and step in text.partition("next:")[2]]
    line, _, _ = problem.partition(":")
    assert path.rpartition(".")[2] in file.read_text(encoding="utf-8").splitlines()[int(line) - 1]
