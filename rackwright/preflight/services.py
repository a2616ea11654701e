"""Control planes: something listens where the site file says, and the API server is the one whose CA it names."""

from __future__ import annotations

import asyncio
import base64
import ssl

import aiohttp

from rackwright.base import foreign, yaml_text
from rackwright.onboard.facts.kubernetes import public_key_sha256
from rackwright.preflight.result import ProbeError, ProbeReading

CLUSTER_INFO = "/api/v1/namespaces/kube-public/configmaps/cluster-info"
"""What a node that joins reads without an account (kubeadm design, "cluster-info ConfigMap in the kube-public namespace")."""


async def connect(host: str, port: int, seconds: float, what: str) -> ProbeReading:
    """A TCP connection to `what`, opened and closed."""
    try:
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(host, port)
    except TimeoutError:
        raise ProbeError(
            f"{what} at {host}:{port} does not answer in {seconds:g} s: check routes and firewalls in between"
        ) from None
    except OSError as error:
        raise ProbeError(
            f"{what} at {host}:{port} cannot be reached ({error.strerror or error}): start it, or check its address"
        ) from None
    writer.close()
    return ProbeReading("answers")


async def api_server(endpoint: str, ca_sha256: str, seconds: float) -> ProbeReading:
    """The API server at `endpoint`, whose CA must have the public key that the site file names, as `kubeadm join` demands it."""
    tls = ssl.create_default_context()
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE  # the CA is what is looked for; it is compared below
    url = f"https://{endpoint}{CLUSTER_INFO}"
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds)) as http,
            http.get(url, ssl=tls, allow_redirects=False) as response,
        ):
            content = await foreign.read_all(response.content, foreign.limit("redfish_document").bytes)
    except (aiohttp.ClientError, OSError, TimeoutError, foreign.RefusedAnswerError) as error:
        raise ProbeError(
            f"the API server at {endpoint} cannot be reached ({str(error) or type(error).__name__}): start it, or check control.kubernetes.endpoint"
        ) from None
    digest = _ca_digest(endpoint, response.status, content)
    if digest != ca_sha256.removeprefix("sha256:"):
        raise ProbeError(
            f"the API server at {endpoint} has the CA {digest}, and control.kubernetes.ca_sha256 names another one: find out which is right"
        )
    return ProbeReading("answers, with the CA of the site file")


def _ca_digest(endpoint: str, status: int, content: bytes) -> str:
    """SHA-256 of the public key of the CA in a cluster-info, as `kubeadm token create --print-join-command` prints it."""
    try:
        document = foreign.json_document(content, foreign.limit("redfish_document"))
        cluster = yaml_text.load(document["data"]["kubeconfig"])["clusters"][0]["cluster"]
        return public_key_sha256(base64.b64decode(cluster["certificate-authority-data"]))
    except (ValueError, KeyError, TypeError, IndexError):
        raise ProbeError(
            f"the API server at {endpoint} gives out no cluster-info ({status}): nodes join by it; run `kubeadm init phase bootstrap-token` there"
        ) from None
