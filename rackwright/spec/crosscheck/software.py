"""The software bill: malformed versions, versions that a node class lacks, and versions that do not run together.

Reported before any host is touched, with the rule and its source, because a mistake here would only show on the nodes. Versions that are only
unsupported or unsafe are not refused here: the design reports them. Roles refuse an operating system that a maker does not support.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from rackwright import compat
from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.compat import CompatibilityAnswer, facts
from rackwright.model.site import Site
from rackwright.model.software import Bill
from rackwright.model.verdict import Outcome
from rackwright.spec.crosscheck.problem import problem

VERSION = re.compile(r"[0-9][0-9A-Za-z._+~:-]*")
IMAGE = re.compile(r"[a-z0-9][A-Za-z0-9._/:-]*(:[A-Za-z0-9_][A-Za-z0-9._-]*|@sha256:[0-9a-f]{64})")
"""A container image with its tag or digest; without one it is another image tomorrow."""
NOT_VERSIONS = {"os", "images", "options"}
CONTAINERS = ("enroot", "pyxis")
CODES = {"complete": "version_missing", "equal": "version_mismatch"}
"""Code of a problem by question or test of its rule; else ``incompatible``."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every field of ``software``, for the site and for each pool."""
    software = site.software
    bad: set[str] = set()
    for place, bill in {"software": software, **{f"software.pools.{n}": b for n, b in software.pools.items()}}.items():
        for mistake in _malformed(place, bill):
            bad.add(mistake.path)
            yield mistake
    for name in software.pools.keys() - {pool.name for pool in site.pools}:
        expected = ", ".join(pool.name for pool in site.pools)
        step = "name a pool of the site, or remove the bill"
        yield problem(f"software.pools.{name}", "unknown_pool", "the site has no such pool", expected, name, step)
    yield from _foreign_versions(site, catalog)
    yield from _containers(site)
    yield from (mistake for mistake in _incompatible(site, catalog, bad) if mistake.path not in bad)


def _malformed(place: str, bill: Bill) -> Iterator[Problem]:
    """Texts of one bill that cannot be versions or images."""
    for field in Bill.model_fields.keys() - NOT_VERSIONS:
        text = getattr(bill, field)
        if (text or text != Bill.model_fields[field].default) and not VERSION.fullmatch(text):
            step = "write the version as the package has it"
            yield problem(f"{place}.{field}", "not_a_version", "this is not a version", "a version (1.2.3)", text, step)
    for i, image in enumerate(bill.images or []):
        if not IMAGE.fullmatch(image):
            message, expected = (
                "this is not an exact container image",
                "a name with a tag or digest (pytorch:25.12-py3)",
            )
            path = f"{place}.images[{i}]"
            yield problem(path, "not_an_image", message, expected, image, "write name and tag")


def _foreign_versions(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Versions that the bill of a pool gives although its nodes have nothing to run them on."""
    for pool in site.pools:
        server = catalog.servers.get(pool.server)
        if server is None or pool.name not in site.software.pools:
            continue
        bill = site.software.pools[pool.name]
        for field in sorted(compat.foreign_fields(catalog.accelerators.get(server.accelerator or ""))):
            if text := getattr(bill, field):
                expected = f"none on {server.sku}{f' with {server.accelerator}' if server.accelerator else ''}"
                message, step = f"pool {pool.name} has nothing that runs it", f"leave {field} out for this pool"
                yield problem(f"software.pools.{pool.name}.{field}", "of_no_use", message, expected, text, step)


def _containers(site: Site) -> Iterator[Problem]:
    """Containers of Slurm jobs where nothing is scheduled by Slurm, and enroot that nothing would install."""
    of_slurm = {pool.name for pool in site.pools if pool.scheduler == "slurm"}
    # Said for the whole site, it is not asked of pools without a scheduler.
    anywhere = bool(of_slurm) or all(pool.scheduler == "none" for pool in site.pools)
    places: dict[str, tuple[Bill, bool]] = {"software": (site.software, anywhere)}
    places |= {f"software.pools.{name}": (bill, name in of_slurm) for name, bill in site.software.pools.items()}
    for place, (bill, scheduled) in places.items():
        for field in CONTAINERS if not scheduled else ():
            if text := getattr(bill, field):
                expected, step = "nodes with scheduler slurm", f"leave {field} out, or give the pool scheduler: slurm"
                yield problem(f"{place}.{field}", "of_no_use", "only jobs of Slurm use it", expected, text, step)
    for name in sorted(of_slurm):
        pool_bill = site.software.bill(name)
        if pool_bill.enroot and not pool_bill.pyxis:
            message, step = (
                f"pool {name} has enroot and no pyxis, by which jobs reach it",
                "give software.pyxis as well, or leave enroot out",
            )
            yield problem(
                _path(site, name, "enroot"), "of_no_use", message, "enroot with pyxis", pool_bill.enroot, step
            )


def _incompatible(site: Site, catalog: Catalog, bad: set[str]) -> Iterator[Problem]:
    """What a node class lacks or what would not run on it; one problem for all pools that it is true of.

    `bad` are the paths of fields that are no versions: nothing is concluded from them.
    """
    refused_pools: dict[tuple[str, CompatibilityAnswer], list[str]] = defaultdict(list)
    for node_class in compat.node_classes(site, catalog.accelerators, catalog.servers):
        unread = {field: "" for field in Bill.model_fields if _path(site, node_class.pool, field) in bad}
        bill = node_class.bill.model_copy(update=unread)
        for answer in compat.judge_bill(bill, node_class.accelerator, node_class.server, as_of=None):
            if answer.question in {"complete", "runs"} and answer.outcome is Outcome.FAIL:
                refused_pools[_path(site, node_class.pool, answer.subject), answer].append(node_class.pool)
    tests = {rule.rule: rule.test for table in compat.tables().values() for rule in table.rules}
    for (path, answer), pools in refused_pools.items():
        yield _refusal(path, answer, pools, tests)


def _refusal(path: str, answer: CompatibilityAnswer, pools: list[str], tests: Mapping[str, str]) -> Problem:
    code = CODES.get(answer.question) or CODES.get(tests[answer.rule], "incompatible")
    pool_text = f"pool{'s' if len(pools) > 1 else ''} {', '.join(pools)}"
    source = f"rule {answer.rule}: {answer.source}, {answer.date}"
    if answer.question == "complete":
        message = f"{pool_text} must name its {answer.subject} ({source})"
    else:
        claim = answer.says[0].lower() + answer.says[1:] if answer.says[1:2].islower() else answer.says
        message = f"would not run on {pool_text}, for it must hold: {claim} ({source})"
    return problem(path, code, message, answer.expected, answer.found, answer.next_step)


def _path(site: Site, pool: str, subject: str) -> str:
    """The field that declares it: the pool's own bill if that does, else the site's."""
    bill = site.software.pools.get(pool, Bill())
    if option := facts.load_facts().options.get(subject):
        return f"software.pools.{pool}.options.{option}" if option in bill.options else f"software.options.{option}"
    field = next((name for name in (subject, subject.split("_")[0]) if name in Bill.model_fields), "")
    field = "images" if subject.startswith("image") else field
    return ".".join(
        part for part in ("software", *(("pools", pool) if field in bill.model_fields_set else ()), field) if part
    )
