import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.twin

ROOT = Path(__file__).parent.parent.parent
SITE = """
import os, socket
from ipaddress import IPv4Network
from subprocess import DEVNULL, run
from rackwright.twin.hosts import network
from rackwright.twin.guest import boot

network.up(network.ControllerAddresses(IPv4Network("10.64.0.0/22"), "10.64.0.1", ("10.64.0.2",), ()))
service = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
service.bind(("10.64.0.2", 123))
service.settimeout(60)
site, host = socket.socketpair()
if os.fork() == 0:
    boot._network({"port": "rw-0", "mac": "b8:3f:d2:00:00:01", "controller_pid": os.getppid(), "address": "10.64.0.16",
                   "prefix": 22, "gateway": "10.64.0.1", "bridge": network.INBAND})
    asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while word := host.recv(9):
        asking.sendto(word, ("10.64.0.2", 123))
host.close()
link = f"link add rw-1 address 00:00:00:00:00:10 type veth peer name rw-far\\nlink set rw-1 master {network.INBAND} up\\n"
run(["ip", "-batch", "-"], input=link, text=True, check=True)
for word in (b"early", b"late"):
    site.send(word)
    print(service.recv(9))
    run(["ip", "link", "delete", "rw-1"], stderr=DEVNULL)
"""
"""A host that asks a service of the site, before and after the port of another host has gone, as it does when that one restarts.

That port has the lowest address of all, which is the one that a bridge without an address of its own takes.
"""


def test_a_service_of_the_site_hears_a_host_that_runs_on_while_another_restarts() -> None:
    command = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, "-c", SITE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["b'early'", "b'late'"], done.stderr
