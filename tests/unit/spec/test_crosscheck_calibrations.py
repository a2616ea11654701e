from __future__ import annotations

import pytest


@pytest.fixture
def problems(problems_of, example_data):
    """Codes and paths of what is wrong with the example when it declares `calibrations`."""

    def find(*calibrations):
        example_data["acceptance"]["calibrations"] = [{"signed_by": "A. Engineer", **terms} for terms in calibrations]
        return problems_of(example_data)

    return find


def test_a_server_of_the_site_may_be_calibrated(problems):
    assert problems({"server": "dgx-h100", "nodes": 31}) == set()


@pytest.mark.parametrize(
    ("terms", "code", "field"),
    [
        ({"server": "gb300-nvl72"}, "spec.unknown_server", "server"),
        ({"server": "dgx-h100", "nodes": 32}, "spec.too_many", "nodes"),
        ({"server": "dgx-h100", "nodes": 3}, "spec.value", "nodes"),
        ({"server": "dgx-h100", "runs": 1}, "spec.value", "runs"),
        ({"server": "dgx-h100", "scatter": 1}, "spec.value", "scatter"),
        ({"server": "dgx-h100", "signed_by": ""}, "spec.value", "signed_by"),
    ],
)
def test_terms_that_nothing_can_meet_are_refused(problems, terms, code, field):
    [(_, path)] = wrong = list(problems(terms))
    assert path == f"acceptance.calibrations[0].{field}"
    assert wrong[0][0] == code or code == "spec.value"


def test_a_server_is_calibrated_once(problems):
    assert problems({"server": "dgx-h100"}, {"server": "dgx-h100"}) == {
        ("spec.double_calibration", "acceptance.calibrations[1].server")
    }
