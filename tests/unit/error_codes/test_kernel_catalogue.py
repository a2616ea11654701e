"""Every row of the catalogue of kernel lines: its recorded line is found on the node, is of its kind and of no other; healthy machines have none."""

import re
import subprocess
import time
from datetime import date
from pathlib import Path

import pytest

from rackwright import judge
from rackwright.base import content, yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.collect import collector
from rackwright.error_codes.kernel_catalogue import load_kernel_catalogue

CATALOGUE = load_kernel_catalogue()
COLLECTOR = collector.library()["kernel_log"]
[GREP] = [word.removeprefix("--grep=") for word in COLLECTOR.command if word.startswith("--grep=")]
LOGS = sorted((Path(__file__).parents[2] / "cases" / "kernel_logs").glob("*.yaml"))
BOOT = "2026-11-21T06:02:11+0000 train-001 kernel: Linux version 6.8.0-1015-nvidia"
ROW = """\
drivers:
  - {driver: nvme, vendor: linux, begins: 'nvme \\S+: '}
events:
  - {kind: nvme_down, driver: DRIVER, severity: fail, find: is down, pattern: 'PATTERN', action: a, line: 'nvme nvme0: LINE', source: s, date: d}
"""
"""A file of the catalogue with one row."""


def parsed(*texts):
    lines = "\n".join(f"2026-11-21T08:41:07+0000 train-001 kernel: {text}" for text in texts)
    return COLLECTOR.parse(f"{BOOT}\n{lines}\n")


@pytest.mark.parametrize("kind", CATALOGUE.by_kind)
def test_a_recorded_line_is_of_its_own_kind_and_of_no_other(kind):
    line = CATALOGUE.by_kind[kind].line
    assert [name for name in CATALOGUE.by_kind if CATALOGUE.expression_of(name).match(line)] == [kind]
    log = parsed(line)
    assert [(event.kind, event.text) for event in log.events] == [(kind, line.rstrip())]
    assert log == parsed().model_copy(update={"events": log.events})


def test_the_node_finds_every_recorded_line():
    """As journalctl does, by PCRE."""
    lines = [line.line for line in CATALOGUE.by_kind.values()]
    done = subprocess.run(
        ["grep", "--perl-regexp", "--count", "--", GREP],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) == len(lines)
    assert re.search("[A-Z]", GREP), "journalctl ignores case where a pattern is all lower case"
    assert len(GREP) < 8192, "it is one argument of a command, and stands six times on a line of sudoers"


def test_the_catalogue_covers_the_field_with_sources():
    assert len(CATALOGUE.by_kind) >= 150
    by_check = {name.removeprefix("kernel.") for name in judge.load_checks() if name.startswith("kernel.")}
    assert set(CATALOGUE.lines) == by_check - {"link_flaps", "machine_checks"}
    vendors = {driver.vendor for drivers in CATALOGUE.drivers.values() for driver in drivers.values()}
    assert vendors >= {"nvidia", "amd", "huawei", "intel", "broadcom", "hpe", "whamcloud", "linux"}
    for line in CATALOGUE.by_kind.values():
        assert date.fromisoformat(line.date) <= date(2026, 11, 26), line.kind
        assert len(line.source) > 10, line.kind
        assert len(line.action) > 20, line.kind
    recorded = [line for line in CATALOGUE.by_kind.values() if not line.written]
    assert len(recorded) >= 150


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_healthy_machine_logs_no_fault(path):
    case = yaml_text.load(path.read_text(encoding="utf-8"))
    log = parsed(*case["lines"].splitlines())
    assert [event.kind for event in log.events] == case["advice"]
    assert all(CATALOGUE.by_kind[kind].severity == "advice" for kind in case["advice"])
    assert log == parsed().model_copy(update={"events": log.events})


def test_a_log_of_twenty_thousand_lines_is_read_at_once():
    """A third of a second of processor time on a quiet machine."""
    healthy = [text for path in LOGS for text in yaml_text.load(path.read_text(encoding="utf-8"))["lines"].splitlines()]
    log = "\n".join(f"2026-11-21T08:41:07+0000 train-001 kernel: {text}" for text in healthy * (20_000 // len(healthy)))
    assert CATALOGUE.kind("a text that compiles the expression first") is None
    before = time.process_time()
    COLLECTOR.parse(f"{BOOT}\n{log}\n")
    assert time.process_time() - before < 2


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ({"PATTERN": "controller (is down"}, "nvme_down.pattern", "cannot be matched"),
        ({"PATTERN": "(controller) is down"}, "nvme_down.pattern", "cannot be matched"),
        ({"DRIVER": "sata"}, "nvme_down.driver", "is not declared"),
        ({"severity: fail": "severity: bad"}, "events[0].severity", "refused"),
        ({"is down, p": "is up, p"}, "events[0]", "refused"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused_at_its_line(tmp_path, change, path, message):
    text = ROW
    for old, new in (
        change | {"DRIVER": change.get("DRIVER", "nvme"), "PATTERN": change.get("PATTERN", "is down")}
    ).items():
        text = text.replace(old, new)
    (tmp_path / "drives.yaml").write_text(text.replace("LINE", "controller is down"), encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        load_kernel_catalogue(tmp_path).expression.match("")
    [problem] = refused.value.problems
    assert (problem.place, problem.path, problem.message) == (f"{tmp_path}/drives.yaml:4", path, message)


def test_a_kind_is_given_once(tmp_path):
    text = ROW.replace("DRIVER", "nvme").replace("PATTERN", "is down").replace("LINE", "controller is down")
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsError, match="is given twice"):
        load_kernel_catalogue(tmp_path)


def test_the_catalogue_is_content():
    assert content.folder("validators", "kernel", "accelerators.yaml").is_file()
