"""The clock follows a time server, and no time server disagrees."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, threshold
from rackwright.model.evidence.host import ClockSource, ClockSources


def states(record: ClockSources, bad: list[str]) -> dict[str, Quantity]:
    """The sources that are in a bad state or silent; without any, whether a source that answers is followed."""
    wrong = [source for source in record.sources if source.state in bad or not source.reach]
    if wrong:
        return {source.name: Quantity(False, state(source)) for source in wrong}
    if not any(source.selected and source.reach for source in record.sources):
        return {"chrony": Quantity(False, "follows none of its sources")}
    return {"sources": Quantity(True, f"{len(record.sources)} answering, one followed")}


def state(source: ClockSource) -> str:
    """State of a bad source in words."""
    return f"state {source.state}, reach {source.reach:o}" if source.reach else "does not answer"


CHECK = threshold(
    reads=ClockSources,
    metric="clock.source_states",
    readings=lambda _, sources, bad: states(sources, bad),
    good=lambda good, _: good,
    what="time sources:",
    expected="one followed, none silent and none telling another time",
    applies=compare.is_onboarded,
)
