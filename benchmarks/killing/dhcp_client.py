"""DHCP as the firmware of a machine speaks it that boots from the network (RFC 2131, RFC 4578; UEFI 2.10, 24.7 HTTP Boot): which file it is to load."""

from __future__ import annotations

import secrets
import socket
import struct
import time
from collections.abc import Mapping

SERVER_PORT, CLIENT_PORT = 67, 68
COOKIE = b"\x63\x82\x53\x63"
HEADER = "!4BIHH4s4s4s4s16s64s128s"
BROADCAST = 0x8000
ANSWER_SECONDS = (2.0, 4.0, 8.0)
"""A message without an answer is sent again, and each time waited for twice as long (RFC 2131, 4.1): a server that starts again hears the next one."""
DISCOVER, OFFER, REQUEST, ACK = 1, 2, 3, 5
REQUESTED_ADDRESS, KIND, SERVER, PARAMETERS, VENDOR, BOOTFILE, USER_CLASS, ARCHITECTURE = 50, 53, 54, 55, 60, 67, 77, 93
HTTP_X64 = 16
"""Architecture of x64 UEFI that boots by HTTP (IANA, processor architecture types)."""


def bootfile(interface: str, mac: str, *, ipxe: bool) -> str:
    """The URL that DHCP on `interface` gives this machine, to the firmware or to iPXE; empty where nobody answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # of the machines of the site, which hear one another
        line.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode())
        line.bind(("", CLIENT_PORT))
        number = secrets.randbits(32)
        offer = _exchange(line, number, mac, _options(DISCOVER, {}, ipxe=ipxe), OFFER)
        if offer is None:
            return ""
        address, offered = offer
        chosen = {REQUESTED_ADDRESS: address, SERVER: offered.get(SERVER, b"")}
        answer = _exchange(line, number, mac, _options(REQUEST, chosen, ipxe=ipxe), ACK)
        return answer[1].get(BOOTFILE, b"").rstrip(b"\0").decode() if answer else ""


def _options(kind: int, more: Mapping[int, bytes], *, ipxe: bool) -> bytes:
    values = {
        KIND: bytes([kind]), PARAMETERS: bytes([1, 3, BOOTFILE]), VENDOR: b"HTTPClient:Arch:00016:UNDI:003001",
        ARCHITECTURE: struct.pack("!H", HTTP_X64), **({USER_CLASS: b"iPXE"} if ipxe else {}), **more,
    }  # fmt: skip
    return b"".join(bytes([code, len(value)]) + value for code, value in values.items()) + b"\xff"


def _exchange(line: socket.socket, number: int, mac: str, options: bytes, expected: int) -> tuple[bytes, dict[int, bytes]] | None:  # fmt: skip
    """Send one message, and again while none answers; the address and options of its answer, None where none comes."""
    hardware, zero = bytes.fromhex(mac.replace(":", "")), bytes(4)
    head = struct.pack(HEADER, 1, 1, 6, 0, number, 0, BROADCAST, zero, zero, zero, zero, hardware, b"", b"")
    for seconds in ANSWER_SECONDS:
        line.sendto(head + COOKIE + options, ("255.255.255.255", SERVER_PORT))
        if answer := _answer(line, number, expected, time.monotonic() + seconds):
            return answer
    return None


def _answer(line: socket.socket, number: int, expected: int, deadline: float) -> tuple[bytes, dict[int, bytes]] | None:
    """The address and options of the `expected` answer to exchange `number`; None where it does not come until `deadline`."""
    while (seconds := deadline - time.monotonic()) > 0:
        line.settimeout(seconds)
        try:
            data = line.recv(4096)
        except TimeoutError:
            return None
        fields = struct.unpack_from(HEADER, data)
        values = _values(data[struct.calcsize(HEADER) + len(COOKIE) :])
        if (fields[0], fields[4], values.get(KIND)) == (2, number, bytes([expected])):
            return fields[8], values
    return None


def _values(data: bytes) -> dict[int, bytes]:
    values, at = dict[int, bytes](), 0
    while at < len(data) and data[at] != 0xFF:
        if data[at] == 0:
            at += 1
            continue
        length = data[at + 1]
        values[data[at]] = values.get(data[at], b"") + data[at + 2 : at + 2 + length]
        at += 2 + length
    return values
