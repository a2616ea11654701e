"""No link of the node has more bit errors than its error correction is to see, and none after it."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation, Limit
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Links) -> Finding:
    """Bit error rates before and after FEC, and of symbols, each with its limit."""
    raw, after = compare.limit(expectation, "link.raw_ber"), compare.limit(expectation, "link.effective_ber")
    if raw is None or after is None:
        return compare.no_limit(expectation, "link.raw_ber and link.effective_ber")
    return compare.every(
        expectation,
        network.by_link(expectation, seen, lambda one: said(one, raw, after), network.counting_links),
        lambda found: found == GOOD,
        what="bit error rate of link",
        expected=f"at most {raw.value:g} raw and {after.value:g} after FEC",
        source=compare.limit_source(raw),
    )


GOOD = "within limits"


def said(one: LinkReading, raw: Limit, after: Limit) -> str | None:
    """What is above its limit, or `GOOD`; None where the tool printed no rate before or after FEC."""
    if one.raw_ber is None or one.effective_ber is None:
        return None
    rates = {"raw": (one.raw_ber, raw), "effective": (one.effective_ber, after)}
    if one.symbol_ber is not None:
        rates["symbol"] = (one.symbol_ber, after)
    bad = [f"{name} {value:.1e}" for name, (value, row) in rates.items() if value > compare.number(row)]
    return ", ".join(bad) or GOOD


CHECK = Check(title="Links have few bit errors", reads=Links, judge=judge, applies=network.counts_errors)
