"""How probable a part is follows from all explanations, also from those that are too improbable to be listed."""

from __future__ import annotations

import numpy as np
import pytest

from rackwright.isolate.hypotheses import Explanations, WeightedReading, explain_readings

HIDDEN = 30
"""Parts of which each stands in one bad reading beside the faulty one, and in no good one: nothing speaks for or against them."""


def test_what_stands_hidden_takes_nothing_from_what_is_sure():
    observed = [WeightedReading(np.array([0, part]), 20.0) for part in range(1, HIDDEN + 1)]
    result = explain_readings(observed, lambda _: 0.007)
    assert result.ranked[0].parts == ((0,),)
    assert sum(fit.probability for fit in result.ranked) < 0.99
    assert result.chance((0,)) == pytest.approx(1.0, abs=1e-6)
    assert result.chance((1,)) == pytest.approx(0.007, rel=0.1)
    assert next(iter(result.groups())) == (0,)


def test_without_a_bad_reading_nothing_is_in_question():
    result = explain_readings([WeightedReading(np.array([0, 1]), -5.0)], lambda _: 0.01)
    assert isinstance(result, Explanations)
    assert (result.groups(), result.chance((0,))) == ({}, 0.0)
    assert result.ranked[0].probability == 1.0
