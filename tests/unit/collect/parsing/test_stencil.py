"""Stencils: what varies is cut out, what is equal is read once, and a hole that does more than fill its field is none."""

import json

import pytest

from rackwright.collect.parsing.stencil import Hole, Stencil
from rackwright.model.base import Record


class Thing(Record):
    name: str
    grams: int
    kilograms: float
    color: str | None = None


class Reader:
    """Counts how often it is asked."""

    def __init__(self):
        self.read = 0

    def __call__(self, text: str) -> Thing | None:
        self.read += 1
        said = json.loads(text)
        if "color" not in said:
            return None
        return Thing(name=said["name"], grams=said["grams"], kilograms=float(said["kilograms"]), color=said["color"])


HOLES = {
    '"name": "': Hole("name"),
    '"grams": ': Hole("grams", int),
    '"kilograms": ': Hole("kilograms", float),
    '"lot": ': Hole(),
}


def text(**changed) -> str:
    return json.dumps({"name": "a", "grams": 3, "kilograms": 4, "color": "red", "lot": 7} | changed)


def test_equal_objects_are_read_once_and_differ_in_their_holes():
    reader = Reader()
    stencil = Stencil(reader, HOLES)
    found = [stencil.record(text(name=name, grams=at, lot=at)) for at, name in enumerate(["a", "b", ""])]
    assert found == [Thing(name=name, grams=at, kilograms=4.0, color="red") for at, name in enumerate(["a", "b", ""])]
    assert reader.read == 2, "twice for the first one, to see that its holes are holes"


@pytest.mark.parametrize(
    "changed", [{"name": 'a"b\\'}, {"grams": -3}, {"color": None}, {"name": "x, {}"}, {"color": '"grams": 5'}]
)
def test_what_is_no_hole_is_read_as_it_stands(changed):
    found = Stencil(Reader(), HOLES).record(text(**changed))
    assert found == Reader()(text(**changed))


def test_a_solid_part_has_no_holes_and_is_read():
    whole = '{"color": "grams", "extra": [{"grams": 9}], "name": "n", "grams": 1, "kilograms": 2}'
    begin = whole.index("[")
    solid = (begin, whole.index("]") + 1)
    assert Stencil(Reader(), HOLES).record(whole, solid) == Thing(name="n", grams=1, kilograms=2.0, color="grams")
    assert Stencil(Reader(), HOLES).record(whole) is None, "the same place twice: which of them is read is not known"


def test_a_record_that_is_none_stays_none():
    assert Stencil(Reader(), HOLES).record('{"name": "a"}') is None


def test_a_hole_that_fills_another_field_is_refused():
    crossed = HOLES | {'"grams": ': Hole("kilograms", float), '"kilograms": ': Hole("grams", int)}
    assert Stencil(Reader(), crossed).record(text()) is None


def test_a_field_that_hangs_on_the_hole_of_another_one_is_refused():
    def read(given: str) -> Thing:
        said = json.loads(given)
        return Thing(name=said["name"], grams=said["grams"], kilograms=said["grams"] / 1000)

    assert Stencil(read, {'"grams": ': Hole("grams", int)}).record('{"name": "a", "grams": 3}') is None


def test_what_the_reader_refuses_is_raised():
    with pytest.raises(ValueError, match="validation error"):
        Stencil(Reader(), HOLES).record(text(color=3))
