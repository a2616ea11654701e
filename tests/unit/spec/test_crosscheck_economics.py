from __future__ import annotations

import pytest


@pytest.fixture
def problems(problems_of, example_data):
    """Codes and paths of what is wrong with the example after `more` was added."""

    def find(**more):
        return problems_of({**example_data, **more})

    return find


@pytest.mark.parametrize("key", ["dgx-h100", "qm9700", "cat6@2", "dgx-h100:psu", "qm9700:psu", "h100-sxm"])
def test_what_can_be_bought_can_be_priced(problems, key):
    assert problems(economics={"prices": {key: 1.0}}) == set()


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("dgx-h10", "unknown_sku"),
        ("cat6@999", "unknown_length"),
        ("dgx-h100:wheel", "unknown_part"),
        ("qm9700:cpu", "unknown_part"),
        ("cat6:psu", "unknown_part"),
    ],
)
def test_a_price_of_nothing_is_a_mistake(problems, key, code):
    assert problems(economics={"prices": {key: 1.0}}) == {(f"spec.{code}", f"economics.prices.{key}")}


def test_list_prices_are_dollars(problems):
    assert problems(economics={"use_list_prices": True, "currency": "EUR"}) == {
        ("spec.wrong_currency", "economics.use_list_prices")
    }


def test_phases_of_units_and_days_that_exist(problems):
    def phase(name="one", pool="train", units=1, start="2027-01-31"):
        return {"name": name, "pool": pool, "scalable_units": units, "start": start}

    assert problems(deployment={"phases": [phase()]}) == set()
    path = "deployment.phases[0]"
    assert problems(deployment={"phases": [phase(start="2027-02-30")]}) == {("spec.no_such_day", f"{path}.start")}
    assert problems(deployment={"phases": [phase(pool="trian")]}) == {("spec.unknown_pool", f"{path}.pool")}
    assert problems(deployment={"phases": [phase(units=2)]}) == {("spec.too_many_units", f"{path}.scalable_units")}
    assert problems(deployment={"phases": [phase(), phase()]}) == {
        ("spec.duplicate_name", "deployment.phases[1].name"),
        ("spec.too_many_units", "deployment.phases[1].scalable_units"),
    }


def test_a_checkpoint_leaves_time_to_work(problems):
    saved = {"tier": "scratch", "parameters_billions": 70.0, "interval_minutes": 5.0}
    job = {"name": "llm", "pool": "train", "kind": "training"}
    assert problems(workloads=[{**job, "checkpoint": {**saved, "write_seconds": 299.0}}]) == set()
    assert problems(workloads=[{**job, "checkpoint": {**saved, "write_seconds": 300.0}}]) == {
        ("spec.no_time_to_work", "workloads[0].checkpoint.write_seconds")
    }
