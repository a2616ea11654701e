"""The kinds of text that a site may declare. A value is data wherever it goes, so each field takes only what its meaning needs.

A narrow kind refuses what means something to a shell, a template, a spreadsheet or a configuration file. `Line` is free text: one line that can
be printed; whoever writes it into a format quotes it, or refuses it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field


@dataclass(frozen=True)
class TextKind:
    """A kind of text, for whoever reports a mistake in one."""

    pattern: str
    expected: str
    """In plain words, after "expected"."""
    example: str


KINDS: dict[str, TextKind] = {}
"""Every kind, by its pattern."""


def _kind(pattern: str, expected: str, example: str) -> Any:
    KINDS[f"^{pattern}$"] = TextKind(f"^{pattern}$", expected, example)
    return Field(pattern=f"^{pattern}$")


def _or_nothing(pattern: str, expected: str) -> Any:
    return _kind(f"({pattern})?", f"{expected}, or nothing", "")


_WORD = "[A-Za-z0-9_][A-Za-z0-9_.+-]"
_HOST = r"[0-9A-Za-z]([0-9A-Za-z.-]{0,253}[0-9A-Za-z])?"
_ADDRESS = r"[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}"
_URL = rf"https?://({_HOST}|\[{_ADDRESS}\])(:[0-9]{{1,5}})?(/[A-Za-z0-9._~%+=,:@-]*)*"
_URL_TEXT = "an http(s) URL: host, port and path, of letters, digits and ._~%+=,:@-"
_VERSION = "[0-9A-Za-z][0-9A-Za-z.+~_:-]{0,79}"
_VERSION_TEXT = "a version: letters, digits and .+~_:-"
_LABEL = "[A-Za-z0-9][A-Za-z0-9 ._+/-]{0,60}"
_DEVICE = "[A-Za-z0-9][A-Za-z0-9_.:-]{0,40}"
_FOLDER = r"(/[A-Za-z0-9_][A-Za-z0-9_.+-]{0,250})+/?"

Name = Annotated[
    str,
    _kind("[a-z][a-z0-9-]{0,30}", "a name: a small letter, then up to 30 small letters, digits and hyphens", "x"),
]
DnsLabel = Annotated[
    str,
    _kind(
        "[a-z]([a-z0-9-]{0,29}[a-z0-9])?",
        "a name: a small letter, then up to 30 small letters, digits and hyphens, with no hyphen at its end (RFC 1123)",
        "x",
    ),
]
Subject = Annotated[
    str, _kind("[A-Za-z0-9_][A-Za-z0-9_.:@/-]{0,99}", "a user or group: letters, digits and _.:@/-", "x")
]
_SERVICE_ACCOUNT = "system:serviceaccount:[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?:[a-z0-9]([a-z0-9.-]{0,98}[a-z0-9])?"
GateUser = Annotated[
    str,
    _kind(
        f"({_SERVICE_ACCOUNT}|[A-Za-z0-9_][A-Za-z0-9_.@/-]{{0,99}})",
        "a user, or system:serviceaccount:NAMESPACE:NAME",
        "system:serviceaccount:x:x",
    ),
]
ClockTime = Annotated[str, _kind("([01][0-9]|2[0-3]):[0-5][0-9]", "a time of day such as 20:00", "20:00")]
TimeZone = Annotated[
    str, _kind("[A-Z][A-Za-z0-9_+-]{0,30}(/[A-Za-z0-9_+-]{1,30}){0,2}", "a time zone such as Europe/Berlin", "UTC")
]
FieldPath = Annotated[
    str,
    _kind(
        r"[A-Za-z][A-Za-z0-9_-]*(\[[0-9]{1,6}\]|\.[A-Za-z0-9_-]+)*",
        "a field of this file such as tenants[0].quota, or tenants.research.quota by its name",
        "region",
    ),
]
Fingerprint = Annotated[
    str,
    _kind(
        "[0-9A-F]{40}",
        "the fingerprint of an OpenPGP key: 40 digits and capital letters A to F, without blanks",
        "0" * 40,
    ),
]
Cidr = Annotated[
    str, _kind(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+/[0-9]+", "an IPv4 network such as 10.64.0.0/22", "10.64.0.0/22")
]
Cidr6 = Annotated[str, _kind("[0-9a-fA-F:]+/[0-9]+", "an IPv6 network such as fd00:64::/64", "fd00:64::/64")]
Sku = Annotated[str, _kind(f"{_WORD}{{0,80}}", "a SKU: letters, digits and ._+-", "x")]
VendorName = Annotated[str, _kind("[a-z][a-z0-9-]{0,60}", "a word of small letters, digits and hyphens", "x")]
RoleName = Annotated[
    str, _kind("[a-z][a-z0-9_]{0,60}", "the name of a role: small letters, digits and underscores", "x")
]
RoleNameOrNothing = Annotated[str, _or_nothing("[a-z][a-z0-9_]{0,60}", "the name of a role")]
BillField = Annotated[
    str, _kind("[a-z][a-z0-9_]{0,40}", "a field of the bill: small letters, digits and underscores", "driver")
]
CollectorOrNothing = Annotated[str, _or_nothing("[a-z][a-z0-9_]{0,40}", "the name of a collector")]
PerftestOptions = Annotated[
    str,
    _or_nothing(r'--use_[a-z_]+(="\$g")?( --use_[a-z_]+)*', """options of perftest such as --use_cuda="$g\""""),
]
PoolHost = Annotated[
    str, _kind("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", "a host name without domain (RFC 1123), in small letters", "x")
]
PoolHosts = Annotated[
    str,
    _kind(
        r"[a-z0-9][a-z0-9-]{0,61}(\[[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*\])?",
        "a host name or a range of them such as train-[003-004]",
        "x",
    ),
]
HostName = Annotated[str, _kind(rf"({_HOST}|{_ADDRESS})", "a host name or an IP address", "x")]
IpAddress = Annotated[str, _kind(_ADDRESS, "an IP address", "192.0.2.1")]
AddressOrNothing = Annotated[str, _or_nothing("[0-9A-Za-z:.-]{1,45}", "an IP address")]
Endpoint = Annotated[
    str,
    _kind(rf"({_HOST}|\[{_ADDRESS}\]):[0-9]{{1,5}}", "an address and a port such as 10.64.0.3:6443", "10.64.0.3:6443"),
]
Url = Annotated[str, _kind(_URL, _URL_TEXT, "http://10.64.0.2")]
UrlOrNothing = Annotated[str, _or_nothing(_URL, _URL_TEXT)]
SourceUrl = Annotated[
    str, _or_nothing(r"https?://[A-Za-z0-9._~:/?#@!&()*+,;=%\[\]-]+", "the http(s) URL of a document")
]
Version = Annotated[str, _or_nothing(_VERSION, _VERSION_TEXT)]
Image = Annotated[
    str, _kind("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,300}", "a container image: letters, digits and ._:/@-", "x")
]
ModelName = Annotated[
    str,
    _kind(rf"/?{_WORD}*(/{_WORD}*){{0,7}}", "a model such as meta-llama/Llama-3.1-8B: letters, digits and _.+-/", "x"),
]
UserName = Annotated[
    str, _kind("[a-z_][a-z0-9_-]{0,31}", "a login name as useradd of Debian and Ubuntu takes it", "root")
]
Variable = Annotated[
    str, _kind("[A-Za-z_][A-Za-z0-9_]{0,99}", "the name of an environment variable (POSIX.1-2017, 3.235)", "X")
]
Digest = Annotated[str, _kind("(sha256:)?[0-9a-fA-F]{64}", "a SHA-256 digest: 64 hex digits", "0" * 64)]
KeyFingerprint = Annotated[
    str,
    _kind("SHA256:[A-Za-z0-9+/]{43}", "the fingerprint of a public key, as keygen prints it", f"SHA256:{'A' * 43}"),
]
Day = Annotated[str, _kind("[0-9]{4}-[0-9]{2}-[0-9]{2}", "an ISO date such as 2027-02-01", "2027-02-01")]
PublishedOn = Annotated[str, _kind("[0-9]{4}(-[0-9]{2}){0,2}", "an ISO date, as far as it is known", "2027")]
Currency = Annotated[str, _kind("[A-Z]{3}", "a currency of ISO 4217 such as USD", "USD")]
PriceKey = Annotated[str, _kind(r"[A-Za-z0-9_][A-Za-z0-9_.+:@-]{0,99}", "a SKU, SKU@METRES or SKU:PART", "x")]
OptionName = Annotated[str, _kind("[A-Za-z_][A-Za-z0-9_]{0,99}", "the name of an option of a role", "x")]
DeviceName = Annotated[str, _kind(_DEVICE, "a device name of the operating system: letters, digits and _.:-", "x")]
DeviceNameOrNothing = Annotated[str, _or_nothing(_DEVICE, "a device name: letters, digits and _.:-")]
CableEnd = Annotated[
    str,
    _kind(
        "[a-z][a-z0-9-]{0,60}:[A-Za-z0-9][A-Za-z0-9_.:/-]{0,60}",
        "a device and its port such as compute-leaf-01:17",
        "x:1",
    ),
]
PortName = Annotated[
    str,
    _or_nothing(
        r"([A-Za-z0-9]|\{number\}|\{lane\}|\{first\})([A-Za-z0-9_.:/-]|\{number\}|\{lane\}|\{first\}){0,60}",
        "a port name, in which {number}, {lane} and {first} stand for theirs",
    ),
]
Label = Annotated[str, _kind(_LABEL, "a label: letters, digits, spaces and ._+/-", "x")]
TorusWord = Annotated[str, _kind(r"[1-9][0-9]{0,2}(x[1-9][0-9]{0,2}){1,2}", "chips along each axis, as 4x4x4", "1x1")]
SystemPortName = Annotated[
    str,
    _or_nothing(
        r"([A-Za-z0-9]|\{(number|lane|serial|cage|place)\})([A-Za-z0-9_.:/-]|\{(number|lane|serial|cage|place)\}){0,60}",
        "a port name, in which {number}, {lane}, {serial}, {cage} and {place} stand for theirs",
    ),
]
BreakoutMode = Annotated[
    str, _kind(r"[A-Za-z0-9]([A-Za-z0-9,()-]|\[|\]){0,79}", "a breakout as 2x400G[200G,100G] or 400g-4", "2x400G")
]
LabelOrNothing = Annotated[str, _or_nothing(_LABEL, "a label: letters, digits, spaces and ._+/-")]
FieldPattern = Annotated[str, _kind(r"[A-Za-z0-9_.*\[\]-]{1,120}", "a field path, in which * stands for anything", "*")]
SitePath = Annotated[
    str,
    _kind(
        r"[A-Za-z0-9_-][A-Za-z0-9_.+-]*(/[A-Za-z0-9_-][A-Za-z0-9_.+-]*)*",
        "a path in the folder of the site file: letters, digits and _.+-, and no ..",
        "x",
    ),
]
SiteFolder = Annotated[
    str,
    _kind("[A-Za-z0-9_-][A-Za-z0-9_.-]*", "the name of a folder beside the site file: letters, digits and _.-", "x"),
]
OwnPath = Annotated[
    str,
    _kind("[A-Za-z0-9_.~/][A-Za-z0-9_./~+@=,-]*", "a path on this machine: letters, digits and _./~+@=,-", "x"),
]
"""On the machine of the operator: it goes into options of ssh(1), where spaces and percent signs mean something."""
Disk = Annotated[
    str,
    _kind("/dev(/[A-Za-z0-9_][A-Za-z0-9_.:+-]{0,120}){1,3}", "a disk below /dev: letters, digits and _.:+-", "/dev/x"),
]
AuthorizedKey = Annotated[
    str,
    _kind(
        r"(sk-)?(ssh|ecdsa)-[a-z0-9@.-]{3,60} [A-Za-z0-9+/]{40,2000}={0,3}( [A-Za-z0-9_][A-Za-z0-9_.@-]{0,80})?",
        "a public key of OpenSSH: kind, key, and perhaps a comment of letters, digits and _.@-",
        f"ssh-ed25519 {'A' * 68}",
    ),
]
_ARGUMENT = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(=[A-Za-z0-9_.,:/@+=-]{0,200})?"
KernelArgument = Annotated[str, _kind(_ARGUMENT, "an argument of the kernel, without spaces and quotes", "iommu=pt")]
InstallFile = Annotated[
    str,
    _kind(
        r"[A-Za-z0-9_][A-Za-z0-9_.+-]*(/[A-Za-z0-9_][A-Za-z0-9_.+-]*)*",
        "a path in the folder of images: letters, digits and _.+-, and no ..",
        "x",
    ),
]
NodePath = Annotated[str, _kind(_FOLDER, "an absolute path on the nodes: letters, digits and _.+-, and no ..", "/x")]
NodePathOrNothing = Annotated[str, _or_nothing(_FOLDER, "an absolute path on the nodes: letters, digits and _.+-")]
Program = Annotated[
    str, _kind("[A-Za-z0-9_./][A-Za-z0-9_./+-]*", "a program or its path: letters, digits and _./+-", "python3")
]
MountSource = Annotated[
    str,
    _kind(r"[A-Za-z0-9/\[:][A-Za-z0-9._:/@,=+\[\]-]*", "what mount(8) mounts: letters, digits and ._:/@,=+[]-", "x:/x"),
]
MountOptions = Annotated[
    str, _or_nothing("[A-Za-z0-9_][A-Za-z0-9._:/@=+,-]*", "mount options with commas: letters, digits and ._:/@=+-")
]
Line = Annotated[
    str,
    _kind(
        "[^\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]+",
        "a line of text without control characters",
        "x",
    ),
]
"""Free text, without what `base.terminal_text` would have to escape: marks of direction make a line look like another."""
