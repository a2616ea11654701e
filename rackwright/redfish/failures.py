"""The sentences for requests to a BMC that got no answer."""

from __future__ import annotations

import os

import aiohttp

from rackwright.redfish.reply import NO_ANSWER, BmcError, SilentBmcError


def unreachable(address: str, error: Exception) -> SilentBmcError:
    """For a connection that was not made, or broke."""
    if isinstance(error, aiohttp.ClientPayloadError):
        words = f"BMC {address} broke off its answer: reset the BMC if it does so again"
        return SilentBmcError(words, "answer broken off")
    words = f"BMC {address} cannot be reached ({_words(error)}): check its address, cable and power, then run again"
    return SilentBmcError(words, _words(error))


def no_answer(address: str, method: str, path: str) -> SilentBmcError:
    """For a request that timed out."""
    words = f"BMC {address} did not answer {method} {path} in time: reset the BMC if it hangs, then run again"
    return SilentBmcError(words, NO_ANSWER)


def no_redfish(address: str) -> BmcError:
    """For something that answers over HTTPS and is no Redfish service."""
    words = f"{address} answers over HTTPS and is no Redfish service: no account was sent to it; find out what it is"
    return BmcError(words, "no Redfish service")


def untrusted(address: str, error: aiohttp.ClientConnectorCertificateError) -> BmcError:
    """For a certificate that does not chain to what is trusted."""
    reason = getattr(error.certificate_error, "verify_message", "") or type(error.certificate_error).__name__
    words = f"BMC {address} showed a certificate that is not trusted ({reason}): name its CA in control.bmc.ca_file, or pin it"
    return BmcError(words, reason)


def other_certificate(address: str, error: aiohttp.ServerFingerprintMismatch) -> BmcError:
    """For a certificate that is not the pinned one."""
    words = (
        f"BMC {address} showed another certificate (SHA-256 {error.got.hex()}) than the one that is pinned: find out whether it was renewed "
        "or whether another machine answers there; then remove its line from control.bmc.pins_file and record it again"
    )
    return BmcError(words, "another certificate")


def _words(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its name is not known"
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return "no answer"
    number = getattr(getattr(error, "os_error", error), "errno", None)
    return os.strerror(number) if number else type(error).__name__
