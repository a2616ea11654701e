from __future__ import annotations

import pytest

from rackwright.report import finding_text


def test_brief_leaves_out_node_source_and_all_but_the_first_reading(verdict):
    finding = verdict("train-003", "fabric.cabling").model_copy(
        update={
            "observed": "mlx5_0 is on leaf-1; mlx5_1 is on leaf-2; mlx5_2 is on leaf-3",
            "source": "design",
            "says": "train-003: cabling mlx5_0 is on leaf-1; mlx5_1 is on leaf-2; mlx5_2 is on leaf-3, the plan expected (design)",
        }
    )
    assert finding_text.brief(finding) == "Cabling mlx5_0 is on leaf-1 (and 2 more), the plan expected"


def test_a_short_sentence_stays_and_names_keep_their_letters(verdict):
    assert finding_text.brief(verdict("train-001", "x.y", says="mlx5_0 hangs elsewhere")) == "mlx5_0 hangs elsewhere"


def test_readings_of_nothing_are_none():
    assert finding_text.readings("") == []
    assert finding_text.readings("a; b") == ["a", "b"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], ""),
        (["train-001"], "train-001"),
        (["train-001", "train-002"], "train-001, train-002"),
        (["train-001", "train-002", "train-003", "ufm-01"], "train-001 to train-003, ufm-01"),
        (["train-009", "train-010", "train-011", "train-013"], "train-009 to train-011, train-013"),
        (["a", "b", "c"], "a, b, c"),
    ],
)
def test_names_in_a_row_are_a_range(names, expected):
    assert finding_text.names_text(names) == expected


def test_of_many_causes_the_first_is_told_and_kinds_are_words(verdict):
    finding = verdict("train-001", "rail.latency").model_copy(
        update={"observed": "no reading", "says": "train-001: no RailLatency reading: no mpirun; no srun; no ssh"}
    )
    assert finding_text.brief(finding) == "No rail latency reading: no mpirun (and 2 more)"


def test_what_a_tool_says_without_end_is_cut(verdict):
    finding = verdict("train-001", "x.y", says="train-001: " + "no " * 1_000_000)
    assert len(finding_text.readable(finding).says) == finding_text.MOST_LETTERS + 1
    short = verdict("train-001", "x.y")
    assert finding_text.readable(short) is short
