"""No link of the node has more bit errors than its error correction can handle, and none after correction."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Links) -> Finding:
    """Compare bit error rates before and after FEC, and of symbols, with their limits."""
    raw, after = compare.limit(expectation, "link.raw_ber"), compare.limit(expectation, "link.effective_ber")
    if raw is None or after is None:
        return compare.no_limit(expectation, "link.raw_ber and link.effective_ber")
    before, behind = compare.number(raw), compare.number(after)
    return compare.every(
        expectation,
        network.by_link(expectation, record, lambda link: state_of(link, before, behind), network.counting_links),
        lambda state: state == GOOD,
        what="bit error rate of link",
        expected=f"at most {raw.value:g} raw and {after.value:g} after FEC",
        source=compare.limit_source(raw),
    )


GOOD = "within limits"


def state_of(link: LinkReading, raw: float, after: float) -> str | None:
    """Rates above their limit in words, or `GOOD`; None if the tool printed no rate before or after FEC."""
    if any(compare.missing(rate) for rate in (link.raw_ber, link.effective_ber)):
        return None
    rates = (("raw", link.raw_ber, raw), ("effective", link.effective_ber, after), ("symbol", link.symbol_ber, after))
    bad = [f"{name} {value:.1e}" for name, value, most in rates if value is not None and value > most]
    return ", ".join(bad) or GOOD


CHECK = Check(reads=Links, judge=judge, applies=network.counts_errors)
