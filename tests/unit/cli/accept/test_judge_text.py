"""What people read of a judgement: equal lines are printed once, and the most important comes last."""

from __future__ import annotations

from collections import Counter

from rackwright.cli.accept.judge_text import counted
from rackwright.model.verdict import Outcome


def lines(*verdicts: tuple[Outcome, str, str, str]) -> list[str]:
    return list(counted(verdicts, Counter(verdict[0] for verdict in verdicts), 9))


def test_nodes_of_which_the_same_is_said_share_a_line() -> None:
    nodes = [f"train-{number:03d}" for number in (1, 2, 3, 7)]
    verdicts = [(Outcome.NOT_RUN, "rail.port", node, f"{node}: no reading was taken") for node in nodes]
    assert lines(*verdicts)[0].split(maxsplit=2) == [
        "NOT_RUN",
        "rail.port",
        "train-[001-003,007]: no reading was taken",
    ]


def test_many_checks_with_one_reason_share_a_line() -> None:
    reason = "n1: no Bmc reading: it cannot be reached"
    verdicts = [(Outcome.INCONCLUSIVE, f"bmc.{name}", "n1", reason) for name in ("bios", "fans", "sel")]
    first, names, *_ = lines(*verdicts)
    assert (first.split(maxsplit=3), names) == (
        ["INCONCLUSIVE", "3", "checks", reason],
        "              bmc.bios, bmc.fans, bmc.sel",
    )
    assert len(lines(*verdicts[:2])) == 2 + 2


def test_other_words_other_checks_and_other_outcomes_stand_alone() -> None:
    verdicts = [
        (Outcome.FAIL, "gpu.count", "n1", "n1: 7 of 8"),
        (Outcome.FAIL, "gpu.count", "n2", "n2: 6 of 8"),
        (Outcome.FAIL, "gpu.memory", "n2", "n2: 7 of 8"),
        (Outcome.DEGRADED, "gpu.count", "n3", "n3: 7 of 8"),
    ]
    assert len(lines(*verdicts)) == len(verdicts) + 2


def test_a_sentence_that_does_not_begin_with_the_node_is_left_as_it_is() -> None:
    verdicts = [(Outcome.FAIL, "a.b", node, "rack-1: too hot") for node in ("n1", "n2")]
    assert lines(*verdicts)[0].split(maxsplit=2)[2] == "rack-1: too hot"


def test_failures_stand_last_in_the_order_of_nodes() -> None:
    outcomes = [Outcome.FAIL, Outcome.NOT_RUN, Outcome.INCONCLUSIVE, Outcome.DEGRADED]
    verdicts = [(outcome, "a.b", node, f"{node}: {node}") for node in ("n2", "n1") for outcome in outcomes]
    counts = [tuple(line.split()[::2]) for line in lines(*verdicts)[:-2]]
    assert counts == [
        (outcome, f"{node}:") for outcome in ("NOT_RUN", "DEGRADED", "INCONCLUSIVE", "FAIL") for node in ("n2", "n1")
    ]
