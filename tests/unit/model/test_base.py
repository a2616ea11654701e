"""Records that are `unvalidated` are like those that are validated, in everything that is done with records."""

import pickle

import pytest
from pydantic import ValidationError

from rackwright.model.evidence.collective import CollectiveRow, NodeCollectives

ROW = {
    "bytes": 16,
    "in_place": True,
    "microseconds": 1.5,
    "algbw_gbytes_per_s": 2.0,
    "busbw_gbytes_per_s": 3.0,
    "wrong": None,
}


def test_a_made_record_equals_the_validated_one():
    unvalidated, validated = CollectiveRow.unvalidated(**ROW), CollectiveRow(**ROW)
    assert unvalidated == validated
    assert repr(unvalidated) == repr(validated)
    assert unvalidated.model_dump_json() == validated.model_dump_json()
    assert unvalidated.model_fields_set == validated.model_fields_set


def test_a_made_record_can_be_copied_and_sent_between_processes():
    unvalidated = CollectiveRow.unvalidated(**ROW)
    assert pickle.loads(pickle.dumps(unvalidated)) == unvalidated
    assert unvalidated.model_copy(update={"wrong": 3}) == CollectiveRow(**(ROW | {"wrong": 3}))
    assert CollectiveRow.unvalidated(**ROW).model_fields_set == set(ROW)


def test_a_made_record_is_frozen():
    with pytest.raises(ValidationError, match="frozen"):
        CollectiveRow.unvalidated(**ROW).wrong = 0


def test_a_record_of_another_kind_is_refused_where_it_stands():
    with pytest.raises(ValidationError, match=r"results\.0"):
        NodeCollectives(results=[CollectiveRow.unvalidated(**ROW)])
