"""The section on isolation is drawn from what `rackwright isolate --format json` says."""

import json

import pytest

from rackwright.cli.main import main
from rackwright.report import build, isolation, pdf, render
from tests import build as sites
from tests.unit.report.conftest import tiny_handover


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict:
    out = tmp_path_factory.mktemp("isolation") / "said"
    with pytest.MonkeyPatch.context() as patch, out.open("w") as stream:
        patch.setattr("sys.stdout", stream)
        fault = ["--simulate", "--faults", "rail:train-003/mlx5_4"]
        assert main(["isolate", str(sites.EXAMPLE), "--nodes", "8", *fault, "--format", "json"]) == 1
    return {**json.loads(out.read_text()), "run": "r1", "at": "2026-11-22T01:00:00+00:00", "fabric": "compute"}


def test_what_is_faulty_and_how_much_was_exercised_is_shown(told) -> None:
    card = isolation.card(told)
    assert card is not None
    assert card.headline.startswith("1 faulty part found in ")
    [found] = card.found
    assert (found.kind, found.name, found.node) == ("rail", "train-003/mlx5_4", "train-003")
    assert {"nodes", "rails", "switches"} <= {one.kind for one in card.cover}
    page = render.page(build.report(tiny_handover(isolation=told), lambda _: ""))
    assert '<a href="#isolation">Isolation</a>' in page
    assert "rail train-003/mlx5_4" in page
    assert pdf.to_pdf(build.report(tiny_handover(isolation=told), lambda _: ""))


def test_what_is_not_settled_is_said(told) -> None:
    open_ = {
        "complete": False,
        "found": [],
        "open": [{"node": "train-001", "probability": 0.4}],
        "untested": ["train-002", "train-003", "train-004"],
        "not_run": [{"nodes": ["train-005", "train-006"], "why": "no launcher"}],
        "explanations": [{"parts": [{"kind": "cable", "one_of": ["a:1", "a:2"]}], "probability": 0.6}],
    }
    card = isolation.card(told | open_)
    assert card is not None
    assert card.headline.startswith("Nothing faulty found")
    assert card.headline.endswith("; it ended before it was finished.")
    assert card.doubts[:4] == [
        "train-001 is open: faulty with 40%",
        "No test ran on train-002 to train-004",
        "A test of train-005, train-006 did not run: no launcher",
        "Bad readings would fit cable one of a:1, a:2 (60%)",
    ]


def test_without_a_search_there_is_no_section() -> None:
    page = render.page(build.report(tiny_handover(), lambda _: ""))
    assert isolation.card(None) is None
    assert "#isolation" not in page
