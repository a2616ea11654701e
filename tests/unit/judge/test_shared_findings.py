from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright import compare, judge
from rackwright.judge.expect import expect
from rackwright.judge.node_view import node_view, sentence
from rackwright.judge.shared_findings import TRIALS, SharedFindings
from rackwright.model.check import Check
from rackwright.model.evidence.drives import Drive, Drives
from rackwright.model.evidence.host import Clock
from rackwright.model.verdict import Finding, Outcome
from tests import build

SEEN = Clock(reference="ntp", stratum=3, offset_seconds=0.0, leap_status="Normal")


def expectations():
    expectation = build.expected("train-001")
    return [
        replace(expectation, node=replace(expectation.node, name=name, unit=unit))
        for unit, name in enumerate(("a", "b", "c", "d"))
    ]


def judged(say) -> tuple[list[str], int]:
    """The sentence for every node, and how often the check ran."""
    calls = []

    def judge(expectation, record_read) -> Finding:
        calls.append(record_read)
        return say(expectation, record_read)

    findings = [
        (expectation, results)
        for expectation, results in zip(expectations(), every(judge, expectations(), [SEEN] * 4), strict=True)
    ]
    return [sentence(finding, expectation.node.name) for expectation, finding in findings], len(calls)


def every(judge, nodes, records) -> list[Finding]:
    """What one check, which never passes, says of every node."""
    check, shared, findings = Check(title="one", reads=type(records[0]), judge=judge), SharedFindings(passes=False), []
    for expectation, record in zip(nodes, records, strict=True):
        judged = shared.judge([("one", check)], shared.kind(expectation), expectation, record)
        findings += [finding for _, finding in judged.listed] or [judge(expectation, record) for _ in judged.unshared]
    return findings


def finding(expectation, observed: str) -> Finding:
    return compare.finding(expectation, Outcome.FAIL, what="it is", observed=observed, expected="x", source="s")


def test_equal_nodes_are_judged_once_and_named_each() -> None:
    results, calls = judged(lambda expectation, record_read: finding(expectation, expectation.node.server.sku))
    sku = expectations()[0].node.server.sku
    assert results == [f"{name}: it is {sku}; expected x (s)" for name in "abcd"]
    assert calls == 1


def test_what_a_machine_reads_of_its_subnets_is_not_recorded() -> None:
    kinds = []
    every(lambda node, read: kinds.append(type(read)) or finding(node, "x"), [build.expected("ufm-01")], [SEEN])
    assert kinds == [Clock]


@pytest.mark.parametrize("field", ["name", "unit"])
def test_what_nodes_do_not_share_is_judged_for_each(field) -> None:
    results, _ = judged(lambda expectation, record_read: finding(expectation, str(getattr(expectation.node, field))))
    assert results == [
        f"{expectation.node.name}: it is {getattr(expectation.node, field)}; expected x (s)"
        for expectation in expectations()
    ]


def test_a_name_outside_the_sentence_is_judged_for_each() -> None:
    results, _ = judged(lambda expectation, record_read: finding(expectation, expectation.subject))
    assert results == [f"{name}: it is {name}; expected x (s)" for name in "abcd"]


def test_another_kind_of_node_is_judged_anew() -> None:
    first, second, third = expectations()[:3]
    neighbour = replace(third, node=replace(third.node, pool="other"))
    results = every(
        lambda expectation, record_read: finding(expectation, expectation.node.pool),
        (first, second, neighbour, second),
        [SEEN] * 4,
    )
    assert [expectation.observed for expectation in results] == [
        first.node.pool,
        first.node.pool,
        "other",
        first.node.pool,
    ]


def test_another_record_is_judged_anew() -> None:
    records = [SEEN, SEEN, SEEN.model_copy(update={"stratum": 9}), SEEN]
    results = every(
        lambda expectation, record_read: finding(expectation, str(record_read.stratum)), expectations(), records
    )
    assert [expectation.observed for expectation in results] == ["3", "3", "9", "3"]


