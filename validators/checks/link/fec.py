"""Every RDMA link of the node uses the error correction that its rate needs."""

from rackwright.compare import network
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.link import Links

CHECK = threshold(
    reads=Links,
    metric="link.fec",
    readings=lambda expectation, links, _: network.by_link(expectation, links, lambda link: link.fec),
    good=lambda fec, words: any(word in fec for word in words),
    what="FEC of link",
    expected="{bound}",
    applies=network.has_mlxlink,
)
