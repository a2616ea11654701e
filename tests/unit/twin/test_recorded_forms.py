"""The twin prints no key that the recordings of a tool lack: what renders and what parses are both held against the field."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from rackwright import design, spec
from rackwright.twin import tools
from rackwright.twin.campaign import Stage
from tests import build

CASES = Path(__file__).parents[2] / "cases"
YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LISTS = yaml.load((CASES / "recorded.yaml").read_text(), Loader=YAML)
VENDORS = Path(__file__).parents[2] / "roles" / "sites" / "vendors.yaml"
JSON_KEY = re.compile(r'"([A-Za-z][^"\\]{0,60})"\s*:')
LINE_KEY = re.compile(r"^\s*(?:[-*]\s*)?([A-Za-z][\w ./()\[\]%#-]{1,60}?)\s*[:=]\s", re.MULTILINE)
NUMBER = re.compile(r"\d+")
DOCUMENTED = {"bmc", "cdu", "power_shelf", "rack_pdu"}
"""Their keys are DMTF's schema, which other tests hold the twin against."""
ITEMS = {"host", "nvml"}
"""Their keys are settings that the site names, and the fields that our own probe asks for."""


def keys(text):
    """Names of the members of a JSON text, or of the lines ``name: value``; numbers in them do not count."""
    names = set(JSON_KEY.findall(text))
    names = names if len(names) > 5 else {name.strip() for name in LINE_KEY.findall(text)}
    return {NUMBER.sub("0", name) for name in names}


@cache
def rendered():
    """What the tools of healthy nodes print, by collector: of the example site, then of AMD nodes."""
    loaded = spec.load(VENDORS)
    plan = design.expand(loaded.site, loaded.catalog)
    amd = next(node.name for node in plan.nodes("accelerator") if node.pool == "amd")
    stages = [Stage(build.site_design(), ("train-001",), build.TAKEN), Stage(plan, (amd,), build.TAKEN)]
    printed = {}
    for stage in stages:
        for load, requests in stage.plans.items():
            for output in tools.plan_outputs(stage.design, stage.healthy, requests, load=load):
                printed.setdefault(output.collector, output.stdout.decode(errors="replace"))
    return printed


def of_the_field(collector):
    files = (CASES / "collectors" / collector).glob("*.yaml")
    cases = [yaml.load(file.read_text(), Loader=YAML) for file in files]
    recorded = set().union(*(keys(case["output"]) for case in cases if "evidence" in case))
    return recorded | {
        NUMBER.sub("0", key) for row in LISTS["keys"] if row["collector"] == collector for key in row["keys"]
    }


@pytest.mark.parametrize("collector", sorted({row["collector"] for row in [*LISTS["recorded"], *LISTS["unrecorded"]]}))
def test_the_twin_prints_no_key_that_the_field_does_not(collector):
    if collector in rendered() and collector not in DOCUMENTED | ITEMS:
        assert keys(rendered()[collector]) - of_the_field(collector) == set()