def test_a_crash_is_told_of_the_node_itself() -> None:
    with pytest.raises(ZeroDivisionError):
        judged(lambda expectation, record_read: 1 // 0)


def drives(*serials: str, wear: int = 3) -> Drives:
    return Drives(
        drives=[
            Drive.model_construct(name=f"nvme{place}", serial=serial, percentage_used=wear)
            for place, serial in enumerate(serials)
        ]
    )


def worn(expectation, record_read) -> Finding:
    """Reads the wear of every drive, and names a drive by its serial number."""
    used = {f"drive {expectation.serial}": expectation.percentage_used for expectation in record_read.drives}
    bad = [name for name, share in used.items() if share > 50]
    return finding(expectation, ", ".join(bad) or f"{len(used)} drives")


def asked_of(judge, records) -> tuple[list[str], int]:
    """The finding for each record, and how many of them the check read."""
    calls = []

    def noted(expectation, record_read) -> Finding:
        calls.append(record_read)
        return judge(expectation, record_read)

    return [expectation.observed for expectation in every(noted, expectations(), records)], len(calls)


def test_records_with_the_same_in_what_is_read_are_judged_once() -> None:
    results, calls = asked_of(worn, [drives("a", "b"), drives("c", "d"), drives("e", "f"), drives("g", "h")])
    assert results == ["2 drives"] * 4
    assert calls == 1


def test_labels_that_are_the_same_are_no_other_parts() -> None:
    results, _ = asked_of(worn, [drives("a", "b"), drives("c", "c"), drives("", ""), drives("d", "d")])
    assert results == ["2 drives", "1 drives", "1 drives", "1 drives"]


def test_a_label_in_the_finding_is_that_of_the_node() -> None:
    results, _ = asked_of(worn, [drives(name, wear=60) for name in "abcd"])
    assert results == ["drive a", "drive b", "drive c", "drive d"]


def test_a_label_that_is_looked_at_tells_records_apart() -> None:
    results, calls = asked_of(
        lambda expectation, record_read: finding(expectation, str(record_read.drives[0].serial.startswith("a"))),
        [drives("a"), drives("b"), drives("ab"), drives("b")],
    )
    assert results == ["True", "False", "True", "False"]
    assert calls == 3


@pytest.mark.parametrize("read_whole", [str, hash, lambda record: record == SEEN, lambda record: record.model_dump()])
def test_a_record_that_is_read_as_a_whole_is_judged_for_each(read_whole) -> None:
    results, _ = asked_of(
        lambda expectation, record_read: finding(expectation, str(read_whole(record_read))), [SEEN] * 4
    )
    assert results == [str(read_whole(SEEN))] * 4


def test_what_differs_on_every_node_is_no_longer_remembered() -> None:
    expectation = expectations()[0]
    records = [SEEN.model_copy(update={"offset_seconds": float(place)}) for place in range(2 * TRIALS)]
    results = every(
        lambda expectation, record_read: finding(expectation, str(record_read.offset_seconds)),
        [expectation] * len(records),
        records,
    )
    assert [expectation.observed for expectation in results] == [str(float(place)) for place in range(2 * TRIALS)]


def test_zeros_that_print_differently_are_not_the_same() -> None:
    records = [SEEN.model_copy(update={"offset_seconds": value}) for value in (0.0, -0.0, 0.0, -0.0)]
    results, _ = asked_of(
        lambda expectation, record_read: finding(expectation, str(record_read.offset_seconds)), records
    )
    assert results == ["0.0", "-0.0", "0.0", "-0.0"]


def passing(calls):
    """A check that passes drives with little wear, and names them by serial number."""

    def judge(expectation, record_read) -> Finding:
        calls.append(record_read)
        good = record_read.drives[0].percentage_used < 50
        observed = f"{record_read.drives[0].serial}" if good else "worn"
        outcome = Outcome.PASS if good else Outcome.FAIL
        return compare.finding(expectation, outcome, what="wear", observed=observed, expected="x", source="s")

    return Check(title="one", reads=Drives, judge=judge)


def test_a_pass_is_only_counted_whatever_it_names() -> None:
    calls, counts = [], []
    check, shared = passing(calls), SharedFindings(passes=False)
    for expectation, record in zip(
        expectations(), [drives("a"), drives("b"), drives("c", wear=60), drives("d")], strict=True
    ):
        findings = shared.judge([("one", check)], shared.kind(expectation), expectation, record)
        counts.append((findings.passed, len(findings.listed) + len(findings.unshared)))
    assert counts == [(1, 0), (1, 0), (0, 1), (1, 0)]
    assert len(calls) == 2


def test_a_pass_that_is_kept_is_shared_only_where_its_words_are() -> None:
    shared, results = SharedFindings(passes=True), []
    worded = Check(
        title="one", reads=Drives, judge=lambda expectation, record_read: finding_of_wear(expectation, record_read)
    )
    for first_node, record in zip(expectations(), [drives("a"), drives("b"), drives("c"), drives("d")], strict=True):
        named = shared.judge([("named", passing([]))], shared.kind(first_node), first_node, record)
        results.append((len(named.listed), len(named.unshared)))
    assert results == [(0, 1)] * 4
    shared = SharedFindings(passes=True)
    first_node, neighbour, *_ = expectations()
    first, second = (
        shared.judge([("worn", worded)], shared.kind(first_node), first_node, drives(name)) for name in "ab"
    )
    assert first.listed[0][1] is second.listed[0][1]
    assert sentence(second.listed[0][1], neighbour.node.name) == "b: wear 3; expected x (s)"


def finding_of_wear(expectation, record_read) -> Finding:
    wear = record_read.drives[0].percentage_used
    return compare.finding(expectation, Outcome.PASS, what="wear", observed=str(wear), expected="x", source="s")


DECIDED_FOR_EACH_NODE = {"link.cable_part", "link.light", "link.temperature", "nvlink.imex"}
"""They read what equal nodes do not share: the SKU of a cable, which goes with its length, and the neighbours in a domain."""


def test_which_checks_apply_is_decided_once_for_equal_nodes() -> None:
    """Decided for each node, it costs a large site more than most of its checks: a field that `node_view` lacks shows here."""
    design, alone = build.site_design(), set()
    first = {node.role: node.name for node in reversed(list(design.nodes()))}
    for expectation in expect(design, {}, build.limit_table(), first.values()):
        for name, check in judge.node_checks(judge.load_checks()).items():
            try:
                applies = check.applies(node_view(expectation))
            except Exception:  # whatever it was: the engine decides for each node
                alone.add(name)
            else:
                assert applies is check.applies(expectation), name
    assert alone == DECIDED_FOR_EACH_NODE
