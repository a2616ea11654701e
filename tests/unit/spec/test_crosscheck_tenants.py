"""Tenants, classes, policies and the Kubernetes control plane: every contradiction at its field, with a next step."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.model.site import Site
from rackwright.spec.crosscheck import classes, kubernetes, policies, subnets, tenants

SITE = yaml_text.load((Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml").read_text())
CATALOG = catalog.load()


def problems(check, change):
    data = copy.deepcopy(SITE)
    change(data)
    return list(check(Site.model_validate(data), CATALOG))


@pytest.mark.parametrize("check", [tenants.check, classes.check, policies.check, kubernetes.check, subnets.check])
def test_the_example_is_in_order(check):
    assert problems(check, lambda data: None) == []


def quota(tenant, number, **fields):
    return lambda data: data["tenants"][tenant]["quota"][number].update(fields)


def job(number, **fields):
    return lambda data: data["classes"][number].update(fields)


def policy(kind, **fields):
    return lambda data: data["policies"][kind][0].update(fields)


def rules(*entries):
    first = {"pool": "serve", "classes": ["batch"]}
    return lambda data: data["policies"].update(rules=[{"name": f"r{i}", **first, **e} for i, e in enumerate(entries)])


def addon(**fields):
    return lambda data: data["control"]["kubernetes"]["addons"].update(kueue=fields)


def control(**fields):
    return lambda data: data["control"]["kubernetes"].update(fields)


def second_pool(data):
    """The first pool in two halves."""
    half = data["pools"][0] | {"count": 4, "scalable_unit": 4}
    data["pools"][0:1] = [half, half | {"name": "tune"}]


NIGHT = {"start": "22:00", "end": "06:00", "days": ["sun"]}
MORNING = {"start": "05:00", "end": "09:00", "days": ["mon"]}
NOON = {"start": "06:00", "end": "09:00", "days": ["mon"]}
BROKEN = [
    (tenants, "duplicate_name", "tenants[1].name", lambda d: d["tenants"][1].update(name="research"), "rename one"),
    (tenants, "unknown_accelerator", "tenants[0].quota[0].accelerator", quota(0, 0, accelerator="h100-sxn"), "h100-sxm?"),
    (tenants, "unknown_pool", "tenants[0].quota[0].pool", quota(0, 0, pool="serve"), "name a pool"),
    (tenants, "unknown_lane", "tenants[1].quota[2].lane", quota(1, 2, lane="chatt"), "did you mean chat?"),
    (tenants, "ambiguous_quota", "tenants[0].quota[0]", second_pool, "name the pool"),
    (tenants, "quota_above_capacity", "tenants[1].quota[0].accelerators", quota(1, 0, accelerators=9), "lower a quota"),
    (tenants, "quota_above_capacity", "tenants[1].quota[2].accelerators", quota(1, 2, accelerators=17), "lower a quota"),
    (tenants, "quota_above_capacity", "tenants[0].quota[0].accelerators", quota(0, 0, accelerators=480), "lower a quota"),
    (tenants, "borrows_too_much", "tenants[0].quota[0].borrow", quota(0, 0, borrow=9), "lower it"),
    (tenants, "borrows_unlent", "tenants[0].quota[1].borrow", quota(0, 1, borrow=17), "lower it"),
    (tenants, "borrows_unlent", "tenants[0].quota[1].borrow", quota(1, 1, lend=15), "let others lend more"),
    (tenants, "borrows_unlent", "tenants[0].quota[1].borrow", lambda d: d["tenants"][1]["quota"].pop(1), "give idle"),
    (tenants, "lends_too_much", "tenants[1].quota[1].lend", quota(1, 1, lend=25), "lower it"),
    (tenants, "no_scheduler", "tenants[0].quota[0]", lambda d: d["pools"][0].update(scheduler="none"), "remove the quota"),
    (tenants, "duplicate_quota", "tenants[0].quota[1]",
     lambda d: (quota(0, 1, accelerator="h100-sxm", accelerators=0)(d), quota(1, 1, borrow=0)(d)), "add them up"),
    (tenants, "duplicate_name", "tenants[0].members.groups[1]",
     lambda d: d["tenants"][0]["members"].update(groups=["a", "a"]), "rename one"),
    (tenants, "not_dns", "site", lambda d: d.update(site="mixed-"), "rename it"),
    (classes, "unknown_tenant", "classes[0].tenants[0]", job(0, tenants=["reserch"]), "did you mean research?"),
    (classes, "unknown_pool", "classes[0].pools[0]", job(0, pools=["trian"]), "did you mean train?"),
    (classes, "unknown_workload", "classes[0].workload", job(0, workload="llm"), "name a workload"),
    (classes, "contradiction", "classes[1].maximum", job(1, maximum=4), "lower minimum"),
    (classes, "shape_outside", "classes[0].shapes[0]", job(0, shapes=[{"tensor": 8}]), "change a degree"),
    (classes, "expert_degree", "classes[0].shapes[0].expert", job(0, shapes=[{"tensor": 8, "data": 2, "expert": 3}]), "another"),
    (classes, "of_no_use", "classes[0].latency", job(0, latency={"milliseconds": 5}), "remove it"),
    (classes, "no_interval", "classes[0].checkpoint", job(0, checkpoint={}), "give interval_minutes"),
    (classes, "above_quotas", "classes[0].maximum", job(0, maximum=49), "raise a quota"),
    (classes, "above_quotas", "classes[0].minimum", job(0, minimum=49, maximum=49, shapes=[]), "raise a quota"),
    (policies, "unknown_pool", "policies.reserved[0].pool", policy("reserved", pool="x"), "name a pool"),
    (policies, "unknown_zone", "policies.time_zone", lambda d: d["policies"].update(time_zone="Europe/Stokholm"), "Stockholm?"),
    (policies, "unknown_class", "policies.lanes[0].classes[0]", policy("lanes", classes=["chatt"]), "did you mean chat?"),
    (policies, "not_in_pool", "policies.lanes[0].classes[0]", policy("lanes", classes=["pretrain"]), "name another pool"),
    (policies, "lanes_above_capacity", "policies.lanes[0].nodes", policy("lanes", nodes=9), "lower one"),
    (policies, "two_lanes", "policies.lanes[1].classes[0]",
     lambda d: d["policies"]["lanes"].append(d["policies"]["lanes"][0] | {"name": "b"}), "keep it in one"),
    (policies, "reserved_name", "policies.lanes[0].name",
     lambda d: d["pools"].append(d["pools"][0] | {"name": "serve-chat"}), "rename the lane"),
    (policies, "reserved_name", "policies.lanes[0].name", lambda d: d["tenants"][0].update(name="product-chat"), "rename the lane"),
    (policies, "empty_rule", "policies.rules[0]", rules({}), "give floor or ceiling"),
    (policies, "empty_window", "policies.rules[0].window", rules({"floor": 8, "window": {"start": "08:00", "end": "08:00"}}), "leave"),
    (policies, "contradiction", "policies.rules[0].floor", rules({"floor": 9, "ceiling": 8}), "lower it"),
    (policies, "contradiction", "policies.rules[0].ceiling", rules({"classes": ["fine-tune"], "ceiling": 7}), "raise it"),
    (policies, "two_lanes", "policies.rules[0].classes", rules({"classes": ["chat", "batch"], "floor": 8}), "for each lane"),
    (policies, "floors_above_capacity", "policies.rules[0].floor", rules({"floor": 41}), "lower one"),
    (policies, "floors_above_capacity", "policies.rules[1].floor",
     rules({"floor": 24, "window": NIGHT}, {"floor": 17, "window": MORNING, "classes": ["fine-tune"]}), "lower one"),
    (policies, "two_bounds", "policies.rules[1].ceiling", rules({"ceiling": 24}, {"ceiling": 16, "window": NIGHT}), "keep one"),
    (kubernetes, "unknown_add-on", "control.kubernetes.addons.kuee",
     lambda d: control(addons={"kuee": {"version": "0.14.0"}})(d), "did you mean kueue?"),
    (kubernetes, "no_version", "control.kubernetes.addons.kueue", addon(), "give version"),
    (kubernetes, "unknown_release", "control.kubernetes.addons.kueue.version", addon(version="0.13.4"), "name a release"),
    (kubernetes, "unsupported", "control.kubernetes.addons.kueue.version",
     lambda d: (control(version="1.28.3")(d), d["software"]["pools"]["serve"].update(kubernetes="1.28.1")), "choose an older"),
    (kubernetes, "kubelet_skew", "control.kubernetes.version", control(version="1.33.9"), "in the bill of the pool"),
    (kubernetes, "kubelet_skew", "control.kubernetes.version", control(version="1.38.0"), "in the bill of the pool"),
    (kubernetes, "not_a_release", "control.kubernetes.version", control(version="stable"), "write the whole release"),
    (subnets, "subnets_overlap", "control.kubernetes.network.services",
     lambda d: d["control"]["kubernetes"]["network"].update(services="10.80.4.0/22"), "choose another subnet"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("module", "code", "path", "change", "step"), BROKEN, ids=[f"{code}-{path}" for _, code, path, _, _ in BROKEN]
)
def test_contradictions(module, code, path, change, step):
    findings = problems(module.check, change)
    assert findings[0].path == path
    assert {problem.code for problem in findings} == {f"spec.{code}"}
    assert step in findings[0].next_step
    assert findings[0].expected
    assert findings[0].found


def test_a_quota_of_unknown_accelerators_is_no_problem_of_the_classes() -> None:
    assert problems(classes.check, quota(0, 0, accelerator="h100-sxn")) == []


ALLOWED = {
    "floors that do not meet": rules(
        {"floor": 24, "window": NIGHT}, {"floor": 17, "window": NOON, "classes": ["fine-tune"]}
    ),
    "a ceiling below the class for some hours": rules({"classes": ["fine-tune"], "ceiling": 7, "window": NIGHT}),
    "an add-on that is off needs no version": addon(enabled=False),
    "kubelets three minor versions behind": control(version="1.37.1"),
    "preemptible jobs on borrowed accelerators": job(0, preemptible=True, maximum=56),
    "quotas in halves": lambda d: (
        second_pool(d),
        d["tenants"][0]["quota"][0].update(pool="train", accelerators=24, borrow=0),
        d["tenants"][1]["quota"][0].update(pool="tune"),
        d["classes"][0].update(maximum=24, shapes=[]),
    ),
}


@pytest.mark.parametrize("change", ALLOWED.values(), ids=ALLOWED)
def test_what_is_allowed(change):
    for module in (tenants, classes, policies, kubernetes):
        assert problems(module.check, change) == []
