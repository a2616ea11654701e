"""A whole subnet beside the plan, by numbers: the same as end by end."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rackwright.compare import subnets, switch_name
from rackwright.model.evidence.fabric import FabricLink, LinkTable, Subnet, Subnets
from rackwright.model.wiring import Wiring
from tests import build

EXPECTED = build.expected("ufm-01")
FEW = ("compute-leaf-01", "compute-leaf-02", "compute-spine-01")
HEALTHY = [
    link
    for link in build.healthy_record(Subnets).subnets["mlx5_0"].links
    if (link.kind == "Ca" or link.name in FEW) and (link.port < 3 or link.port in (33, 34))
]
AT_SWITCHES = [place for place, link in enumerate(HEALTHY) if link.kind == "Switch"]
TRUNKS = [place for place in AT_SWITCHES if HEALTHY[place].remote_kind == "Switch"]
NAMES = st.sampled_from(["lab", "MF0;lab:MQM9790/U1", "MF0;compute-leaf-02:MQM9790/U1", "compute-spine-01", ""])
PORTS = st.sampled_from([0, 1, 33, 34, 64, 65, 129, 999_999_999])
CHANGES = st.one_of(
    st.tuples(st.sampled_from(AT_SWITCHES), st.just("name"), NAMES),
    st.tuples(st.sampled_from(AT_SWITCHES), st.just("port"), PORTS),
    st.tuples(st.sampled_from(TRUNKS), st.just("remote_name"), NAMES),
    st.tuples(st.sampled_from(TRUNKS), st.just("remote_port"), PORTS),
    st.tuples(st.sampled_from(TRUNKS), st.just("remote_kind"), st.just("Ca")),
    st.tuples(st.sampled_from(TRUNKS), st.just("speed"), st.sampled_from(["4xHDR", "8xNDR", "?"])),
)
RATES = {"4xNDR": 400.0, "4xHDR": 200.0, "8xNDR": 800.0}


@st.composite
def tables(draw: st.DrawFn) -> list[FabricLink]:
    """A subnet with some wrong ends, some of them missing."""
    links = dict(enumerate(HEALTHY))
    for place, field, value in draw(st.lists(CHANGES, max_size=8)):
        links[place] = links[place].model_copy(update={field: value})
    for place in draw(st.lists(st.sampled_from(AT_SWITCHES), max_size=3)):
        links.pop(place, None)
    return list(links.values())


def subnet(links: list[FabricLink]) -> Subnet:
    return Subnet(managers=[], links=LinkTable.of(links))


def near(link: FabricLink) -> subnets.End:
    return switch_name(link.name), link.port


def far(link: FabricLink) -> subnets.End:
    return switch_name(link.remote_name), link.remote_port


def trunks(links: list[FabricLink]) -> list[FabricLink]:
    return [link for link in links if link.kind == link.remote_kind == "Switch"]


def plan() -> dict[subnets.End, tuple[str, subnets.End | None, int]]:
    rows = EXPECTED.wiring.switch_ports.iter_rows(named=True)
    return {
        (row["switch"], row["number"]): (
            row["cable"],
            (row["far_switch"], row["far_number"]) if row["far_switch"] else None,
            row["gbps"],
        )
        for row in rows
    }


@given(tables())
def test_misplaced_ends_are_those_found_one_by_one(links: list[FabricLink]) -> None:
    read = {near(link)[0] for link in links if link.kind == "Switch"}
    far_ends = {near(link): far(link) for link in trunks(links)}
    planned = {
        end: subnets.Trunk(cable, far_end)
        for end, (cable, far_end, _) in plan().items()
        if far_end is not None and (end[0] in read or far_end[0] in read)
    }
    wrong = {end: trunk for end, trunk in planned.items() if far_ends.get(end) != trunk.far}
    requested = {*wrong, *(trunk.far for trunk in wrong.values())}
    ends = subnets.shown_ends(EXPECTED, subnet(links))
    assert subnets.misplaced_ends(EXPECTED, ends) == (
        wrong,
        {end: far_ends[end] for end in requested if end in far_ends},
    )
    assert subnets.count_cables(EXPECTED, [subnets.planned_ends(EXPECTED, ends)] * 2) == len(
        {trunk.cable for trunk in planned.values()}
    )


@given(tables())
def test_slow_ends_are_those_found_one_by_one(links: list[FabricLink]) -> None:
    good, slow = [], []
    for link in trunks(links):
        cable, far_end, planned = plan().get(near(link), ("", None, 0))
        if far_end is None:
            continue
        place, rate = "cable {} at {} port {}".format(cable, *near(link)), RATES.get(link.speed)
        if rate is not None and rate >= planned:
            good.append(place)
        else:
            slow.append((place, link.speed, rate, planned))
    far_ends, others = subnets.rate_ends(EXPECTED, [subnet(links)] * 2, RATES.get)
    assert subnets.end_names(EXPECTED, far_ends) == list(dict.fromkeys(good))
    assert others == slow * 2


@given(tables())
def test_strangers_are_those_found_one_by_one(links: list[FabricLink]) -> None:
    planned = plan()
    ours = {switch for switch, _ in planned}
    switch_links = [link for link in links if link.kind == "Switch"]
    unknown = dict.fromkeys((link.name, link.guid) for link in switch_links if near(link)[0] not in ours)
    free = [
        (link.remote_name, *near(link)) for link in switch_links if near(link)[0] in ours and near(link) not in planned
    ]
    assert subnets.unplanned_switches(EXPECTED, subnet(links)) == (list(unknown), free)
    rows = subnets.switch_ends([subnet(links)] * 2).rows()
    assert set(rows) == {near(link) for link in trunks(links)}


def test_without_a_plan_every_switch_is_a_stranger() -> None:
    bare = replace(EXPECTED, wiring=Wiring())
    unknown, free = subnets.unplanned_switches(bare, subnet(HEALTHY))
    assert len(unknown) == len({link.guid for link in HEALTHY if link.kind == "Switch"})
    assert not free
    assert subnets.misplaced_ends(bare, subnets.shown_ends(bare, subnet(HEALTHY))) == ({}, {})
    assert subnets.rate_ends(bare, [subnet(HEALTHY)], RATES.get)[1] == []


def test_a_subnet_without_a_switch_shows_nothing() -> None:
    alone = subnet([link for link in HEALTHY if link.kind == "Ca"])
    ends = subnets.shown_ends(EXPECTED, alone)
    assert subnets.misplaced_ends(EXPECTED, ends) == ({}, {})
    assert subnets.count_cables(EXPECTED, [subnets.planned_ends(EXPECTED, ends)]) == 0
    assert subnets.unplanned_switches(EXPECTED, alone) == ([], [])
    assert subnets.switch_ends([alone]).is_empty()


def test_checks_of_a_subnet_share_its_ends_until_the_plan_is_another_one() -> None:
    healthy = subnet(HEALTHY)
    ends = subnets.shown_ends(EXPECTED, healthy)
    assert subnets.shown_ends(EXPECTED, healthy) is ends
    assert subnets.shown_ends(EXPECTED, subnet(HEALTHY)) is not ends
    bare = replace(EXPECTED, wiring=Wiring())
    assert subnets.shown_ends(bare, healthy).switch.max(initial=-1) == -1 != ends.switch.max()
