"""Records on a sheet come back as they were, and what is alike is kept and made once."""

from __future__ import annotations

import pytest

from rackwright.model.base import Record
from rackwright.model.evidence.fabric import FabricLink, LinkTable, Manager, Subnet, Subnets
from rackwright.model.layout import columns, layout
from rackwright.model.record_columns import sheet


class Lane(Record):
    rate: float


class Port(Record):
    serial: str
    lanes: list[Lane]
    module: Lane | None = None


class Card(Record):
    name: str
    ports: dict[str, Port | None]
    words: list[str] = []


class Keyed(Record):
    by_number: dict[int, str]


def card(name="a", rates=((1.0,),), **fields) -> Card:
    ports = {
        f"p{place}": Port(serial=f"s{place}", lanes=[Lane(rate=entry) for entry in private])
        for place, private in enumerate(rates)
    }
    return Card(name=name, ports=ports, **fields)


def back(*cards: Card) -> list[Card]:
    on = sheet(Card, cards)
    return [on.record(place) for place in range(on.height)]


@pytest.mark.parametrize(
    "cards",
    [
        [card()],
        [card(), card()],
        [card("a"), card("b")],
        [card(rates=()), card(rates=((1.0, 2.0), ()))],
        [card(rates=((1.0,), (2.0, 3.0))), card(rates=((1.0, 2.0), (3.0,)))],
        [card(rates=((0.0,),)), card(rates=((-0.0,),))],
        [card(rates=((float("inf"),),)), card(rates=((1e22,),))],
        [card(words=["tab\t", "line\n", "ümlaut"]), card(words=[])],
        [Card(name="none", ports={"p0": None}), Card(name="none", ports={"p1": None})],
        [Card(name="module", ports={"p0": Port(serial="", lanes=[], module=Lane(rate=rate))}) for rate in (1.0, 2.0)],
    ],
)
def test_every_row_is_the_record_that_it_was_made_of(cards) -> None:
    for result in (back(*cards), back(*reversed(cards))[::-1]):
        assert result == cards
        assert repr(result) == repr(cards)


def test_rows_that_are_alike_are_one_record_and_one_cell() -> None:
    alike = sheet(Card, [card("a"), card("a")])
    assert alike.record(0) is alike.record(1)
    on = sheet(Card, [card("a"), card("b")])
    assert on.record(0) is on.record(0)
    assert on.record(0).ports["p0"].lanes[0] is on.record(1).ports["p0"].lanes[0]
    assert {column for column, cells in on.cells.items() if len(cells) > 1} == {((), "name")}


def test_keys_differ_where_values_differ_as_they_print() -> None:
    on = sheet(Card, [card(rates=((entry,),)) for entry in (0.0, -0.0, 1.0, 1.0)])
    keys = on.keys([(("ports", "lanes"), "rate")])
    assert keys[2] == keys[3]
    assert len(set(keys)) == 3


def test_which_labels_are_the_same_is_a_column_of_its_own() -> None:
    def ports(*serials: str) -> Card:
        return Card(name="a", ports={str(place): Port(serial=entry, lanes=[]) for place, entry in enumerate(serials)})

    keys = sheet(Card, [ports("x", "y"), ports("v", "w"), ports("x", "x"), ports("x", "")]).keys(
        [(("ports",), "=serial")]
    )
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_what_json_does_not_give_back_is_known() -> None:
    assert layout(Card).exact
    assert not layout(Keyed).exact
    assert (("ports", "lanes"), "rate") in columns(Card)
    with pytest.raises(ValueError, match="surrogate"):
        sheet(Card, [card("\ud800")])


def test_a_table_of_links_is_kept_as_it_packs_itself() -> None:
    link = FabricLink(
        guid="0x0000000000000001", kind="Ca", name="train-001 mlx5_0", port=1, remote_guid="0x0000000000000002",
        remote_kind="Switch", remote_name="leaf", remote_port=3, speed="4xNDR",
    )  # fmt: skip
    observed = [
        Subnets(
            subnets={"a": Subnet(managers=[Manager(guid="0x1", priority=1, state=3)], links=LinkTable.of(links))},
            unread={},
        )
        for links in ([link], [])
    ]
    on = sheet(Subnets, observed)
    assert [on.record(place) for place in range(2)] == observed
    for text in ("no base64!", "bm8gdGFibGU="):
        with pytest.raises(ValueError, match=r"table|base64|Only"):
            LinkTable.unpacked(text)


def test_an_outline_has_the_chosen_fields_at_every_depth_and_no_others() -> None:
    def named(kind):
        return {Card: ["name", "ports"], Port: ["serial", "module"], Lane: ["rate"]}[kind]

    modules = {f"p{rate}": Port(serial=f"s{rate}", lanes=[], module=Lane(rate=rate)) for rate in (1.0, 2.0)}
    cards = [card("a"), Card(name="b", ports={**modules, "p": None}), card("a", rates=((1.0, 2.0), ()))]
    on = sheet(Card, cards)
    for place, full in enumerate(cards):
        outline = on.outline(place, named)
        assert vars(outline).keys() == {"name", "ports"}
        assert (outline.name, outline.ports.keys()) == (full.name, full.ports.keys())
        for name, port in full.ports.items():
            outlined = outline.ports[name]
            assert (outlined and vars(outlined)) == (port and {"serial": port.serial, "module": port.module})
    assert back(*cards) == cards, "whole records are made beside outlines"


def test_a_record_takes_over_the_fields_that_were_read_alone() -> None:
    cards = [card("a"), card("b", rates=((1.0, 2.0), ())), card("a", rates=((3.0,),), words=["w"])]
    on = sheet(Card, cards)
    ports = [on.field(place, "ports") for place in (0, 1)]  # of several rows before the first record
    assert on.record(2) == cards[2], "a row of which nothing was read"
    for place in (1, 0):
        assert on.record(place) == cards[place]
        assert on.record(place).ports is ports[place], "its parts are not made again"
    assert repr([on.record(place) for place in range(3)]) == repr(cards)
    assert on.field(2, "words") == ["w"]
