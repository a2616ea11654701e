"""Equal remarks of many nodes are one line, what failed first."""

from rackwright.model.verdict import Outcome
from rackwright.report import build, remarks
from tests.unit.report.conftest import tiny_handover, verdict

NODES = ("train-001", "train-002", "train-003", "train-004")


def remarks_of(*verdicts):
    return remarks.remarks(
        build.build_report(tiny_handover(verdicts=verdicts, decisions=(), nodes=NODES), lambda _: "").nodes
    )


def test_what_all_nodes_share_is_said_once():
    remarks = remarks_of(
        *(verdict(node, "rail.latency", Outcome.NOT_RUN, "no reading was taken") for node in NODES),
        verdict("train-002", "clock.offset", Outcome.FAIL, "off by 2 s"),
        verdict("train-003", "gpu.count", Outcome.PASS),
    )
    assert [(remark.check, remark.outcome, remark.where) for remark in remarks] == [
        ("clock.offset", Outcome.FAIL, "train-002"),
        ("rail.latency", Outcome.NOT_RUN, "train-001 to train-004"),
    ]


def test_different_findings_stay_apart():
    remarks = remarks_of(
        verdict("train-001", "clock.offset", Outcome.DEGRADED, "off by 1 s"),
        verdict("train-002", "clock.offset", Outcome.DEGRADED, "off by 2 s"),
    )
    assert [remark.where for remark in remarks] == ["train-001", "train-002"]
