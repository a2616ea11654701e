"""Lines of a subnet are read by a quick pattern where it is sure, and to the same end as by the whole one."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from rackwright import content

FABRIC = content.module("validators", "collectors", "fabric")
NAMES = st.lists(st.sampled_from([*'a" é', '" lid 4 2xHDR']), max_size=6).map("".join)
GAPS = st.sampled_from(["\t", " \t", "\t\t", "\u2003"])
TAILS = st.sampled_from(["", " ", " x", ' "', "é", "\u2003x", '" lid 9 1xSDR'])


@st.composite
def port(draw: st.DrawFn) -> str:
    """A line of a port, mostly one that is no other than the tool prints."""
    own, far = (
        draw(st.sampled_from(["", "(100004)", "(x)"])),
        draw(st.sampled_from(["", "(0002c9030010aa01)", "[ext 3]"])),
    )
    lid, gap = draw(st.sampled_from(["", "lid 3 lmc 0 ", " "])), draw(GAPS)
    return f'[7]{own}{gap}"S-00000000000000aa"[2]{far}{gap}# {lid}"{draw(NAMES)}" lid 2 4xNDR{draw(TAILS)}'


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


def _same(lines: list[str], pattern: str) -> None:
    table = _table(lines)
    assert FABRIC._matched(table, pattern).equals(FABRIC._groups(table, pattern))


def _table(lines: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"number": range(len(lines)), "line": lines})
