"""The sentences of findings that compare nodes, in full."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright import compare
from rackwright.compare import alike, blame_findings, by_kind, pinned_versions, plant, port_traffic
from rackwright.compare.blame import JointReading
from rackwright.judge.limits import LimitTable
from rackwright.judge.node_view import sentence
from rackwright.model.equipment import CoolantUnit, RackPdu
from rackwright.model.evidence.host import Packages
from rackwright.model.evidence.plant import PowerCircuit, PowerLine
from rackwright.model.evidence.rail import PortTraffic, RailBandwidth, RailSpeed
from rackwright.model.verdict import Outcome
from tests import build

NAMES = [f"train-{number:03d}" for number in range(1, 6)]
PASS, FAIL, DEGRADED, INCONCLUSIVE, NOT_RUN = (
    Outcome.PASS,
    Outcome.FAIL,
    Outcome.DEGRADED,
    Outcome.INCONCLUSIVE,
    Outcome.NOT_RUN,
)


def limited(name: str, *rows):
    """A node for which only these limits hold."""
    return replace(build.expectation(name), limits=LimitTable((), tuple(map(build.row, rows))))


def outcomes_and_says(findings):
    return [(finding.outcome, sentence(finding, name).removeprefix(f"{name}: ")) for name, finding in findings.items()]


def alike_words(*words: str | None):
    row = build.limit("alike", value=3, unit="nodes")
    peers = [(limited(name, row), word) for name, word in zip(NAMES, words, strict=False)]
    return outcomes_and_says(alike.compare_words(peers, metric="alike", what="firmware"))


def test_words_of_equal_nodes() -> None:
    of_four = "most of 4 nodes of dgx-h100; limit alike: a paper, 2026-01-01"
    good = (PASS, f"firmware 2 (so have 3 of 4); expected 2 ({of_four})")
    assert alike_words("2", "2", "1", None, "2") == [
        good,
        good,
        (FAIL, f"firmware 1 (so have 1 of 4); expected 2 ({of_four})"),
        (INCONCLUSIVE, f"firmware no reading; expected at least 3 nodes to compare ({of_four})"),
        good,
    ]
    assert alike_words("1", "1", "2", "2")[0] == (
        INCONCLUSIVE,
        f"firmware 1 on 2, 2 on 2; expected a value that most have ({of_four})",
    )
    assert alike_words("1", "1")[0] == (
        NOT_RUN,
        f"firmware 1 on 2 nodes of dgx-h100; expected at least 3 nodes to compare ({of_four.replace('4', '2', 1)})",
    )
    assert alike_words("1", "1", "1")[2][0] == PASS
    unpinned = alike.compare_words([(limited(NAMES[0]), "1")], metric="alike", what="firmware")
    assert unpinned[NAMES[0]].says == "train-001: no limit for alike on dgx-h100, so nothing can be judged"


def kinds(*parts, **change):
    peers = [(build.expectation(name), value) for name, value in zip(NAMES, parts, strict=False)]
    return outcomes_and_says(
        by_kind.compare_parts(peers, lambda _, value: value, what="firmware", source="peers", **change)
    )


def test_parts_of_one_kind() -> None:
    expected = "; expected the same as on most peers (peers)"
    good = {"a": ("k", "1"), "b": ("k", "1")}
    assert kinds({**good, "c": ("m", None)}, {"a": ("k", "2"), "b": ("l", "1"), "c": ("l", "2")}, {}, good) == [
        (INCONCLUSIVE, f"firmware no reading of c{expected}"),
        (FAIL, f"firmware a: 2, where most have 1{expected}"),
        (INCONCLUSIVE, f"firmware nothing to read{expected}"),
        (PASS, f"firmware as most have on all 2{expected}"),
    ]
    split = {"a": ("k", "1"), "b": ("k", "2"), "c": ("j", "1"), "d": ("j", "2"), "e": ("k", None), "f": ("k", None)}
    assert kinds(split) == [
        (INCONCLUSIVE, f"firmware no reading of e, f; no value of j, k that most have{expected}"),
    ]
    assert kinds({"a": ("k", "1")}) == [(NOT_RUN, f"firmware has no peer to be compared with{expected}")]
    assert kinds({**good, "z": ("alone", "1")}) == [(PASS, f"firmware as most have on all 2{expected}")]


def test_nodes_that_decide_alike_are_counted_and_not_read_again() -> None:
    odd, others = {"a": ("k", "2")}, {"a": ("k", "1")}
    outcomes = [finding[0] for finding in kinds(odd, others, others, others, decides=lambda _, value: str(value))]
    assert outcomes == [FAIL, PASS, PASS, PASS]


def trial(*parts: str, low: bool = False) -> JointReading:
    return JointReading(frozenset(parts), low, "+".join(parts))


def test_nodes_that_are_slow_together() -> None:
    a, b, c, d, e = NAMES
    missed = compare.finding(
        build.expectation(e), INCONCLUSIVE, what="job", observed="died", expected="a result", source="log"
    )
    trials = {
        "all_reduce": [trial(a, b), trial(a, c, low=True), trial(b, c, low=True)],
        "all_gather": [trial(c, d, low=True), trial(a, b, low=True), trial(a, d), trial(b, d)],
    }
    expectations = [build.expectation(name) for name in NAMES]
    findings = blame_findings.node_findings(expectations, trials, {e: missed}, expected="90 GB/s", source="limits")
    worst = f"low with every partner ({a}, {b}): {a}+{c}; {b}+{c}"
    worse = f"low with every partner ({d}): {c}+{d}"
    expected = "; expected 90 GB/s (limits)"
    look = "which are good with others: look at the path between them"
    assert outcomes_and_says(findings) == [
        (
            DEGRADED,
            f"all_gather over nodes low between {a} and {b}, {look}: {a}+{b}; expected 90 GB/s (limits)",
        ),
        (
            DEGRADED,
            f"all_gather over nodes low between {b} and {a}, {look}: {a}+{b}; expected 90 GB/s (limits)",
        ),
        (
            FAIL,
            f"all_reduce over nodes {worst}{expected}; all_gather over nodes {worse}{expected}",
        ),
        (PASS, f"all_gather over nodes {a}+{d}; expected 90 GB/s (limits)"),
        (INCONCLUSIVE, "job died; expected a result (log)"),
    ]
    [finding] = blame_findings.node_findings([expectations[0]], {}, {}, expected="90 GB/s", source="limits").values()
    assert finding.says == f"{a}: collectives no reading; expected 90 GB/s (limits)"


@pytest.mark.parametrize(("metric", "bound"), [("speed", "at least 5.0 us"), ("wait_us", "at most 5.0 us")])
def test_rails_that_are_slow_together(metric, bound) -> None:
    a, b, c = NAMES[:3]
    expectations = [limited(name, build.limit(metric, value=5.0, unit="us")) for name in (a, b, c)]
    expectations = [
        replace(expectation, links=[link for link in expectation.links if link.port in ("mlx5_0", "mlx5_3", "bmc")])
        for expectation in expectations
    ]
    trials = {"mlx5_0": [trial(a, b, low=True)], "mlx5_3": [trial(a, b), trial(b, c)]}
    findings = blame_findings.rail_findings(expectations, trials, what="test", metric=metric)
    unknown = f"{b} alone, so either may be the cause: {a}+{b}; test {a} with another partner"
    assert findings[a].says == (
        f"{a}: test of mlx5_0 low with {unknown}; expected {bound} (limit {metric}: a paper, 2026-01-01)"
    )
    assert [findings[name].outcome for name in (a, b, c)] == [INCONCLUSIVE] * 3
    assert findings[c].observed == "no reading"
    alone = blame_findings.rail_findings(
        expectations[2:], {"mlx5_0": [trial(c)], "mlx5_3": []}, what="test", metric="other"
    )
    assert alone[c].says == f"{c}: no limit for other on dgx-h100, so nothing can be judged"


def traffic(adapter: str, sent: int | None, payload: int | None = 100, **others: int) -> RailSpeed:
    ports = [
        PortTraffic(adapter=name, sent_bytes=count, received_bytes=0)
        for name, count in {adapter: sent, **others}.items()
    ]
    change = {"node": "train-001", "adapter": adapter, "peer": "train-002", "reported_bytes": payload, "ports": ports}
    return build.healthy_record(RailBandwidth).rails[0].model_copy(update=change)


def test_traffic_of_a_rail_on_its_own_port() -> None:
    row = build.limit("rail.carried_share", value=0.5, unit="share", kind="operator")
    node = limited("train-001", row)
    node = replace(node, links=[link for link in node.links if link.port in ("mlx5_0", "mlx5_3", "mlx5_1")])
    source = "(limit rail.carried_share: a paper, 2026-01-01)"
    says = "bytes of writes that the rail's own port sent"
    good = [traffic("mlx5_0", 50), traffic("mlx5_3", 99)]
    assert port_traffic.judge_traffic(node, [*good, traffic("mlx5_1", 0)], "writes").says == (
        f"train-001: {says} 0.5 share (mlx5_0 to train-002, of 2); expected at least 0.5 share {source}"
    )
    foreign = traffic("mlx5_3", 99).model_copy(update={"node": "train-002"})
    missing = port_traffic.judge_traffic(node, [good[0], foreign], "writes")
    assert missing.says == (
        "train-001: counters of writes no reading of mlx5_3; expected a test of every rail (cable plan)"
    )
    assert missing.outcome == INCONCLUSIVE
    crossed = port_traffic.judge_traffic(node, [good[0], traffic("mlx5_3", 1, mlx5_0=90)], "writes")
    assert (crossed.outcome, crossed.observed) == (FAIL, "mlx5_3 to train-002 (carried by mlx5_0): 0.01 share")
    for unread in (traffic("mlx5_3", None), traffic("mlx5_3", 9, None), traffic("mlx5_3", 9, 0)):
        assert port_traffic.judge_traffic(node, [good[0], unread], "writes").outcome == INCONCLUSIVE


def test_units_of_the_plant() -> None:
    pdu, cdu = (build.plant_expectation(kind, no_limits=True) for kind in (RackPdu, CoolantUnit))
    assert (plant.pdu(pdu), plant.cdu(cdu)) == (pdu.unit, cdu.unit)
    for wrong, unit in ((plant.pdu, cdu), (plant.cdu, pdu)):
        with pytest.raises(AssertionError):
            wrong(unit)
    finding = plant.no_limit(pdu, "power")
    assert finding.says == f"{pdu.subject}: no limit for power, so nothing can be judged"
    assert (finding.outcome, finding.expected) == (INCONCLUSIVE, "a row for power")
    assert plant.source(pdu, "watts") == f"design {pdu.unit.name}, watts"
    rows = [build.row(build.limit("heat", match={"kind": "cdu"}, value=1))]
    pdu, cdu = (replace(unit, limits=LimitTable((), tuple(rows))) for unit in (pdu, cdu))
    assert (plant.limit(pdu, "heat"), plant.limit(cdu, "heat")) == (None, rows[0].record)
    assert round(plant.TO_NEUTRAL, 7) == 1.7320508


@pytest.mark.parametrize(("unread", "outcome"), [(0, PASS), (2, INCONCLUSIVE)])
def test_parts_of_the_plant_that_were_not_read(unread, outcome) -> None:
    unit = build.plant_expectation(RackPdu)
    finding = plant.every(unit, {"L1": 1}, bool, what="amps", expected="some", source="", unread=unread)
    assert finding.outcome == outcome
    assert finding.observed == ("no reading of 2 of the parts that it lists" if unread else "1")


def test_lines_of_circuits() -> None:
    lines = {name: PowerLine(amps=amps, volts=230, watts=None) for name, amps in (("L1", 1.0), ("L2", None))}
    circuits = [PowerCircuit(name=name, breaker="", health="", lines=lines) for name in ("A", "B")]
    assert dict(plant.by_line(circuits, "amps")) == {"A L1": 1.0, "A L2": None, "B L1": 1.0, "B L2": None}
    assert dict(plant.by_line(None, "amps")) == {}


def boards(*versions: str, limits=()):
    record = build.accelerators(devices=[build.device(index, vbios=board) for index, board in enumerate(versions)])
    return pinned_versions.judge_pinned(
        limited("train-001", *limits), record, "gpu.vbios", lambda device: device.vbios, "VBIOS"
    )


def test_one_version_on_all_accelerators() -> None:
    good = boards("2", "2", "2")
    assert good.says == "train-001: VBIOS 2 on all 3; expected 2 (the other accelerators of the node)"
    odd = boards("2", "1", "2")
    assert (odd.outcome, odd.expected) == (FAIL, "2")
    assert odd.observed.startswith("GPU 1 (")
    assert boards("2", "1").expected == "1"
    assert boards("", "1").outcome == INCONCLUSIVE
    assert boards("", "").expected == "one on all accelerators"
    row = build.limit("gpu.vbios", match={"accelerator": "h100-sxm"}, value=["1", "3"])
    pinned = boards("1", "3", "1", limits=[row])
    assert (pinned.outcome, pinned.expected, pinned.source) == (PASS, "1 or 3", "limit gpu.vbios: a paper, 2026-01-01")
    assert boards("2", "2", limits=[row]).outcome == FAIL


PACKAGE_ROW = build.limit("software.package", match={"component": "driver"}, value=["nvidia-driver*", "nvidia-open"])


@pytest.mark.parametrize(
    ("declared", "outcome", "says"),
    [
        ("580", PASS, "driver package 580.173.02 on all 2; expected 580 (site software.driver)"),
        ("580.173.02", PASS, "driver package 580.173.02 on all 2; expected 580.173.02 (site software.driver)"),
        ("580.173.2", PASS, "driver package 580.173.02 on all 2; expected 580.173.2 (site software.driver)"),
        (
            "580.173.02.1",
            FAIL,
            "driver package nvidia-open: 580.173.02; nvidia-driver: 580.173.02; expected 580.173.02.1",
        ),
        ("581", FAIL, "driver package nvidia-open: 580.173.02; nvidia-driver: 580.173.02; expected 581"),
    ],
)
def test_packages_beside_the_software_bill(declared, outcome, says) -> None:
    finding = compare.bill_version(limited("train-001", PACKAGE_ROW), build.packages(), "driver", declared)
    assert finding.outcome == outcome
    assert finding.says.startswith(f"train-001: {says}")


def test_packages_that_are_missing_or_that_no_limit_names() -> None:
    finding = compare.bill_version(limited("train-001", PACKAGE_ROW), Packages(packages={}), "driver", "580")
    assert finding.says == "train-001: driver not installed; expected 580 (site software.driver)"
    assert finding.outcome == FAIL
    finding = compare.bill_version(limited("train-001"), build.packages(), "driver", "580")
    assert finding.outcome == INCONCLUSIVE
    assert finding.says.startswith("train-001: no limit for software.package component driver on ")
    assert compare.coupled_versions(build.packages(), ["libnccl*", "nvidia-open"]) == {
        "nvidia-open": "580.173.02",
        "libnccl2": "2.30.4",
    }


@pytest.mark.parametrize(
    ("package", "upstream", "numbers"),
    [
        ("1:4.6.0-1", "4.6.0", (4, 6, 0)),
        ("2.30.4-1+cuda13.0", "2.30.4", (2, 30, 4)),
        ("13.0+dfsg-2", "13.0", (13, 0)),
        ("1:2:3", "3", (3,)),
        ("none", "none", ()),
    ],
)
def test_versions_of_packages(package, upstream, numbers) -> None:
    assert (compare.upstream_version(package), compare.version_numbers(compare.upstream_version(package))) == (
        upstream,
        numbers,
    )


def test_the_document_that_covers_a_field() -> None:
    part = build.accelerator()
    sources = [
        part.sources[0].model_copy(update={"doc": f"doc {n}", "date": "2026", "covers": [f"{n}_*"]}) for n in "ab"
    ]
    part = part.model_copy(update={"sources": sources})
    assert compare.sku_source(part, "b_watts") == "SKU h100-sxm: doc b, 2026"
    assert compare.sku_source(part, "c_watts") == "SKU h100-sxm"
    assert compare.is_onboarded(build.expectation())
    assert not compare.is_onboarded(build.expectation(server={"ansible_groups": []}))
    with pytest.raises(AssertionError):
        compare.accelerator(build.expectation("slurm-01"))
