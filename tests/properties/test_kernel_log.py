"""The parser of the kernel log against recorded lines that were cut, joined, repeated and given other numbers: it reads them, or says why not."""

import contextlib
import re
from datetime import datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rackwright.base import yaml_text
from rackwright.collect import collector
from rackwright.compare import kernel
from rackwright.error_codes.kernel_catalogue import load_kernel_catalogue
from tests.examples import examples

CASES = Path(__file__).parents[1] / "cases" / "collectors" / "kernel_log"
OUTPUTS = [yaml_text.load(path.read_text(encoding="utf-8"))["output"] for path in sorted(CASES.glob("*.yaml"))]
LINES = [line for output in OUTPUTS for line in output.splitlines()]
LINES += [
    f"2026-11-21T08:41:07+0000 train-001 kernel: {line.line}" for line in load_kernel_catalogue().by_kind.values()
]
NUMBERS = st.sampled_from(["0", "-1", "9" * 5000, "1e400", "nan", "\u0661\u0662", "0x", ""])


[GREP] = [
    word.removeprefix("--grep=") for word in collector.library()["kernel_log"].command if word.startswith("--grep=")
]


@examples(40)
@given(st.data())
def test_a_node_sends_every_line_that_a_pattern_matches(data):
    """Whatever stands where a pattern leaves room."""
    kind = data.draw(st.sampled_from(sorted(load_kernel_catalogue().by_kind)))
    text = data.draw(st.from_regex(load_kernel_catalogue().expression_of(kind)))
    assert re.search(GREP, text), kind


@st.composite
def mutated(draw):
    """A recorded line with one thing changed."""
    line = draw(st.sampled_from(LINES))
    change = draw(st.integers(0, 4))
    at, upto = sorted((draw(st.integers(0, len(line))), draw(st.integers(0, len(line)))))
    if change == 0:
        return line[:at] + line[upto:]
    if change == 1:
        return line[:at] + draw(st.text(max_size=5)) + line[at:]
    if change == 2:
        numbers = list(re.finditer(r"\d+", line))
        match = draw(st.sampled_from(numbers)) if numbers else None
        return line if match is None else line[: match.start()] + draw(NUMBERS) + line[match.end() :]
    return line[:at] + draw(st.sampled_from(LINES))[at:] if change == 3 else line


@examples(200)
@given(st.lists(mutated(), min_size=1, max_size=12).map("\n".join))
def test_a_log_is_read_or_refused_and_nothing_else(output):
    with contextlib.suppress(collector.ParseError):
        log = collector.library()["kernel_log"].parse(output)
        times = [change.time for change in log.link_changes] + [error.time for error in log.machine_checks]
        assert all(datetime.fromisoformat(time).tzinfo for time in times)
        kernel.link_losses(log.link_changes)
        kernel.most_within(times, kernel.DAY)
