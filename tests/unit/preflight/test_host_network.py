"""The network of a host, by what `ip -json` prints there."""

import asyncio
import json
import shlex

import pytest

from rackwright.collect.transports import ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.preflight import host_network
from rackwright.preflight.host_network import HostAddress, read
from rackwright.preflight.result import ProbeError
from tests.patience import PATIENCE
from tests.unit.collect.conftest import sshd as sshd

EXPECTED = HostAddress("10.64.0.32", 22)


def printed(*, prefix=22, local="10.64.0.32", gateway="10.64.0.1", state="REACHABLE", **entry):
    address = {"family": "inet", "local": local, "prefixlen": prefix, "valid_life_time": 4294967295, **entry}
    interfaces = [
        {"ifname": "lo", "mtu": 65536, "addr_info": []},
        {"ifname": "eth0", "mtu": 9000, "addr_info": [address]},
    ]
    routes = [{"dst": "default", "gateway": gateway, "dev": "eth0"}] if gateway else []
    near = (
        [{"dst": gateway, "dev": "eth0", "lladdr": "02:00:00:00:00:01", "state": [state]}] if gateway and state else []
    )
    return "\n\n".join(map(json.dumps, (interfaces, routes, near))).encode() + b"\n"


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (printed(), "eth0 has /22, MTU 9000, by a static setting; gateway 10.64.0.1 answers"),
        (printed(state="STALE", dynamic=True, valid_life_time=3600), "eth0 has /22, MTU 9000, by DHCP, lease of 3600 s; gateway 10.64.0.1 answers"),
        (printed(gateway=""), "eth0 has /22, MTU 9000, by a static setting; no default route"),
    ],
)  # fmt: skip
def test_what_is_as_designed_is_said(output, text):
    assert read(EXPECTED, output).text == text


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (printed(prefix=24, dynamic=True, valid_life_time=60), r"mask /24, and the in-band network has /22: correct it where it comes from \(DHCP, lease of 60 s\)"),
        (printed(local="192.168.1.7"), "no interface of that host has the address"),
        (printed(state="FAILED"), "the gateway 10.64.0.1 of 10.64.0.32 does not answer: correct the route"),
        (printed(state="INCOMPLETE"), "does not answer"),
        (printed(state=""), "does not answer"),
        (b"Welcome!\n", "printed 'Welcome!' for `ip -json`"),
        (b"", "printed '' for `ip -json`"),
        (b"[]\n", "for `ip -json`"),
    ],
)  # fmt: skip
def test_what_will_stop_the_host_later_fails_with_the_next_step(output, words):
    with pytest.raises(ProbeError, match=words):
        read(EXPECTED, output)


@pytest.fixture
def look(sshd, monkeypatch):
    monkeypatch.setattr(host_network, "PORT", sshd.port)
    output = printed(local="127.0.0.1", prefix=8, gateway="").decode()
    monkeypatch.setattr(host_network, "LOOK", f"printf %s {shlex.quote(output)}")
    limits = Patience(*[PATIENCE] * 5)
    trust = ssh_connection.trust(sshd.access, limits)
    return lambda: asyncio.run(host_network.look(HostAddress("127.0.0.1", 8), trust, limits, 0.0))


def test_full_packets_arrive(look):
    assert look().text.startswith("eth0 has /8, MTU 9000")


def test_full_packets_that_do_not_arrive_are_named(look, monkeypatch):
    monkeypatch.setattr(host_network, "FILL", "sleep 60")
    monkeypatch.setattr(host_network, "FILL_SECONDS", 0.3)
    with pytest.raises(
        ProbeError, match=r"small packets of 127\.0\.0\.1 arrive and full ones do not \(eth0 has /8, MTU 9000"
    ):
        look()


def test_a_shell_that_greets_is_named(look, monkeypatch):
    monkeypatch.setattr(host_network, "FILL", "echo Welcome")
    with pytest.raises(ProbeError, match="sent 8 of 65536 bytes"):
        look()
