from __future__ import annotations

from rackwright.compare.blame import JointReading, blame_parts


def trial(*parts: str, low: bool = False) -> JointReading:
    return JointReading(frozenset(parts), low, " and ".join(parts))


def states(names: str, *trials: JointReading) -> dict[str, str]:
    return {part: blamed.state for part, blamed in blame_parts(names.split(), trials).items()}


def test_all_good():
    assert states("a b", trial("a", "b")) == {"a": "good", "b": "good"}


def test_low_with_two_partners_is_bad_and_its_partners_are_not():
    blames = states("a b c d", trial("a", "b", low=True), trial("a", "c", low=True), trial("b", "d"), trial("c", "d"))
    assert blames == {"a": "bad", "b": "good", "c": "good", "d": "good"}


def test_one_partner_that_is_good_elsewhere_is_enough():
    assert states("a b c", trial("a", "b", low=True), trial("b", "c"))["a"] == "bad"


def test_with_one_unknown_partner_both_are_suspects():
    assert states("a b", trial("a", "b", low=True)) == {"a": "suspect", "b": "suspect"}


def test_a_pair_whose_ends_are_good_elsewhere():
    blames = blame_parts(["a", "b"], [trial("a", "b", low=True), trial("a", "c"), trial("b", "c")])
    assert {part: blamed.state for part, blamed in blames.items()} == {"a": "pair", "b": "pair"}
    assert blames["a"].partners == ["b"]


def test_one_between_two_bad_ones_is_not_condemned_by_them():
    blames = states(
        "a b c d e",
        trial("a", "b", low=True),
        trial("a", "d", low=True),
        trial("c", "b", low=True),
        trial("c", "e", low=True),
        trial("d", "e"),
    )
    assert blames["a"] == blames["c"] == "bad"
    assert blames["b"] == "suspect"


def test_a_part_without_a_trial_is_unseen():
    assert states("a z", trial("a", "b"))["z"] == "unseen"


def test_a_pair_that_was_good_together_once() -> None:
    assert states("a b", trial("a", "b", low=True), trial("a", "b")) == {"a": "pair", "b": "pair"}
