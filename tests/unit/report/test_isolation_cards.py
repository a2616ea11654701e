"""The section on isolation is drawn from what isolations have kept."""

from rackwright.model.isolation import Blamed, Isolated
from rackwright.report import build, isolation_cards, pdf, render
from tests.unit.report.conftest import tiny_handover


def isolated(**changes) -> Isolated:
    fields = {
        "run": "r1",
        "taken": "2026-11-22T01:00:00+00:00",
        "fabric": "compute",
        "found": [
            Blamed(kind="rail", names=["train-003/mlx5_4"], node="train-003", probability=1.0),
            Blamed(kind="cable", names=["a:1", "a:2"], probability=0.91),
        ],
        "faulty": ["train-003"],
        "cleared": ["train-001", "train-002"],
        "unsettled": ["train-004", "train-005", "train-006"],
        "uncovered": ["a:7"],
        "tests": 12,
        "rounds": 4,
        "complete": True,
    }
    return Isolated.model_validate({**fields, **changes})


def test_what_is_faulty_and_what_is_open_is_shown() -> None:
    [card] = isolation_cards.cards([isolated()])
    assert card.headline == "2 faulty parts found in 12 tests of 4 rounds, 2 nodes cleared."
    assert [(suspect.part, suspect.node, suspect.certain) for suspect in card.faulty] == [
        ("rail train-003/mlx5_4", "train-003", "100%"),
        ("cable one of a:1, a:2", "", "91%"),
    ]
    assert card.doubts == [
        "Neither cleared nor blamed: train-004 to train-006.",
        "Not exercised twice with different partners, so that nothing is known of them: a:7.",
    ]
    page = render.render_page(build.build_report(tiny_handover(isolations=(isolated(),)), lambda _: ""))
    assert '<a href="#isolation">Isolation</a>' in page
    assert "rail train-003/mlx5_4" in page
    assert pdf.to_pdf(build.build_report(tiny_handover(isolations=(isolated(),)), lambda _: ""))


def test_the_newest_of_a_fabric_is_shown() -> None:
    old = isolated(taken="2026-11-20T01:00:00+00:00", run="r0")
    clean = isolated(found=[], faulty=[], complete=False, tests=0)
    cards = isolation_cards.cards([clean, old, isolated(fabric="second")])
    assert [(card.fabric, card.run) for card in cards] == [("compute", "r1"), ("second", "r1")]
    assert cards[0].headline == "Nothing faulty found, 2 nodes cleared; it ended before it was finished."


def test_without_a_search_there_is_no_section() -> None:
    page = render.render_page(build.build_report(tiny_handover(), lambda _: ""))
    assert isolation_cards.cards([]) == []
    assert "#isolation" not in page
