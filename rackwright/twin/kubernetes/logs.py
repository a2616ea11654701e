"""The log of a pod, out of the kubelet of its node, as an API server passes it on."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator
from http import HTTPStatus

from rackwright.twin.kubernetes.objects import ApiError, Object

PORT = 10250
"""Where a kubelet serves logs (kubelet reference, --port)."""
SECONDS = 3600.0
BLOCK = 1 << 16


def read(pod: Object, address: str, trust: ssl.SSLContext, *, follow: bool) -> Iterator[bytes]:
    """The log of the first container. ApiError when there is none yet, or when the kubelet does not answer."""
    meta, container = pod["metadata"], pod["spec"]["containers"][0]["name"]
    if (pod.get("status") or {}).get("phase") == "Pending":
        message = f'container "{container}" in pod "{meta["name"]}" is waiting to start: ContainerCreating'
        raise ApiError(HTTPStatus.BAD_REQUEST, "BadRequest", message)
    path = f"/containerLogs/{meta['namespace']}/{meta['name']}/{container}" + ("?follow=true" if follow else "")
    connection = http.client.HTTPSConnection(address, PORT, timeout=SECONDS, context=trust)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
    except OSError as error:
        message = f'Get "https://{address}:{PORT}{path}": dial tcp {address}:{PORT}: {str(error).lower()}'
        raise ApiError(HTTPStatus.INTERNAL_SERVER_ERROR, "InternalError", message) from None
    if answer.status != HTTPStatus.OK:
        raise ApiError(HTTPStatus(answer.status), "InternalError", answer.read().decode(errors="replace"))
    return _blocks(connection, answer)


def _blocks(connection: http.client.HTTPSConnection, answer: http.client.HTTPResponse) -> Iterator[bytes]:
    try:
        while block := answer.read1(BLOCK):
            yield block
    finally:
        connection.close()
