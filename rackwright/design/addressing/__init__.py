"""Addresses: every machine and switch on every network that has a subnet, by rail and plane, IPv4 and IPv6.

A subnet is filled so that growth moves nothing: the first 15 host addresses stay free for gateways and site services, control servers
follow in whole blocks of sixteen, then pools in whole scalable units; switches count down from the top, with CDUs, rack PDUs
and power shelves below them.
"""

from rackwright.design.addressing.blocks import AddressPlan, SubnetBlock, addresses
from rackwright.design.addressing.nets import Net
from rackwright.design.addressing.plant import with_plant
from rackwright.design.addressing.slots import RESERVED
from rackwright.design.addressing.standing_addresses import StandingAddresses

__all__ = ["RESERVED", "AddressPlan", "Net", "StandingAddresses", "SubnetBlock", "addresses", "with_plant"]
