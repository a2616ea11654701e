import json

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.collect import rounds_file

KNOWN = [f"train-00{number}" for number in range(1, 5)]


def line(turn, *nodes, **more):
    return json.dumps({"round": turn, "nodes": nodes, **more}) + "\n"


def test_groups_come_by_the_number_of_their_round():
    text = (
        line(2, "train-001", "train-003")
        + "\n"
        + line(1, *KNOWN[:2], over="fabric")
        + line(2, "train-002", "train-004")
    )
    assert rounds_file.parse_rounds(text, "tests.jsonl", KNOWN) == [
        [("train-001", "train-002")],
        [("train-001", "train-003"), ("train-002", "train-004")],
    ]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("nonsense\n", "f:1", "found:    nonsense"),
        ('{"round": 1}\n', "f:1", "a line with"),
        ("[]\n", "f:1", "a line with"),
        (line(1, "train-009"), "f:1", "found:    train-009"),
        (line(1), "f:1", "found:    none"),
        (line(1, "train-001", "train-001"), "f:1", "take part once in round 1"),
        (line(1, *KNOWN[:2]) + line(1, *KNOWN[1:3]), "f:2", "found:    train-002"),
        ("", "f", "an empty file"),
    ],
)
def test_what_is_no_round_is_said_with_its_line(text, place, words):
    with pytest.raises(ProblemsError) as refused:
        rounds_file.parse_rounds(text, "f", KNOWN)
    assert words in str(refused.value)
    assert refused.value.problems[0].place == place


def test_every_mistake_is_told_at_once():
    with pytest.raises(ProblemsError) as refused:
        rounds_file.parse_rounds("x\n" + line(1, "y") + line(1, "train-001"), "f", KNOWN)
    assert [problem.place for problem in refused.value.problems] == ["f:1", "f:2"]
