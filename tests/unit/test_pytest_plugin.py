from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from rackwright import collect, content
from tests import build

pytest_plugins = ["pytester"]


@pytest.fixture
def field(pytester: pytest.Pytester, monkeypatch) -> pytest.Pytester:
    """A folder with our content in it, and stored evidence of two nodes, one of them broken."""
    shutil.copytree(content.folder("validators"), pytester.path / "validators")
    monkeypatch.setattr(content, "root", lambda: pytester.path)
    evidence = {name: build.node_evidence(name) for name in ("train-001", "train-002")}
    broken = build.seen(build.Accelerators, {"devices": {3: {"row_remap_pending": True}}})
    evidence["train-002"].records[build.Accelerators] = broken
    monkeypatch.setattr(collect, "load", lambda _store: evidence)
    return pytester


def run(field: pytest.Pytester, *more: str) -> pytest.RunResult:
    return field.runpytest_inprocess("validators", "-p", "no:cacheprovider", "--junit-xml=out.xml", *more)


def test_one_item_per_check_and_node(field: pytest.Pytester) -> None:
    result = run(field, "--site", str(build.EXAMPLE))
    result.assert_outcomes(passed=65, failed=1)
    result.stdout.fnmatch_lines(["*fail: train-002: row remapping GPU 3*"])


def test_the_verdict_travels_with_the_item(field: pytest.Pytester) -> None:
    run(field, "--site", str(build.EXAMPLE))
    cases = ET.parse(Path(field.path / "out.xml")).iter("testcase")
    [case] = [one for one in cases if one.get("name") == "gpu.row_remap[train-002]"]
    said = {one.get("name"): one.get("value") for one in case.iter("property")}
    assert (said["check"], said["target"], said["outcome"]) == ("gpu.row_remap", "train-002", "fail")


def test_without_a_site_nothing_is_collected(field: pytest.Pytester) -> None:
    assert run(field).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_bad_site_is_said_without_a_traceback(field: pytest.Pytester) -> None:
    result = run(field, "--site", "no-such-site.yaml")
    assert result.ret != 0
    assert "no-such-site.yaml" in result.stdout.str() + result.stderr.str()
    assert "Traceback" not in result.stdout.str()
