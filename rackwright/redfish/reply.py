"""One answer of a BMC, and the sentences for answers that are refusals or too much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from rackwright.base import foreign
from rackwright.base.errors import OutsideError

ABSENT = {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED}
"""Answers that mean: this BMC does not have that resource."""

NO_ANSWER = "no answer in time"
"""Reason of a request that timed out."""
UNAUTHORIZED = f"HTTP {HTTPStatus.UNAUTHORIZED}"
"""Reason of a refused account."""
DONE = "completed successfully"
"""Of the message Success of the Base registry (DSP8011)."""
STALE = {HTTPStatus.PRECONDITION_FAILED, HTTPStatus.PRECONDITION_REQUIRED}
"""Answers to a change of a document that somebody else changed meanwhile; KAYTUS gives the second."""
ADVICE = {
    "PasswordChangeRequired": "wants the password of the account changed before it gives anything: change it (`PATCH` of the account), then run again",
    "SessionLimitExceeded": "has no session left: close sessions of other tools, or reset the BMC, then run again",
    "AccountLocked": "has locked the account: wait for the end of its lockout, then run again",
    "InsufficientPrivilege": "does not let the account read this: give it the role ReadOnly or more, then run again",
}
"""By message of the Base registry (DSP8011 1.18) that an error carries: what the refusal means."""


class BmcError(OutsideError):
    """A BMC gave no answer that can be used; `reason` says in two or three words why."""

    def __init__(self, words: str, reason: str) -> None:
        super().__init__(words)
        self.reason = reason


class SilentBmcError(BmcError):
    """It was not reached, or did not answer in time: it may answer later."""


class OverLimitError(OutsideError):
    """A BMC sent more than is read of it."""

    def __init__(self, address: str, path: str, excess: foreign.RefusedAnswerError) -> None:
        super().__init__(
            f"BMC {address} answered {path} with {excess}: it is faulty or hostile, update its firmware or reset it"
        )
        self.beginning = excess.beginning
        """What of the answer is kept."""


@dataclass(frozen=True)
class Reply:
    """Status, headers and body of one answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    most: foreign.ForeignLimit
    """Of the body as a document."""

    def document(self, address: str, path: str) -> dict[str, Any]:
        """The body as a JSON object; OutsideError when it is not one, OverLimitError when it is too much of one."""
        try:
            document = self._parsed()
        except foreign.RefusedAnswerError as excess:
            raise OverLimitError(address, path, excess) from None
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise BmcError(
                f"BMC {address} did not answer {path} with a JSON object: update its firmware or reset it",
                "no JSON object",
            )
        return document

    @property
    def etag(self) -> str:
        """The entity tag of the document (header, else ``@odata.etag``); empty when the BMC keeps none."""
        header = self.headers.get("ETag", "")
        if header:
            return header
        try:
            document = self._parsed()
        except ValueError:
            return ""
        return str(document.get("@odata.etag") or "") if isinstance(document, dict) else ""

    @property
    def is_success(self) -> bool:
        """Whether the BMC did what was requested: KAYTUS answers some changes with 400 and says in each message that they are done (kaytus-bmc-sdk 2.2.0)."""
        if self.status != HTTPStatus.BAD_REQUEST:
            return self.status < HTTPStatus.BAD_REQUEST
        messages = self._error()[0].get("@Message.ExtendedInfo")
        listed = messages if isinstance(messages, list) else []
        return bool(listed) and all(
            isinstance(entry, Mapping) and DONE in str(entry.get("Message")) for entry in listed
        )

    @property
    def message(self) -> str:
        """The BMC's own words for an error (Redfish extended information), empty when it gave none."""
        error, extended = self._error()
        return str(extended.get("Message") or error.get("message") or "")

    @property
    def message_id(self) -> str:
        """The name of the message of an error in its registry (``PasswordChangeRequired``), empty when it gave none."""
        error, extended = self._error()
        return str(extended.get("MessageId") or error.get("code") or "").rpartition(".")[2]

    def _error(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The error of the body, and the first of its messages."""
        try:
            error = self._parsed()["error"]
            extended = (error.get("@Message.ExtendedInfo") or [{}])[0]
            return error, extended if isinstance(extended, Mapping) else {}
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return {}, {}

    def _parsed(self) -> Any:
        return foreign.json_document(self.body, self.most)


def refusal(address: str, method: str, path: str, reply: Reply) -> BmcError:
    """The error for an answer that is not a success, as one sentence with a next step."""
    reason = f"HTTP {reply.status}"
    if advice := ADVICE.get(reply.message_id):
        return BmcError(f"BMC {address} {advice} ({method} {path}, {reason})", reason)
    if reply.status == HTTPStatus.UNAUTHORIZED:
        return BmcError(
            f"BMC {address} refused the account ({reason}): check the user and password in the environment "
            "variables that control.bmc of the site names, then run again; where they are right, it may have locked the account after wrong "
            "passwords: wait for the end of its lockout",
            reason,
        )
    if reply.status == HTTPStatus.FORBIDDEN:
        return BmcError(f"BMC {address} {ADVICE['InsufficientPrivilege']} ({method} {path}, {reason})", reason)
    words = f", it answered: {reply.message}" if reply.message else ""
    return BmcError(
        f"BMC {address} answered {method} {path} with {reason}{words}: look at the BMC's own log, then run again",
        reason,
    )
