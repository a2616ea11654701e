"""Constructors of checks that share a shape, so that the file of such a check is its claim and one call.

`threshold` compares readings with a limit without tolerance, `measured` with its tolerance (`floors.py`), `rail_tests`
the rails of all nodes with theirs. A check without its limit or without a reading is inconclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from rackwright.compare import blame_findings, floors
from rackwright.compare.applicability import has_data_drives
from rackwright.compare.blame import JointReading
from rackwright.compare.limits import limit, limit_source, no_limit, number, words
from rackwright.compare.loads import combine_findings, find_job, planned_rails, untested_finding
from rackwright.compare.node_pairs import RailTest, RailTests
from rackwright.compare.parts import Devices, accelerator, by_device, sku_source
from rackwright.compare.readings import every
from rackwright.model.base import Record
from rackwright.model.check import Check, Expectation, FleetCheck, Limit
from rackwright.model.design import Link
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.evidence.storage import LocalFilesystems
from rackwright.model.sku import LocalStorage as DriveRatings
from rackwright.model.sku import Sku
from rackwright.model.verdict import Finding, Outcome

E = TypeVar("E", bound=Record)


class Quantity(NamedTuple):
    """A reading with the text that findings print for it."""

    value: Any
    text: str

    def __str__(self) -> str:
        return self.text


def at_most(value: float, bound: float) -> bool:
    """Whether `value` is not above the limit."""
    return value <= bound


def at_least(value: float, bound: float) -> bool:
    """Whether `value` is not below the limit."""
    return value >= bound


def equal_to(value: object, bound: object) -> bool:
    """Whether `value` equals the bound."""
    return value == bound


def one_of(value: str, bound: list[str]) -> bool:
    """Whether `value` is one of the words of the limit."""
    return value in bound


EXPECTED: Mapping[Callable[..., bool], str] = {
    at_most: "at most {bound:g}",
    at_least: "at least {bound:g}",
    equal_to: "{bound}",
    one_of: "{bound}",
}


def threshold(
    *,
    reads: type[E],
    metric: str,
    good: Callable[[Any, Any], bool],
    what: str,
    value: Callable[[Device], Any] | None = None,
    values: Callable[[E], Mapping[str, Any]] | None = None,
    readings: Callable[[Expectation, E, Any], Mapping[str, Any]] | None = None,
    expected: str = "",
    source: str = "",
    share_of: Callable[[Expectation], tuple[Sku, str]] | None = None,
    required: Callable[[Expectation], Any] | None = None,
    bad: Outcome = Outcome.FAIL,
    applies: Callable[[Expectation], bool] = lambda _: True,
    **key: str,
) -> Check[E]:
    """A check that passes if every reading is `good` with the limit `metric` (under `key`), and gives `bad` otherwise.

    The bound is the number of the limit, or its list of words; with `share_of` it is that share of a field of a SKU,
    with `required` that value of the design (then the limit only says what to read).

    One of three gives the readings: `value` reads one device of `Accelerators`, `values` gives all readings of a record
    by name of the part, and `readings` does so from expectation, record and the number or words of the limit. None is a
    missing reading.

    `what` names the reading in findings. `expected` is a format of ``bound`` (words joined by "or"), ``words`` (joined
    by commas) and ``full`` (the field of the SKU). `source` precedes the source of the limit.
    """

    def judge(expectation: Expectation, record: E) -> Finding:
        row = limit(expectation, metric, **key)
        if row is None:
            return no_limit(expectation, metric)
        bound, full, sources = _bound(row, good), 0.0, [source] if source else []
        if share_of is not None:
            sku, field = share_of(expectation)
            full = getattr(sku, field)
            bound *= full
            sources.append(sku_source(sku, field))
        by_part = read(expectation, record, bound)
        if required is not None:
            bound = required(expectation)
        finding = every(
            expectation,
            by_part,
            lambda reading: good(reading.value if isinstance(reading, Quantity) else reading, bound),
            what=what,
            expected=lambda: (expected or EXPECTED[good]).format(
                bound=" or ".join(bound) if isinstance(bound, list) else bound, words=", ".join(words(row)), full=full
            ),
            source=lambda: "; ".join([*sources, limit_source(row)]),
            bad=bad,
        )
        advisory = row.advisory and finding.outcome is not Outcome.PASS
        return finding.model_copy(update={"advisory": True}) if advisory else finding

    read = readings or _by_part(value, values)
    return Check(reads=reads, judge=judge, applies=applies)


def _by_part(
    value: Callable[[Device], Any] | None, values: Callable[[E], Mapping[str, Any]] | None
) -> Callable[[Expectation, E, Any], Mapping[str, Any]]:
    """`readings` made from one of the shorter forms."""
    if values is not None:
        return lambda _, record, __: values(record)
    if value is not None:
        return lambda _, record, __: by_device(cast("Devices[Device]", record), value)
    raise TypeError("threshold() needs value=, values= or readings=")


def _bound(row: Limit, good: Callable[..., bool]) -> Any:
    """The number of a limit, or its words, as `good` compares them."""
    numeric = good in (at_most, at_least) or isinstance(row.value, int | float)
    return number(row) if numeric and good is not one_of else words(row)


def measured(
    *,
    reads: type[E],
    metric: str,
    good: Callable[[float, float], bool],
    what: str | Callable[[Expectation, E], str],
    readings: Callable[[Expectation, E], Mapping[str, float | None]],
    tested: str = "",
    applies: Callable[[Expectation], bool],
) -> Check[E]:
    """A check that passes if every reading is `at_least` or `at_most` the limit `metric` with its tolerance.

    `tested` names a test that must have a reading of every accelerator of the node; with fewer the check is
    inconclusive.
    """
    compare = floors.at_most if good is at_most else floors.at_least

    def judge(expectation: Expectation, record: E) -> Finding:
        by_part = readings(expectation, record)
        text = what if isinstance(what, str) else what(expectation, record)
        finding = compare(expectation, by_part, metric, what=text)
        short = untested_finding(expectation, len(by_part), tested) if tested else None
        return combine_findings([finding, short]) if short else finding

    return Check(reads=reads, judge=judge, applies=applies)


def drive_share(fio_job: str, rate: Callable[[DriveRatings], float]) -> Check[LocalFilesystems]:
    """A check of the share of the rated speed of all data drives together that `fio_job` reached; `rate` returns that
    of one drive in GB/s.
    """

    def total(expectation: Expectation) -> float:
        drives = expectation.node.server.local_storage
        return drives.drives * rate(drives) if drives is not None else 0

    def path(record: LocalFilesystems) -> str:
        speed = find_job(record.jobs, fio_job)
        return speed.path if speed is not None else "local file system"

    def share(expectation: Expectation, record: LocalFilesystems) -> dict[str, float | None]:
        speed, rated = find_job(record.jobs, fio_job), total(expectation)
        return {path(record): speed.gbytes_per_s / rated if speed is not None and rated else None}

    return measured(
        reads=LocalFilesystems,
        metric="storage_speed.local_share",
        good=at_least,
        what=lambda expectation, record: (
            f"share of {total(expectation):.4g} GB/s that fio's {fio_job} reached on {path(record)}"
        ),
        readings=share,
        applies=has_data_drives,
    )


def rail_tests(
    *,
    reads: type[E],
    takes: Callable[[E], RailTests],
    trial: Callable[[Expectation, RailTest, Link], JointReading | None],
    what: str,
    metric: str,
    applies: Callable[[Expectation], bool],
) -> FleetCheck[E]:
    """A fleet check that blames, for slow tests of a rail, the end that is slow with every partner.

    `trial` turns one test of a planned rail into a trial of its two nodes; None for a test that cannot be judged.
    """

    def judge(peers: Sequence[tuple[Expectation, RailTests]]) -> Mapping[str, Finding]:
        trials: dict[str, list[JointReading]] = {}
        for expectation, tests in peers:
            planned = planned_rails(expectation)
            for test in tests.each():
                if test.node == expectation.node.name and test.adapter in planned:
                    judged = trial(expectation, test, planned[test.adapter])
                    trials.setdefault(test.adapter, []).extend([judged] if judged else [])
        return blame_findings.rail_findings([expectation for expectation, _ in peers], trials, what=what, metric=metric)

    return FleetCheck(reads=reads, takes=takes, judge=judge, applies=applies)


def each_nvlink(
    read: Callable[[Device], list[int]],
) -> Callable[[Expectation, Accelerators, float], dict[str, int | None]]:
    """`readings` of every NVLink of every accelerator; links without a value give None under the name of the first of
    them.
    """

    def readings(expectation: Expectation, record: Accelerators, _: float) -> dict[str, int | None]:
        links = accelerator(expectation).nvlink_links
        by_link: dict[str, int | None] = {}
        for name, values in by_device(record, read).items():
            by_link |= {f"{name} NVLink {link}": value for link, value in enumerate(values)}
            if len(values) < links:
                by_link[f"{name} NVLinks from {len(values)}"] = None
        return by_link

    return readings
