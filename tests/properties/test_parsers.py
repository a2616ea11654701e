"""Every parser reads a mutated output or refuses it as `ParseError`; a sensor without a reading leaves its card and its neighbours alone."""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from rackwright.collect import collector
from tests import parser_fuzz
from tests.examples import examples

IDENTITIES = sorted(collector.library())
SENSORS = {
    "brsmi": r"(?<=, )\d+$",
    "hl_smi": r"(?<=, )\d+(?=, \d+, \d+, \d+$)|(?<=, )\d+(?=, \d+, \d+$)|(?<=, )\d+(?=, \d+$)|(?<=, )\d+$",
    "hy_smi": r"(?<=\(W\)\": \")[\d.]+|(?<=\(C\)\": \")[\d.]+|(?<=\(MiB\)\": \")\d+",
    "mthreads_gmi": r"(?<=\|)\d+x\(\d+x\)|(?<=\|)\d+C|(?<=\|)\d+%|\d+MiB\(\d+MiB\)",
    "mx_smi": r"\d+W / \d+W|\d+C\b|\d+/\d+ MiB",
    "npu_smi": r"(?<=\| )\d+\.\d(?= )|\d+(?= {8,}\d+ +/ \d+ +\|$)|\d+ */ \d+(?= +\|$)|(?<=Count : )\d+",
}
"""Tool -> the cells of its table in which it may have nothing to say."""
BLANKS = ("N/A", "NA", "-")


@examples(150)
@given(identity=st.sampled_from(IDENTITIES), seed=st.integers(0, 2**32))
def test_a_parser_reads_a_mutated_output_or_refuses_it(identity, seed):
    chance = random.Random(seed)
    for _ in range(20):
        output = parser_fuzz.mutated(identity, chance)
        assert parser_fuzz.trouble(identity, output) == "", output[:2000]


@examples(60)
@given(data=st.data())
def test_a_sensor_without_a_reading_removes_no_card_and_overwrites_no_neighbour(data):
    identity = data.draw(st.sampled_from(sorted(SENSORS)))
    output = data.draw(st.sampled_from(parser_fuzz.readable(identity)))
    cells = list(re.finditer(SENSORS[identity], output, re.MULTILINE))
    cell = data.draw(st.sampled_from(cells))
    blank = output[: cell.start()] + data.draw(st.sampled_from(BLANKS)).ljust(len(cell[0])) + output[cell.end() :]
    parse = collector.library()[identity].parse
    before, after = parse(output).devices, parse(blank).devices
    assert [(device.index, device.uuid) for device in after] == [(device.index, device.uuid) for device in before]
    pairs = [(device, blanked) for device, blanked in zip(before, after, strict=True) if device != blanked]
    assert len({device.serial or device.uuid for device, _ in pairs}) <= 1, pairs
    for device, blanked in pairs:
        for name in type(device).model_fields:
            assert getattr(blanked, name) in (getattr(device, name), None, 0) or name == "power_watts", name
