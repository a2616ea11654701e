"""Ports of etcd: two twins that start at the same moment never draw the same one."""

from __future__ import annotations

import socket

import pytest

from rackwright.twin.kubernetes.control_plane import LOOPBACK, _held_port
from tests.patience import PATIENCE


def test_a_held_port_is_given_to_nobody_else_and_a_program_that_shares_it_listens_there():
    with _held_port() as held, socket.socket() as stranger, socket.socket() as etcd:
        place = held.getsockname()
        with pytest.raises(OSError, match="in use"):
            stranger.bind(place)
        etcd.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        etcd.bind(place)
        etcd.listen()
        with socket.create_connection((LOOPBACK, place[1]), timeout=PATIENCE):
            assert etcd.accept()[0].getsockname() == place
