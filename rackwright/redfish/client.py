"""HTTPS requests to one BMC: session, timeouts, bounded retries, entity tags. Documents in, documents out.

It does not interpret documents. One `Client` serves one BMC; a slow BMC holds up no other.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

import aiohttp
from yarl import URL

from rackwright.base import foreign
from rackwright.base.errors import OutsideError
from rackwright.model.access import Access
from rackwright.redfish import failures, trust
from rackwright.redfish.address import base_url
from rackwright.redfish.reply import ABSENT, STALE, UNAUTHORIZED, BmcError, OverLimitError, Reply, refusal
from rackwright.redfish.request_limits import RequestLimits as RequestLimits
from rackwright.redfish.resources.links import link
from rackwright.redfish.resources.service_root import SERVICE_ROOT, is_service_root, sessions_path

Body = dict[str, Any] | Callable[[], aiohttp.payload.Payload] | None
"""A JSON object, or a function that gives what to send, anew for each attempt: an open file is read once."""
NEVER_ARRIVED = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
SESSIONS = "/redfish/v1/SessionService/Sessions"
"""Where sessions are made, for a service root that cannot be read (DSP0266, Session login)."""


class Client:
    """A logged-in conversation with one BMC; use as an async context manager."""

    def __init__(
        self, address: str, access: Access, patience: RequestLimits | None = None, *, strangers: bool = False
    ) -> None:
        """`strangers`: nobody declared what answers at `address`, so the account goes only to what shows a Redfish service root first."""
        self.address = address
        self._strangers = strangers
        self._base = base_url(address)
        self._access = access
        self._account = access.bmc_account(address)
        self.user = self._account.user
        self._patience = patience or RequestLimits()
        self._headers: dict[str, str] = {}
        self._session_path = ""
        self._session_paths: set[str] = set()
        self._answers = self._bytes = self._values = 0
        self._begun = 0.0
        self._places = asyncio.Semaphore(self._patience.connections)
        connect = self._patience.connect_seconds
        self._quick = aiohttp.ClientTimeout(total=self._patience.read_seconds, sock_connect=connect)
        self._slow = aiohttp.ClientTimeout(total=self._patience.write_seconds, sock_connect=connect)
        self._upload = aiohttp.ClientTimeout(total=self._patience.upload_seconds, sock_connect=connect)
        self.answer_seconds = 0.0
        """Of all answers, from request to last byte, one after another."""
        self._http: aiohttp.ClientSession

    @property
    def connections(self) -> int:
        """Requests that are under way at the same time, at most."""
        return self._patience.connections

    async def __aenter__(self) -> Self:
        self._begun = asyncio.get_running_loop().time()
        connector = aiohttp.TCPConnector(
            ssl=trust.trusted(self._access, self.address), limit=self._patience.connections
        )
        headers = {"Accept": "application/json", "OData-Version": "4.0"}
        self._http = aiohttp.ClientSession(connector=connector, headers=headers, auto_decompress=True)
        try:
            await self._log_in()
        except BaseException:
            await self._http.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._session_path:
                # A leaked session would block the BMC for the next caller; a failing logout changes nothing for this one.
                with contextlib.suppress(OutsideError, aiohttp.ClientError, TimeoutError):
                    await self._once("DELETE", self._session_path, None, {})
        finally:
            await self._http.close()

    async def get(self, path: str) -> dict[str, Any]:
        """The document at `path`; OutsideError when the BMC does not give it."""
        return (await self._ask("GET", path)).document(self.address, path)

    async def get_optional(self, path: str) -> dict[str, Any] | None:
        """The document at `path`, or None when this BMC has no such resource."""
        reply = await self._send("GET", path, None, {})
        if reply.status in ABSENT:
            return None
        if reply.status >= HTTPStatus.BAD_REQUEST:
            raise refusal(self.address, "GET", path, reply)
        return reply.document(self.address, path)

    async def patch(self, path: str, body: dict[str, Any]) -> None:
        """Change the document at `path`, unless somebody else changed it meanwhile; then once more on the new version."""
        for last in (False, True):
            etag = (await self._ask("GET", path)).etag
            reply = await self._send("PATCH", path, body, {"If-Match": etag} if etag else {})
            if reply.status not in STALE or last:
                break
        if not reply.is_success:
            raise refusal(self.address, "PATCH", path, reply)

    async def post(self, path: str, body: Body) -> Reply:
        """Carry out the action at `path`, or send it a file; the answer says where its task is, if it has one."""
        return await self._ask("POST", path, body)

    async def observe(self, path: str) -> Reply:
        """The answer to a GET of `path`, whatever its status."""
        return await self._send("GET", path, None, {})

    async def _log_in(self) -> None:
        """As `_identify`, with an account that was not refused before; OutsideError with the words of then where it was."""
        login = (self.address, self._account)
        if words := self._access.refused.get(login):
            raise BmcError(words, UNAUTHORIZED)
        try:
            await self._identify()
        except BmcError as refused:
            if refused.reason == UNAUTHORIZED:
                self._access.refused[login] = str(refused)
            raise

    async def _identify(self) -> None:
        """By a session where the service root, which needs no account, offers them (DSP0266, Authentication), else by the account with each request."""
        root = await self._send("GET", SERVICE_ROOT, None, {})
        if root.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise refusal(self.address, "GET", SERVICE_ROOT, root)
        document = root.document(self.address, SERVICE_ROOT) if root.status < HTTPStatus.BAD_REQUEST else {}
        if self._strangers and not is_service_root(document):
            raise failures.no_redfish(self.address)
        sessions = sessions_path(document) if document else SESSIONS
        refused = await self._open_session(sessions) if sessions else None
        if refused is not None and refused.status == HTTPStatus.UNAUTHORIZED:  # a second try may lock the account
            raise refusal(self.address, "POST", sessions, refused)
        if self._session_path or self._headers:
            return
        basic = aiohttp.encode_basic_auth(self._account.user, self._account.password.reveal())
        self._headers = {"Authorization": basic}
        # Asked once with the account before anything else: of several requests at once, each would count as a wrong password.
        path = next((path for name in ("Systems", "Managers", "Chassis") if (path := link(document, name))), "")
        answer = await self._send("GET", path, None, {}) if path else None
        if refused is not None and (answer is None or answer.status >= HTTPStatus.BAD_REQUEST):
            raise refusal(self.address, "POST", sessions, refused)
        if answer is not None and answer.status == HTTPStatus.UNAUTHORIZED:
            raise refusal(self.address, "GET", path, answer)

    async def _open_session(self, path: str) -> Reply | None:
        """A session, or the answer that refuses one; None where there is no such resource."""
        account = {"UserName": self._account.user, "Password": self._account.password.reveal()}
        self._session_paths.add(path)
        reply = await self._send("POST", path, account, {})
        token = reply.headers.get("X-Auth-Token", "")
        if reply.status < HTTPStatus.BAD_REQUEST and token:
            self._headers = {"X-Auth-Token": token}
            self._session_path = _path_of(reply.headers.get("Location", "")) or _self_link(reply)
            return None
        return None if reply.status in ABSENT or reply.status < HTTPStatus.BAD_REQUEST else reply

    async def _ask(self, method: str, path: str, body: Body = None) -> Reply:
        reply = await self._send(method, path, body, {})
        if not (reply.is_success if method == "POST" else reply.status < HTTPStatus.BAD_REQUEST):
            raise refusal(self.address, method, path, reply)
        return reply

    async def _send(self, method: str, path: str, body: Body, headers: dict[str, str]) -> Reply:
        pause = self._patience.backoff_seconds
        for attempt in range(1, self._patience.attempts + 1):
            last = attempt == self._patience.attempts
            try:
                reply = await self._once(method, path, body, headers)
            except aiohttp.ClientConnectorCertificateError as error:
                raise failures.untrusted(self.address, error) from error
            except aiohttp.ServerFingerprintMismatch as error:
                raise failures.other_certificate(self.address, error) from error
            except aiohttp.ClientConnectionError as error:
                # Only a request that surely never arrived, or one that changes nothing, is sent again.
                if last or not (method == "GET" or isinstance(error, NEVER_ARRIVED)):
                    raise failures.unreachable(self.address, error) from error
            except TimeoutError as error:
                raise failures.no_answer(self.address, method, path) from error
            except aiohttp.ClientError as error:
                raise failures.unreachable(self.address, error) from error
            else:
                if reply.status != HTTPStatus.SERVICE_UNAVAILABLE or last:
                    return reply
            await asyncio.sleep(pause)
            pause *= 2
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, method: str, path: str, body: Body, headers: dict[str, str]) -> Reply:
        if not path.startswith("/"):
            words = f"BMC {self.address} gave the link {path!r}, which leads elsewhere: update its firmware"
            raise BmcError(words, "leads elsewhere")
        if method != "DELETE":  # whoever logs out asks for nothing
            self.expect(path, 1)
            self._answers += 1
        quick = method in {"GET", "DELETE"} or path in self._session_paths
        timeout = self._upload if callable(body) else self._quick if quick else self._slow
        content_of: dict[str, Any] = {"data": body()} if callable(body) else {"json": body}
        async with self._places:  # what waits for a connection does not count as an answer that takes long
            started = asyncio.get_running_loop().time()
            async with self._http.request(
                method, URL(self._base + path, encoded=True), timeout=timeout,
                headers={**self._headers, **headers}, allow_redirects=False, **content_of,
            ) as response:  # fmt: skip
                try:
                    content = await foreign.read_all(response.content, self._patience.document.bytes)
                except foreign.RefusedAnswerError as excess:
                    raise OverLimitError(self.address, path, excess) from None
            self.answer_seconds += asyncio.get_running_loop().time() - started
        self._bytes += len(content)
        self._values += foreign.values(content)
        self.expect(path, 0)
        return Reply(response.status, response.headers.copy(), content, self._patience.document)

    def expect(self, path: str, answers: int) -> None:
        """OverLimitError when `answers` more, which `path` asks for, are over what one visit may take."""
        most, seconds = self._patience.visit, asyncio.get_running_loop().time() - self._begun
        for amount, limit, words in (
            (self._answers + answers, most.documents, f"links to more than {most.documents:,} documents"),
            (self._values, most.values, f"documents of more than {most.values:,} values together"),
            (self._bytes, most.bytes, f"documents of more than {foreign.size(most.bytes)} together"),
            (seconds, most.seconds, f"documents that take more than {most.seconds:g} s together"),
        ):
            if amount > limit:
                raise OverLimitError(self.address, path, foreign.RefusedAnswerError(words))


def _path_of(location: str) -> str:
    return URL(location).raw_path if location else ""


def _self_link(reply: Reply) -> str:
    try:
        return str(reply.document("", "").get("@odata.id", ""))
    except OutsideError:
        return ""
