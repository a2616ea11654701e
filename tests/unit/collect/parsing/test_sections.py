"""Sections of an output, and the number of a line in them."""

from rackwright.collect.parsing import sections

OUTPUT = "before\n== one\na\n\nb \n== two\n== one\nc\n"


def test_sections_hold_their_lines_without_blank_ones():
    assert sections.read(OUTPUT) == {"one": ["a", "b ", "c"], "two": []}


def test_an_output_without_headers_has_no_sections():
    assert sections.read("") == {}
    assert sections.read("a\n ==b\n") == {}


def test_a_line_is_found_by_its_section_and_index():
    assert [sections.number(OUTPUT, "one", index) for index in range(3)] == [3, 5, 8]
    assert sections.number(OUTPUT, "two", 0) == 1
