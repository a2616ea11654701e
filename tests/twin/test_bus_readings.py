"""Tools of the bus and the kernel log on a booted host answer their collectors, and nothing stands in the way of the real ones."""

import shlex

import pytest

from rackwright.collect import collector

pytestmark = pytest.mark.twin


@pytest.mark.parametrize("identity", ["lspci", "kernel_log"])
def test_a_simulated_tool_answers_its_collector(twin, identity):
    entry = collector.library()[identity]
    record = entry.parse(twin.say(f"ssh train-001 {shlex.quote(shlex.join(entry.command))}"))
    assert type(record) is entry.produces


def test_other_words_go_to_the_real_tool(twin):
    assert "10de" in twin.say("ssh train-001 lspci -D -n")
