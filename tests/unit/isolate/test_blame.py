"""What blames a part, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.isolate import search_settings
from rackwright.isolate.blame import BadTest, confirms
from rackwright.judge.limits import load

NOISE, SMALL = replace(search_settings(load()).noise, sigma=0.015, weakest=0.05), 0.1


def bad(*tests):
    return [BadTest(frozenset(partners), 1.0 - loss) for partners, loss in tests]


@pytest.mark.parametrize(
    ("tests", "blamed"),
    [
        pytest.param(bad(({1, 2}, 0.3), ({3, 4}, 0.28)), True, id="other partners each time"),
        pytest.param(bad(({1, 2}, 0.3), ({3, 4}, 0.2)), False, id="another loss each time, in groups alone"),
        pytest.param(bad(({1, 2}, 0.3), ({3}, 0.2)), True, id="another loss each time, in a pair as well"),
        pytest.param(bad(({1, 2}, 0.3)), False, id="one test"),
        pytest.param(bad(({1, 2}, 0.3), ({2, 3}, 0.3)), False, id="a partner in both"),
        pytest.param(bad(({1, 2}, 0.3), ({2, 3}, 0.3), ({1, 3}, 0.3)), True, id="no partner in all"),
        pytest.param(bad(({1, 2}, 0.06), ({3, 4}, 0.08)), False, id="a small loss in groups alone"),
        pytest.param(bad(({1, 2}, 0.06), ({3}, 0.08)), True, id="a small loss in a pair as well"),
        pytest.param(bad(({1}, 0.04), ({3}, 0.05)), False, id="less than a fault"),
    ],
)
def test_what_blames_a_part(tests, blamed):
    assert confirms(tests, NOISE, SMALL) is blamed
