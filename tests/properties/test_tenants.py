"""Whatever tenants, classes and policies are declared: what is accepted can be kept, and what is refused has a place and a next step."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.locality import gangs, places
from rackwright.model.capacity import of_class, of_quota, parts
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.spec import crosscheck
from tests.examples import examples
from tests.properties.test_bad_sites import NASTY, check_answered, paths, put

KNOWN = catalog.load()
TEXT = (Path(__file__).resolve().parents[2] / "inventories" / "mixed-pod" / "site.yaml").read_text()
DATA = yaml_text.load(TEXT)
DESIGN = design.expand(Site.model_validate(DATA), KNOWN)
SHARING = ("tenants", "classes", "policies")
SPOTS = [path for path in paths(DATA) if path[0] in SHARING or path[:2] == ("control", "kubernetes")]
NODES = {row["node"]: row for row in places.places(DESIGN).iter_rows(named=True)}


@st.composite
def sharing(draw: Any) -> dict[str, Any]:
    """Tenants, classes and policies of the example site, with numbers of their own."""
    amounts = st.sampled_from([0, 1, 7, 8, 15, 16, 24, 32, 56, 64])
    skus = st.sampled_from([("h100-sxm", "train"), ("mi300x", "serve")])
    lanes = draw(st.lists(st.tuples(skus, st.integers(1, 9)), max_size=2))
    names = [f"lane-{i}" for i in range(len(lanes))]
    tenants = []
    for i in range(draw(st.integers(1, 3))):
        quota = []
        for sku, pool in draw(st.lists(skus, max_size=2)):
            lane = draw(st.sampled_from([None, *names]))
            numbers = {"accelerators": draw(amounts), "borrow": draw(st.sampled_from([0, 0, 8]))}
            quota.append({"accelerator": sku, "pool": pool, "lane": lane} | numbers)
        tenants.append({"name": f"t{i}", "quota": quota})
    classes = []
    for i in range(draw(st.integers(0, 3))):
        job = {"name": f"c{i}", "kind": "training", "priority": 1, "minimum": draw(st.sampled_from([1, 8, 16]))}
        job |= {"domain": draw(st.sampled_from([None, *places.DOMAINS])), "gang": True}
        if draw(st.booleans()):
            job |= {"maximum": draw(amounts.filter(bool))}
        if draw(st.booleans()):
            job |= {"shapes": [{"tensor": draw(st.sampled_from([1, 4, 8, 16])), "data": draw(st.integers(1, 4))}]}
        classes.append(job)
    named = [
        {"name": name, "pool": pool, "nodes": nodes, "classes": ["c0"]}
        for name, ((_, pool), nodes) in zip(names, lanes, strict=True)
    ]
    reserved = [{"pool": "train", "share": 0.2}] if draw(st.booleans()) else []
    return {"tenants": tenants, "classes": classes, "policies": {"lanes": named, "reserved": reserved}}


def room(design: Design, part: Any, domain: str | None, tensor: int) -> int:
    """By counting node after node."""
    nodes = [
        row
        for row in NODES.values()
        if (row["pool"], row["scheduler"]) == (part.pool, part.scheduler)
        and part.first <= row["number"] < part.first + part.nodes
    ]
    outer = lambda row: str(row[domain]) if domain else ""  # noqa: E731
    best = 0
    for _, inside in groupby(sorted(nodes, key=outer), key=outer):
        inner = lambda row: str(row["nvlink-domain"])  # noqa: E731
        counts = [len(list(group)) for _, group in groupby(sorted(inside, key=inner), key=inner)]
        best = max(best, sum(count * part.per_node // tensor * tensor for count in counts))
    return best


@given(sharing())
@examples(60)
def test_what_is_accepted_can_be_kept(changes):
    site = Site.model_validate(DATA | copy.deepcopy(changes))
    refused = crosscheck.crosscheck_site(site, KNOWN, Path())
    assert all(problem.path and problem.expected and problem.found and problem.next_step for problem in refused)
    if refused:
        return
    every = parts(site, DESIGN.servers, DESIGN.accelerators)
    quotas = [quota for tenant in site.tenants for quota in tenant.quota]
    for pool in ("train", "serve"):
        assert sum(part.nodes for part in every if part.pool == pool) == 8
    for part in every:
        mine = [quota for quota in quotas if of_quota(quota, every) == [part]]
        assert sum(quota.accelerators for quota in mine) <= part.available
        assert all(quota.accelerators + quota.borrow <= part.available for quota in mine if quota.borrow)
        if part.scheduler == "kubernetes":
            lent = sum(quota.accelerators for quota in mine)
            assert all(quota.accelerators + quota.borrow <= lent for quota in mine if quota.borrow)
    shared = replace(DESIGN, site=site)
    unplaceable = {problem.path.partition(".")[0] for problem in gangs.problems(shared)}
    for i, job in enumerate(site.classes):
        where = of_class(job, site, every)
        needs = [(shape.accelerators, shape.tensor) for shape in job.shapes] or [(size, 1) for size in job.sizes()]
        fits = all(any(room(shared, part, job.domain, tensor) >= size for part in where) for size, tensor in needs)
        assert fits == (f"classes[{i}]" not in unplaceable)
    given_away = sum(quota.accelerators for quota in quotas) + sum(part.reserved * part.per_node for part in every)
    idle = sum(entry.accelerators for entry in gangs.stranded(shared) if entry.why == "in no quota")
    assert given_away + idle == sum(part.accelerators for part in every)


@given(st.lists(st.tuples(st.sampled_from(SPOTS), st.sampled_from(NASTY)), min_size=1, max_size=3))
@examples(40)
def test_a_site_of_nonsense_is_answered(tmp_path_factory, changes):
    data = copy.deepcopy(DATA)
    for path, value in changes:
        put(data, path, value)
    file = tmp_path_factory.mktemp("site") / "site.yaml"
    file.write_text(yaml.safe_dump(data))
    check_answered(file)
