"""The clock follows a time server, and no time server disagrees."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import ClockSource, ClockSources
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: ClockSources) -> Finding:
    """One source is selected and answers, and none is a falseticker or silent."""
    bad = compare.limit(expectation, "clock.source_states")
    if bad is None:
        return compare.no_limit(expectation, "clock.source_states")
    followed = any(source.selected and source.reach for source in record.sources)
    wrong = {
        source.name: state(source)
        for source in record.sources
        if source.state in compare.words(bad) or not source.reach
    }
    readings = wrong or ({} if followed else {"chrony": "follows none of its sources"})
    return compare.every(
        expectation,
        readings or {"sources": f"{len(record.sources)} answering, one followed"},
        lambda _: followed and not wrong,
        what="time sources:",
        expected="one followed, none silent and none telling another time",
        source=compare.limit_source(bad),
    )


def state(source: ClockSource) -> str:
    """What is wrong with a source."""
    return f"state {source.state}, reach {source.reach:o}" if source.reach else "does not answer"


CHECK = Check(reads=ClockSources, judge=judge, applies=compare.is_onboarded)
