"""Every RDMA port of the node has the MTU of its fabric."""

from rackwright.compare import network
from rackwright.compare.threshold import at_least, threshold
from rackwright.model.evidence.network import Rdma

CHECK = threshold(
    reads=Rdma,
    metric="nic.mtu",
    readings=lambda expectation, rdma, _: network.by_device(expectation, rdma, lambda device: device.active_mtu),
    good=at_least,
    what="active MTU of port",
    expected="{bound} bytes",
    applies=network.carries_rdma,
)
