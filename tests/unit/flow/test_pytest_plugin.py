from __future__ import annotations

import io
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import pytest

from rackwright import collect
from rackwright.base import content
from rackwright.base.errors import OutsideError
from rackwright.collect.transports import ssh
from rackwright.twin.hosts import namespaces
from tests import build

pytest_plugins = ["pytester"]

KEPT = ("gpu.row_remap", "gpu.count", "clock.offset")
"""Checks that the folder of these tests holds: the skin is the same for all of them."""


def _other_checks(folder: str, names: list[str]) -> set[str]:
    """What is not copied: compiled files, and checks outside `KEPT`."""
    if Path(folder).parent.name != "checks":
        return {"__pycache__"} & set(names)
    return {name for name in names if f"{Path(folder).name}.{Path(name).stem}" not in KEPT}


@pytest.fixture
def field(pytester: pytest.Pytester, monkeypatch) -> pytest.Pytester:
    """A folder with some of our content in it, and stored evidence of two nodes, one of them broken."""
    shutil.copytree(content.folder("validators"), pytester.path / "validators", ignore=_other_checks)
    monkeypatch.setattr(content, "root", lambda: pytester.path)
    evidence = {name: build.node_evidence(name) for name in ("train-001", "train-002")}
    broken = build.healthy_record(build.Accelerators, {"devices": {3: {"row_remap_pending": True}}})
    evidence["train-002"].records[build.Accelerators] = broken
    monkeypatch.setattr(collect, "load_merged", lambda _store, **_: evidence)
    (pytester.path / "evidence").mkdir()
    return pytester


def run(field: pytest.Pytester, *more: str, target: str = "validators") -> pytest.RunResult:
    evidence = ["--evidence", str(field.path / "evidence")] if "--site" in more else []
    return field.runpytest_inprocess(target, "-p", "no:cacheprovider", "--junit-xml=out.xml", *evidence, *more)


SITE = ("--site", str(build.EXAMPLE))


def test_one_item_per_check_and_node(field: pytest.Pytester) -> None:
    result = run(field, *SITE)
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(["*fail: train-002: row remapping GPU 3*"])


def test_only_the_nodes_that_are_named(field: pytest.Pytester) -> None:
    run(field, *SITE, "--node", "train-001").assert_outcomes(passed=3)
    run(field, *SITE, "--node", "train-001,train-002").assert_outcomes(passed=5, failed=1)


def test_a_node_that_the_site_lacks_is_said(field: pytest.Pytester) -> None:
    result = run(field, *SITE, "--node", "train-999")
    assert "has no train-999" in result.stdout.str() + result.stderr.str()


def test_a_gate_shows_what_it_looks_at_and_what_it_decides(field: pytest.Pytester) -> None:
    gates = field.path / "validators" / "gates.yaml"
    age = "evidence: {hours: 24.0, most_hours: 48.0, skew_minutes: 5.0, why: a day}"
    last = "{name: handover, scope: site, after: mine, allow_degraded: false, checks: []}"
    gates.write_text(
        f"gates:\n  - {{name: mine, scope: node, after: '', allow_degraded: false, checks: ['gpu.*'], {age}}}\n  - {last}\n"
    )
    result = run(field, *SITE, "--gate", "mine")
    result.assert_outcomes(passed=4, failed=2)  # two checks and a decision on each node
    result.stdout.fnmatch_lines(["*mine?train-002?*"])
    assert "clock.offset" not in result.stdout.str()


def test_an_unknown_gate_is_said(field: pytest.Pytester) -> None:
    result = run(field, *SITE, "--gate", "none")
    assert "there is no such gate" in result.stdout.str() + result.stderr.str()


def test_the_verdict_travels_with_the_item(field: pytest.Pytester) -> None:
    run(field, *SITE)
    cases = ET.parse(Path(field.path / "out.xml")).iter("testcase")
    [case] = [case for case in cases if case.get("name") == "gpu.row_remap[train-002]"]
    properties = {property_node.get("name"): property_node.get("value") for property_node in case.iter("property")}
    assert (properties["check"], properties["target"], properties["outcome"]) == ("gpu.row_remap", "train-002", "fail")


def test_without_a_site_nothing_is_collected(field: pytest.Pytester) -> None:
    assert run(field).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_bad_site_is_said_without_a_traceback(field: pytest.Pytester) -> None:
    result = run(field, "--site", "no-such-site.yaml")
    assert result.ret != 0
    assert "no-such-site.yaml" in result.stdout.str() + result.stderr.str()
    assert "Traceback" not in result.stdout.str()


class Channel:
    """A command of testinfra, answered by a table."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers
        self.said, self.status = "", 0

    def exec_command(self, command: bytes) -> None:
        line = command.decode()
        answers = [answer for words, answer in self.answers.items() if words in line]
        process = (
            subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False) if not answers else None
        )
        self.said, self.status = (answers[0], 0) if process is None else (process.stdout, process.returncode)

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self.said.encode())

    def makefile_stderr(self, _mode: str) -> io.BytesIO:
        return io.BytesIO()

    def recv_exit_status(self) -> int:
        return self.status


def reached(answers: dict[str, str]):
    transport = SimpleNamespace(open_session=lambda: Channel(answers), is_active=lambda: True)
    return lambda _access, _address: SimpleNamespace(get_transport=lambda: transport, close=lambda: None)


ONLY = ("--site", str(build.EXAMPLE), "--node", "train-001", "-k", "the_design_means or clock or kernel_settings")
GOOD = {
    "hostname -s": "train-001\n",
    "chronyc -c": "A,b,4,Normal\n",
    "sysctl -n kernel.numa_balancing": "0\n",
    "sysctl -n vm.zone_reclaim_mode": "1\n",
}


def live(field: pytest.Pytester, *more: str) -> pytest.RunResult:
    return run(field, *more, target="validators/live")


def test_a_live_host_is_held_against_the_design(field: pytest.Pytester, monkeypatch) -> None:
    monkeypatch.setattr(ssh, "connect", reached(GOOD))
    live(field, *ONLY).assert_outcomes(passed=3)
    monkeypatch.setattr(
        ssh, "connect", reached(GOOD | {"hostname -s": "train-009\n", "sysctl -n kernel.numa_balancing": "1\n"})
    )
    live(field, *ONLY).assert_outcomes(passed=1, failed=2)


def test_a_live_host_that_does_not_answer_fails_with_the_reason(field: pytest.Pytester, monkeypatch) -> None:
    def dead(_access, address):
        raise OutsideError(f"{address} does not answer on port 22")

    monkeypatch.setattr(ssh, "connect", dead)
    result = live(field, *ONLY)
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(["*does not answer on port 22*"])


def test_live_hosts_need_a_site(field: pytest.Pytester) -> None:
    result = live(field)
    assert "live hosts need --site" in result.stdout.str() + result.stderr.str()


def test_what_stops_every_check_is_said_once(field: pytest.Pytester) -> None:
    result = run(field, *SITE, "--evidence", "nowhere")
    printed = result.stdout.str() + result.stderr.str()
    assert (result.ret, printed.count("holds no evidence")) == (pytest.ExitCode.USAGE_ERROR, 1), printed


def test_inside_a_twin_the_evidence_of_the_twin_is_judged(field: pytest.Pytester, monkeypatch) -> None:
    monkeypatch.setenv(namespaces.MARK, "1")
    outcome = field.runpytest_inprocess("validators", "-p", "no:cacheprovider", *SITE)
    assert ".rackwright/h100-pod/rehearsal/evidence holds no evidence" in outcome.stdout.str() + outcome.stderr.str()
