"""Lines of one domain against the limits of their severities: the worst decides, and the finding says what to do."""

from dataclasses import replace

import pytest

from rackwright.error_codes import kernel_lines
from rackwright.error_codes.kernel_catalogue import load_kernel_catalogue
from rackwright.judge.limits import LimitTable
from rackwright.model.evidence.kernel_log import KernelEvent, KernelLog
from tests import build

BY_KIND = load_kernel_catalogue().by_kind
SEVERITIES = {"fail": 0, "degraded": 1, "advice": 0}


def judged(*kinds, without="", rows=(), begins="2026-11-21T06:02:11+0000"):
    """The finding of recorded lines of these kinds in the domain `network`; one line that degrades is allowed."""
    limits = [
        build.limit("kernel.events", match={"severity": severity}, value=most, advisory=severity == "advice")
        for severity, most in SEVERITIES.items()
        if severity != without
    ]
    table = LimitTable((), tuple(map(build.row, (*limits, *rows))))
    events = [KernelEvent(time="", kind=kind, text=BY_KIND[kind].line) for kind in kinds]
    log = build.healthy_record(KernelLog).model_copy(update={"events": events, "begins": begins})
    return kernel_lines.judge_domain(replace(build.expectation(), limits=table), log, "network")


@pytest.mark.parametrize(
    ("kinds", "outcome", "advisory"),
    [
        ([], "pass", False),
        (["mlx5_slot_power"], "pass", False),
        (["mlx5_slot_power"] * 2, "degraded", False),
        (["mlx5_module_unplugged"], "degraded", True),
        (["mlx5_module_unplugged", "mlx5_slot_power", "mlx5_slot_power"], "degraded", False),
        (["mlx5_module_unplugged", "mlx5_tx_timeout"], "fail", False),
        (["hung_task"], "pass", False),
    ],
)
def test_the_worst_kind_of_the_domain_decides(kinds, outcome, advisory):
    finding = judged(*kinds)
    assert (finding.outcome, finding.advisory) == (outcome, advisory)


def test_the_finding_shows_each_kind_once_and_says_what_to_do():
    finding = judged("mlx5_module_unplugged", "mlx5_tx_timeout", "mlx5_tx_timeout")
    worst, mild = BY_KIND["mlx5_tx_timeout"], BY_KIND["mlx5_module_unplugged"]
    assert finding.observed == f"{worst.line} (2 times); {mild.line}"
    assert finding.next_step == f"{worst.action}; {mild.action}"
    assert finding.says.startswith(f"train-001: lines of network in the kernel log: {worst.line} (2 times)")
    assert finding.says.endswith(f". {finding.next_step}")
    assert finding.source.startswith("validators/kernel/network.yaml; limit kernel.events: ")


def test_kinds_that_are_not_shown_are_counted():
    kinds = [kind for kind, line in load_kernel_catalogue().lines["network"].items() if line.severity == "fail"][:6]
    assert judged(*kinds).observed.endswith("; and 2 more kinds")


def test_a_site_allows_more_lines_of_one_kind():
    row = build.limit("kernel.events", match={"severity": "fail", "kind": "mlx5_tx_timeout"}, value=3)
    assert judged(*["mlx5_tx_timeout"] * 3, rows=[row]).outcome == "pass"
    assert judged(*["mlx5_tx_timeout"] * 4, rows=[row]).outcome == "fail"


@pytest.mark.parametrize("severity", SEVERITIES)
def test_a_severity_without_limit_is_inconclusive(severity):
    finding = judged(without=severity)
    assert finding.outcome == "inconclusive"
    assert "no limit for kernel.events" in finding.says


def test_silence_of_a_log_that_is_cut_proves_nothing():
    assert judged(begins="").outcome == "inconclusive"
    assert judged("mlx5_tx_timeout", begins="").outcome == "fail"
