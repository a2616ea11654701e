"""Reads container registries: the OCI distribution protocol (v1.1), as far as pulling an image needs it.

Who may read what a
registry keeps to itself logs in with ``docker login`` or ``podman login`` before; that login is used, and never shown.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from rackwright.base import foreign
from rackwright.base.errors import Problem, ProblemsError
from rackwright.mirror.fetch import FetchError

DEFAULT_REGISTRY = "index.docker.io"
"""Registry of references without one (go-containerregistry, name.DefaultRegistry)."""
INDEXES = ("application/vnd.oci.image.index.v1+json", "application/vnd.docker.distribution.manifest.list.v2+json")
MANIFESTS = ("application/vnd.oci.image.manifest.v1+json", "application/vnd.docker.distribution.manifest.v2+json")
REFERENCE = re.compile(
    r"(?P<name>(?:[A-Za-z0-9.-]+(?::\d+)?/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*)"
    r"(?::(?P<tag>[\w.-]+))?(?:@(?P<digest>sha256:[0-9a-f]{64}))?"
)
"""As the distribution project spells it (distribution/reference, regexp.go)."""
ANSWER = foreign.limit("registry_answer")
LOGINS = ("~/.docker/config.json", "${XDG_RUNTIME_DIR}/containers/auth.json")
LOG_IN = "log in to the registry with docker login or podman login, then run again"

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Reference:
    """An image by registry, repository and tag or digest."""

    registry: str
    repository: str
    version: str

    @property
    def url(self) -> str:
        """Base of its repository; plain HTTP on this machine alone, as docker has it."""
        host = self.registry.partition(":")[0]
        scheme = "http" if host in {"localhost", "127.0.0.1"} else "https"
        return f"{scheme}://{self.registry}/v2/{self.repository}"


@dataclass(frozen=True)
class Image:
    """One image for one architecture, as a registry describes it."""

    reference: Reference
    manifest: bytes
    blobs: tuple[tuple[str, int], ...]
    """Configuration and layers: digest (``sha256:...``) and bytes."""
    headers: Headers = field(default=(), repr=False)


@dataclass
class Registry:
    """A session with registries. Tokens live as long as the object."""

    session: aiohttp.ClientSession
    _tokens: dict[str, str] = field(default_factory=dict, repr=False)

    async def image(self, name: str, architecture: str) -> Image:
        """An image by its reference; ProblemsError if it cannot be fetched."""
        reference = parse_reference(name)
        try:
            kind, body = await self._manifest(reference, reference.version)
            if kind in INDEXES:
                _, body = await self._manifest(
                    reference, _platform(foreign.json_document(body, ANSWER), architecture, name)
                )
            manifest = foreign.json_document(body, ANSWER)
            blobs = [
                (_checked(blob["digest"]), int(blob["size"])) for blob in (manifest["config"], *manifest["layers"])
            ]
        except (FetchError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ProblemsError([_problem(name, reference, error)]) from error
        return Image(reference, body, tuple(dict.fromkeys(blobs)), self._headers(reference))

    async def _manifest(self, reference: Reference, version: str) -> tuple[str, bytes]:
        """Type and bytes of a manifest, checked against its digest if `version` is one."""
        kind, body = await self._get(reference, f"{reference.url}/manifests/{version}")
        digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
        if version.startswith("sha256:") and digest != version:
            raise FetchError(f"a manifest with {digest}", "the registry is broken; take another")
        return kind, body

    async def _get(self, reference: Reference, url: str) -> tuple[str, bytes]:
        accept = {"Accept": ", ".join((*INDEXES, *MANIFESTS))}
        try:
            for _ in range(2):
                async with self.session.get(url, headers={**accept, **dict(self._headers(reference))}) as answer:
                    if answer.status == 401 and reference.url not in self._tokens:
                        await self._log_in(reference, answer.headers.get("WWW-Authenticate", ""))
                        continue
                    if answer.status != 200:
                        raise FetchError(f"HTTP {answer.status}", f"is the reference right? else {LOG_IN}")
                    return answer.headers.get("Content-Type", "").split(";")[0], await _content(answer)
        except (aiohttp.ClientError, TimeoutError) as error:
            reason = str(error) or type(error).__name__
            raise FetchError(reason, "is the registry up and reachable from here?") from error
        raise FetchError("HTTP 401", LOG_IN)

    async def _log_in(self, reference: Reference, challenge: str) -> None:
        """A token for the repository (distribution specification, token authentication)."""
        parameters = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
        login = _login(reference.registry)
        basic = {"Authorization": f"Basic {login}"} if login else {}
        if not challenge.startswith("Bearer") or "realm" not in parameters:
            self._tokens[reference.url] = f"Basic {login}" if login else ""
            return
        words = {"service": parameters.get("service", ""), "scope": f"repository:{reference.repository}:pull"}
        async with self.session.get(parameters["realm"], params=words, headers=basic) as answer:
            if answer.status != 200:
                raise FetchError(f"HTTP {answer.status} for a token", LOG_IN)
            token = foreign.json_document(await _content(answer), ANSWER)
        self._tokens[reference.url] = f"Bearer {token.get('token') or token['access_token']}"

    def _headers(self, reference: Reference) -> Headers:
        token = self._tokens.get(reference.url)
        return (("Authorization", token),) if token else ()


async def _content(answer: aiohttp.ClientResponse) -> bytes:
    async with asyncio.timeout(ANSWER.seconds):
        return await foreign.read_all(answer.content, ANSWER.bytes)


def parse_reference(name: str) -> Reference:
    """Parse a reference, spelled as for docker and containerd; ProblemsError if it is malformed."""
    match = REFERENCE.fullmatch(name)
    if match is None:
        raise ProblemsError([_unreadable_problem(name)])
    first, slash, path = match["name"].partition("/")
    registry, repository = DEFAULT_REGISTRY, match["name"] if slash else f"library/{match['name']}"
    if slash and (re.search(r"[.:]", first) or first == "localhost"):
        registry, repository = (DEFAULT_REGISTRY if first == "docker.io" else first), path
    return Reference(registry, repository, match["digest"] or match["tag"] or "latest")


def _platform(index: Any, architecture: str, name: str) -> str:
    manifests = [
        manifest for manifest in index["manifests"] if manifest.get("platform", {}).get("architecture") == architecture
    ]
    has = sorted(
        {manifest.get("platform", {}).get("architecture", "?") for manifest in index["manifests"]} - {"unknown"}
    )
    if not manifests:
        raise FetchError(f"{name} exists for {', '.join(has)}", f"take an image that is built for {architecture}")
    return _checked(manifests[0]["digest"])


def _checked(digest: str) -> str:
    """`digest` if it is well-formed, because it becomes a file name; ValueError otherwise."""
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
        raise ValueError(f"the digest {digest!r}")
    return digest


def _login(registry: str) -> str:
    """What ``docker login`` keeps for a registry, as it keeps it; empty when there is none."""
    for place in LOGINS:
        try:
            logins = json.loads(Path(os.path.expandvars(place)).expanduser().read_text(encoding="utf-8"))["auths"]
        except (OSError, ValueError, KeyError):
            continue
        for host, login in logins.items():
            if re.sub(r"^https?://|/v[12]/?$", "", host) == registry and login.get("auth"):
                return str(login["auth"])
    return ""


def _unreadable_problem(name: str) -> Problem:
    return Problem(
        place="software",
        path="software.images",
        message="not a container image",
        expected="registry/name:tag or registry/name@sha256:...",
        found=name,
        next_step="correct it in the site file",
        code="mirror.bad_image",
    )


def _problem(name: str, reference: Reference, error: Exception) -> Problem:
    return Problem(
        place=f"registry {reference.registry}",
        path=name,
        message="the image did not come",
        expected=f"{reference.url}/manifests/{reference.version}",
        found=getattr(error, "reason", "") or f"an answer that is no manifest: {error}",
        next_step=getattr(error, "next_step", "") or "is that a registry? correct the reference in the site file",
        code="mirror.no_image",
    )
