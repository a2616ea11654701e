"""Lines of a subnet are read by a quick pattern where it is sure, and to the same end as by the whole one."""

import pickle
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.base import content, yaml_text
from rackwright.collect.collector import ParseError
from rackwright.model.evidence.fabric import LinkTable

CASES = Path(__file__).resolve().parents[2] / "cases" / "collectors"
FABRIC = content.module("validators", "collectors", "fabric")
NAMES = st.lists(st.sampled_from([*'a" é', '" lid 4 2xHDR']), max_size=6).map("".join)
GAPS = st.sampled_from(["\t", " \t", "\t\t", "\u2003"])
TAILS = st.sampled_from(["", " ", " x", ' "', "é", "\u2003x", '" lid 9 1xSDR'])


@st.composite
def port(draw: st.DrawFn) -> str:
    """A line of a port, mostly one that is no other than the tool prints."""
    near, far = (
        draw(st.sampled_from(["", "(100004)", "(x)"])),
        draw(st.sampled_from(["", "(0002c9030010aa01)", "[ext 3]"])),
    )
    lid, gap = draw(st.sampled_from(["", "lid 3 lmc 0 ", " "])), draw(GAPS)
    return f'[7]{near}{gap}"S-00000000000000aa"[2]{far}{gap}# {lid}"{draw(NAMES)}" lid 2 4xNDR{draw(TAILS)}'


@st.composite
def header(draw: st.DrawFn) -> str:
    """A line of a switch."""
    return f'Switch{draw(GAPS)}64 "S-00000000000000aa"{draw(GAPS)}# "{draw(NAMES)}"{draw(TAILS)}'


@given(st.lists(port(), min_size=1, max_size=5))
def test_a_port_is_read_as_by_the_whole_pattern(lines: list[str]) -> None:
    _same(lines, FABRIC.PORT)


@given(st.lists(header(), min_size=1, max_size=5))
def test_a_header_is_read_as_by_the_whole_pattern(lines: list[str]) -> None:
    _same(lines, FABRIC.HEADER)


def test_the_usual_line_is_read_by_the_quick_pattern() -> None:
    line = '[1](100004) \t"S-0000000000200000"[2]\t\t# lid 7 lmc 0 "leaf-01" lid 2 4xSDR'
    quick = FABRIC._groups(_table([line]), FABRIC._usual(FABRIC.PORT))
    assert quick["remote_name"].to_list() == ["leaf-01"]
    assert quick["speed"].to_list() == ["4xSDR"]


def test_a_name_may_hold_quotation_marks() -> None:
    text = 'Switch\t8 "S-0000000000200001"\t\t# "a "b" c" base port 0\n[1]\t"S-0000000000200002"[3]\t\t# "d" e" lid 6 4xSDR\n'
    [link] = FABRIC.parse(text).links
    assert (link.name, link.remote_name, link.speed) == ('a "b" c', 'd" e', "4xSDR")


CASE = yaml_text.load((CASES / "fabric" / "two_rails.yaml").read_text())["output"]


def test_links_are_the_same_whenever_they_are_taken_apart() -> None:
    at_once = FABRIC.links(CASE)
    assert FABRIC.parse(CASE).links == at_once
    assert pickle.loads(pickle.dumps(FABRIC.parse(CASE).links)) == at_once
    later = FABRIC.parse(CASE).links
    for _ in range(2):
        for kind in ("Ca", "Switch", "Rt"):
            assert LinkTable(later.of_kind(kind)) == LinkTable.of(link for link in at_once if link.kind == kind)
        assert len(later) == len(at_once)
    assert later.switch_ends.names


@pytest.mark.parametrize("wrong", ["[1] nothing", 'Switch\t8 "S-1"', "what is this"])
def test_a_line_that_cannot_be_read_is_told_at_once(wrong: str) -> None:
    with pytest.raises(ParseError, match=r"^line 15: "):
        FABRIC.parse("\n".join([*CASE.split("\n")[:14], wrong, *CASE.split("\n")[14:]]))


def test_a_port_of_no_node_is_told_at_once() -> None:
    with pytest.raises(ParseError, match=r"^line 1: "):
        FABRIC.parse('[1]\t"S-0000000000200002"[3]\t\t# "d" lid 6 4xSDR\n' + CASE)


def _same(lines: list[str], pattern: str) -> None:
    table = _table(lines)
    assert FABRIC._matched(table, pattern).equals(FABRIC._groups(table, pattern))


def _table(lines: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"number": range(len(lines)), "line": lines})
