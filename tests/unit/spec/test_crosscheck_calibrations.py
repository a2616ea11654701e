from __future__ import annotations

import pytest
import yaml

from rackwright import spec
from rackwright.base.errors import ProblemsError


@pytest.fixture
def problems(tmp_path, example_site):
    """Codes and paths of what is wrong with the example when it declares `calibrations`."""

    def find(*calibrations):
        site = yaml.safe_load(example_site.read_text())
        site["acceptance"]["calibrations"] = [{"signed_by": "A. Engineer", **terms} for terms in calibrations]
        file = tmp_path / "site.yaml"
        file.write_text(yaml.safe_dump(site))
        try:
            spec.load(file)
        except ProblemsError as error:
            return {(problem.code, problem.path) for problem in error.problems}
        return set()

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
