from __future__ import annotations

import pytest

from rackwright.base.errors import UsageError
from rackwright.design.whatif import Loss, SiteChange, apply_changes, parse_scenario


@pytest.mark.parametrize(
    ("text", "losses"),
    [
        ("lose feed A", [("feed", "A")]),
        ("LOSE Feed a", [("feed", "a")]),
        ("lose feed A and feed B", [("feed", "A"), ("feed", "B")]),
        ("lose feeds A and B", [("feed", "A"), ("feed", "B")]),
        ("lose feed A, ups B-1; rack train-r01", [("feed", "A"), ("ups", "B-1"), ("rack", "train-r01")]),
        ("lose psu train-001 2", [("psu", "train-001 2")]),
        ("lose plane compute 1 and lose switch x", [("plane", "compute 1"), ("switch", "x")]),
    ],
)
def test_losses(text, losses):
    assert [(loss.kind, loss.name) for loss in parse_scenario(text).losses] == losses
    assert parse_scenario(text).changes == ()


def test_changes():
    scenario = parse_scenario("add 32 nodes to train and set facility.power.feed_kw=300 and lose feed A")
    assert scenario.changes == (
        SiteChange("pools.train.count", "+32", relative=True),
        SiteChange("facility.power.feed_kw", "300"),
    )
    assert scenario.losses == (Loss("feed", "A"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lose fed A", "did you mean feed?"),
        ("lose", "nothing is called so"),
        ("lose feed", "which feed?"),
        ("burn it down", "cannot be read"),
        ("", "cannot be read"),
        ("add many nodes to train", "cannot be read"),
    ],
)
def test_wrong_words_say_what_may_be_said(text, message):
    with pytest.raises(UsageError) as raised:
        parse_scenario(text)
    assert message in str(raised.value)
    assert "say `lose KIND NAME`" in str(raised.value)


def site() -> dict[str, object]:
    return {"pools": [{"name": "train", "count": 31}], "facility": {"power": {"feed_kw": 400, "feeds": ["A", "B"]}}}


def test_change_finds_items_by_name_and_by_number():
    changed_site = apply_changes(
        site(), parse_scenario("add 32 nodes to train and set facility.power.feeds[1]=C").changes
    )
    assert changed_site["pools"][0]["count"] == 63
    assert changed_site["facility"]["power"]["feeds"] == ["A", "C"]
    assert apply_changes(site(), parse_scenario("remove 3 nodes from train").changes)["pools"][0]["count"] == 28
    assert apply_changes(site(), parse_scenario("set pools[0].count=5").changes)["pools"][0]["count"] == 5


def test_change_leaves_the_site_alone():
    data = site()
    apply_changes(data, parse_scenario("add 1 node to train").changes)
    assert data == site()


@pytest.mark.parametrize(
    "text",
    ["set facility.pwer.feed_kw=3", "add 3 nodes to trian", "set pools[7].count=3", "set facility.power.feed_kw.x=1"],
)
def test_a_path_that_leads_nowhere_is_named(text):
    with pytest.raises(UsageError, match="leads nowhere"):
        apply_changes(site(), parse_scenario(text).changes)
